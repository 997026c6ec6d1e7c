#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes a file system of another processor out of Debian's packages of this release: `make cross` builds with it, and
# test/cross/machine.sh starts a machine with it.
#
#     test/cross/root.sh ARCH FOLDER SET...     SET: build, run, 16k
#
# ARCH is as `uname -m` has it. Packages are unpacked, and nothing is installed: this machine's packages and its lists stay
# as they are. A set that is there is left alone.
set -eu
arch=$1
mkdir -p "$2"
root=$(cd "$2" && pwd)
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
case $arch in
aarch64) debian=arm64 ;;
x86_64) debian=amd64 ;;
*) echo "root.sh: Debian's name of the processor $arch is not known here" >&2; exit 2 ;;
esac
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

packages()
{
	case $1 in
	build) echo libc6-dev libc6 libgcc-12-dev; "$top/test/deps.sh" --names build test | tr ' ' '\n' | grep -- '-dev$' ;;
	# a system that runs the tests, a JVM, and a kernel
	run) echo bash coreutils diffutils findutils gawk grep libc-bin libcjson1 libdeflate0 libelf1 libncursesw6 libpfm4 libzip4 \
		linux-image-cloud-$debian openjdk-17-jdk-headless procps python3 sed tar util-linux ;;
	16k) echo linux-image-$debian-16k ;; # pages of 16 KiB: a kernel of the next release
	*) echo "root.sh: unknown set '$1'" >&2; exit 2 ;;
	esac
}

# apt with lists and a cache of its own, for a system in which nothing is installed
apt=$root.apt
mkdir -p "$apt/lists/partial" "$apt/parts" "$apt/archives/partial"
: >"$apt/status"
: >"$apt/sources.list"
for f in /etc/apt/sources.list.d/*.sources /etc/apt/sources.list; do
	[ ! -f "$f" ] || ! grep -q "debian.org\|$release-security" "$f" || cp "$f" "$apt/parts/"
done
key=/usr/share/keyrings/debian-archive-keyring.gpg
get()
{
	apt-get -q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts" \
		-o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache::archives="$apt/archives" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Architecture=$debian -o APT::Architectures=$debian \
		-o APT::Sandbox::User=root "$@"
}

# Libraries lie in /usr/lib, whatever a package says.
for d in bin sbin lib; do
	mkdir -p "$root/usr/$d"
	[ -e "$root/$d" ] || ln -s usr/$d "$root/$d"
done

# Writes down what a package has brought, as dpkg would, so that docs/debian/deb.sh can ask which package a library is of.
write_down()
{
	local name
	name=$(dpkg-deb -f "$1" Package)
	[ "$(dpkg-deb -f "$1" Multi-Arch)" != same ] || name=$name:$debian
	rm -rf "$apt/control"
	dpkg-deb --control "$1" "$apt/control"
	for f in symbols shlibs; do
		[ ! -e "$apt/control/$f" ] || cp "$apt/control/$f" "$apt/dpkg/info/$name.$f"
	done
	# Libraries are found through /usr/lib of the root.
	dpkg-deb --fsys-tarfile "$1" | tar -t | sed -n "s,^\./\(usr/\)\?,$root/usr/,p" | sed 's,/$,,' >"$apt/dpkg/info/$name.list"
	{ sed '/^Package:/a Status: install ok installed' "$apt/control/control"; echo; } >"$apt/dpkg/packages/$name"
}

if [ ! -e "$apt/dpkg/packages" ]; then
	rm -f "$apt"/has-*
	mkdir -p "$apt/dpkg/info" "$apt/dpkg/updates" "$apt/dpkg/packages"
	echo 1 >"$apt/dpkg/info/format"
	: >"$apt/dpkg/status"
fi

for set in "$@"; do
	[ ! -e "$apt/has-$set" ] || continue
	rm -rf "$apt/archives"/*.deb
	if [ $set = 16k ]; then
		echo "deb [signed-by=$key] http://deb.debian.org/debian $release-backports main" >"$apt/sources.list"
	fi
	get update >"$apt/log" 2>&1 || { cat "$apt/log" >&2; exit 1; }
	names=$(packages $set)
	# shellcheck disable=SC2086
	get -y --no-install-recommends --download-only install $names >"$apt/log" 2>&1 || { cat "$apt/log" >&2; exit 1; }
	for f in "$apt/archives"/*.deb; do
		dpkg-deb --fsys-tarfile "$f" | tar -x -C "$root" --keep-directory-symlink --no-same-owner
		write_down "$f"
	done
	echo "$root: $set: $(ls "$apt/archives"/*.deb | wc -l) packages of $debian"
	rm -rf "$apt/archives"/*.deb
	# one of each, the last: what several sets need was unpacked several times
	cat "$apt/dpkg/packages"/* >"$apt/dpkg/status"
	touch "$apt/has-$set"
done
# links of packages to absolute paths lead into the root
find "$root" -type l -lname '/*' -path '*/lib/*' -name '*.so*' | while read -r link; do
	ln -snf "$(realpath -ms --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
