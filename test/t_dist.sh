#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `make dist` has made, for this processor or for another: the archives and packages are complete, are for the
# processor that their names tell, and have the sums that are written beside them. It needs no compiler, and builds nothing:
# where `make dist` has not run, there is nothing to check.
. "$(dirname "$0")/lib.sh"

# elf_is TITLE FILE MACHINE
elf_is()
{
	like "$1" <(readelf -h "$2") "Machine: .*$3"
}

# archive FILE ARCH MACHINE: the archive that needs no library
archive()
{
	local file=$1 arch=$2 machine=$3 top at
	top=$(basename "$file" .tar.gz)
	rm -rf "$TMP/at"
	mkdir "$TMP/at"
	is "$top: all of it lies in one folder" "$(tar -tzf "$file" | cut -d / -f 1 | sort -u)" "$top"
	is "$top: nobody's files, no date of the build" \
		"$(TZ=UTC tar -tvzf "$file" | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" 1
	tar -xzf "$file" -C "$TMP/at"
	at=$TMP/at/$top
	for f in bin/ojx lib/ojx/libojx-agent.so share/man/man1/ojx.1 share/doc/ojx/README.md share/doc/ojx/LICENSE \
		share/bash-completion/completions/ojx share/zsh/site-functions/_ojx; do
		check "$top: it has $f" test -s "$at/$f"
	done
	elf_is "$top: the tool is for $arch" "$at/bin/ojx" "$machine"
	elf_is "$top: the agent is for $arch" "$at/lib/ojx/libojx-agent.so" "$machine"
	unlike "$top: the tool needs no library" <(readelf -dl "$at/bin/ojx") 'NEEDED|INTERP'
	unlike "$top: the agent has no executable stack" <(readelf -lW "$at/lib/ojx/libojx-agent.so") 'GNU_STACK.*RWE'
	is "$top: nothing in it names the folder of the build" "$(grep -rlF "$TOP/" "$at")" ""
	for library in cjson libzip libc6-dev libcapstone-dev libdeflate-dev libelf-dev libncurses-dev libpfm4-dev zlib1g-dev; do
		check "$top: the licence of $library" test -s "$at/share/doc/ojx/licenses/$library"
	done
}

# package FILE ARCH MACHINE: the package of Debian
package()
{
	local file=$1 machine=$3 root=$TMP/root
	rm -rf "$root"
	dpkg-deb --extract "$file" "$root"
	like "$(basename "$file"): its name has its processor" <(basename "$file") "_$(dpkg-deb --field "$file" Architecture)\\.deb\$"
	like "$(basename "$file"): it says what it depends on" <(dpkg-deb --field "$file" Depends) 'libc6 .*libcjson1 .*libelf1 '
	elf_is "$(basename "$file"): the tool is for $2" "$root/usr/bin/ojx" "$machine"
	elf_is "$(basename "$file"): the agent is for $2" "$root/usr/lib/ojx/libojx-agent.so" "$machine"
}

# What readelf calls each processor of agent/arch, and Debian.
while read -r arch debian machine; do
	folder=$TOP/build-$arch/dist
	[ "$arch" != "$(uname -m)" ] || folder=$TOP/build/dist
	if [ ! -e "$folder/SHA256SUMS" ]; then
		skip "make dist ARCH=$arch" "it has not run here"
		continue
	fi
	check "$arch: the sums are right" sh -c "cd '$folder' && sha256sum --quiet -c SHA256SUMS"
	is "$arch: each file has one" "$(wc -l <"$folder/SHA256SUMS")" "$(ls "$folder"/*.tar.gz "$folder"/*.deb | wc -l)"
	for f in "$folder"/*.tar.gz; do
		archive "$f" "$arch" "$machine"
	done
	if ! command -v dpkg-deb >/dev/null; then
		skip "$arch: the package" "no dpkg-deb"
		continue
	fi
	check "$arch: the package is for $debian" test -s "$folder"/ojx_*_"$debian".deb
	package "$folder"/ojx_*_"$debian".deb "$arch" "$machine"
done <<'END'
x86_64 amd64 X86-64
aarch64 arm64 AArch64
END
is "each processor of agent/arch is in this test" "$(sed -n '/^done <</,/^END/p' "$0" | grep -cE '64$')" "$(ls -d "$TOP"/agent/arch/*/ | wc -l)"
done_testing
