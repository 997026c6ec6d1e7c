#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make deb`: the package is complete, declares its dependencies, and works where it is unpacked.
. "$(dirname "$0")/lib.sh"

if ! command -v dpkg-shlibdeps >/dev/null; then
	skip "make deb" "no dpkg-dev"
	done_testing
fi
export DPKG_DEB_COMPRESSOR_LEVEL=1 # its size is not tested
check "make deb" make --no-print-directory -s -C "$TOP" deb DEB_DIR="$TMP/deb"
deb=$(echo "$TMP"/deb/ojx_*.deb)
if [ ! -f "$deb" ]; then
	fail "there is a package"
	done_testing
fi

# ---- what it says ---------------------------------------------------------------------------

dpkg-deb --field "$deb" >"$TMP/control"
like "its version is the tool's" "$TMP/control" "^Version: $("$OJX" version | sed 's/ojx //')\$"
is "its name has the version" "$(basename "$deb")" \
	"ojx_$(dpkg-deb --field "$deb" Version)_$(dpkg --print-architecture).deb"
like "it is for this machine" "$TMP/control" "^Architecture: $(dpkg --print-architecture)\$"
for library in libc6 libcjson1 libelf1; do
	like "it depends on $library" "$TMP/control" "^Depends: .*$library "
done
unlike "it needs no compiler or header" "$TMP/control" "^Depends: .*-dev"
like "it wants a JVM, but does not insist" "$TMP/control" "^Recommends: .*jre"
unlike "nothing is left to be filled in" "$TMP/control" "@[A-Z]+@"
# Every library that is loaded belongs to a package that it depends on.
missing=
for library in $(ldd "$OJX" | sed -nE 's/.* => (\/[^ ]+) .*/\1/p'); do
	owner=$(dpkg -S "$(readlink -f "$library")" "$library" "/usr$library" 2>/dev/null |
		head -n 1 | sed 's/:.*//')
	readelf -d "$OJX" | grep -qF "[$(basename "$library")]" || continue # a dependency of another library
	grep -qE "^Depends: (.*, )?$owner( |,|\$)" "$TMP/control" || missing="$missing $library"
done
is "it depends on all libraries that it loads" "$missing" ""

# ---- what it brings -------------------------------------------------------------------------

dpkg-deb --contents "$deb" >"$TMP/contents"
for file in bin/ojx lib/ojx/libojx-agent.so share/man/man1/ojx.1.gz share/doc/ojx/copyright \
	share/doc/ojx/changelog.gz share/doc/ojx/README.md \
	share/bash-completion/completions/ojx share/zsh/vendor-completions/_ojx; do
	like "it has /usr/$file" "$TMP/contents" "^-rw[x-]r-[x-]r-[x-] root/root .* \./usr/$file\$"
done
unlike "it has nothing outside of /usr" "$TMP/contents" " \./[^u]"
unlike "nothing can be written by others" "$TMP/contents" "^.{8}w"

root=$TMP/root
dpkg-deb --extract "$deb" "$root"
dpkg-deb --control "$deb" "$TMP/DEBIAN"
check "its checksums are right" sh -c "cd '$root' && md5sum --quiet -c '$TMP/DEBIAN/md5sums'"
is "all files have one" "$(wc -l <"$TMP/DEBIAN/md5sums")" "$(find "$root" -type f | wc -l)"
check "the manual is the tree's" sh -c \
	"gzip -dc '$root/usr/share/man/man1/ojx.1.gz' | cmp - '$TOP/ojx.1'"

# The clock of a machine may be behind the last change.
SOURCE_DATE_EPOCH=4000000000 make --no-print-directory -s -C "$TOP" deb DEB_DIR="$TMP/later" >/dev/null 2>&1
dpkg-deb --extract "$TMP"/later/*.deb "$TMP/again"
rm -f {"$root","$TMP/again"}/usr/share/doc/ojx/changelog.gz # it has the date
check "it can be built again, and is the same" diff -r "$root" "$TMP/again"
is "all that it brings is as old as the tree, not as the build" \
	"$(TZ=UTC dpkg-deb --contents "$TMP"/later/*.deb | awk '{ print $4, $5 }' | sort -u)" "2096-10-02 07:06"

# ---- whether that works ---------------------------------------------------------------------

packaged=$root/usr/bin/ojx
is "the packaged tool runs" "$("$packaged" version)" "$("$OJX" version)"
home=$("$TOP"/agent/jdks.sh | head -n 1)
cat >"$TMP/Same.java" <<'JAVA'
public class Same {
    static Object kept;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2000000; i++)
            kept = new int[20];
        java.nio.file.Files.lines(java.nio.file.Path.of("/proc/self/maps"))
            .filter(l -> l.contains("libojx-agent")).map(l -> l.replaceAll("^[^/]*", "")).distinct()
            .forEach(System.out::println);
    }
}
JAVA
"$home/bin/javac" -d "$TMP" "$TMP/Same.java" || exit 1
cd "$TMP" || exit 1
# The program tells which agent is in it.
run env -i PATH="$PATH" HOME="$TMP" "$packaged" record -q -o same.data -- "$home/bin/java" -cp "$TMP" Same
is "the packaged tool records: exit status 0" "$status" 0
check "with the package's agent, be it a copy" cmp "$(cat "$TMP/out")" "$root/usr/lib/ojx/libojx-agent.so"
run "$packaged" report -i same.data --class='int[]' --sort=bytes --format=json
is "and reports what it recorded" "$(json "$TMP/out" "r['contexts'][0]['alloc_stack'][0]['method']")" "main"

# Its dependencies exist in this machine's lists of packages.
if command -v apt-get >/dev/null && apt-cache show libcjson1 >/dev/null 2>&1; then
	cp "$deb" "$TMP/ojx.deb"
	check "apt-get would install it" apt-get -s -o Debug::NoLocking=1 install "$TMP/ojx.deb"
else
	skip "apt-get would install it" "no lists of packages"
fi
done_testing
