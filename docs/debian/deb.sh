#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds ojx_VERSION_ARCH.deb out of what `make install` installs. `make deb` calls it.
#   docs/debian/deb.sh VERSION FOLDER      the package goes to FOLDER
#
# ARCH, CROSS, ROOT: the processor, and for another one than this machine's the programs and the libraries for it.
# dpkg-shlibdeps finds out which libraries the tool needs, and from which version on. Times come from
# SOURCE_DATE_EPOCH, so that the same tree gives the same package.
set -eu
cd "$(dirname "$0")/../.."
version=$1
out=$2
for tool in dpkg-deb dpkg-shlibdeps; do
	command -v $tool >/dev/null || { echo "deb.sh: no $tool: install dpkg-dev" >&2; exit 1; }
done
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}"
export SOURCE_DATE_EPOCH
case ${CROSS:+$ARCH} in
'') arch=$(dpkg --print-architecture) ;;
aarch64) arch=arm64 ;;
x86_64) arch=amd64 ;;
*) echo "deb.sh: Debian's name of the processor $ARCH is not known here" >&2; exit 2 ;;
esac
# What test/cross/root.sh has unpacked is written down beside it.
libraries=()
[ -z "${CROSS:-}" ] || libraries=(--admindir="$ROOT.apt/dpkg" -l"$ROOT/usr/lib/$ARCH-linux-gnu")
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022

make --no-print-directory -s ${CROSS:+ARCH="$ARCH"} install DESTDIR="$root" PREFIX=/usr

# Debian has another folder for completions that packages bring, and keeps licences apart.
doc=$root/usr/share/doc/ojx
mkdir -p "$root/usr/share/zsh/vendor-completions" "$root/DEBIAN"
mv "$root"/usr/share/zsh/site-functions/_ojx "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
rm "$doc/LICENSE"
install -m 644 docs/debian/copyright "$doc/copyright"
when=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
sed "s/@VERSION@/$version/; s/@DATE@/$when/" docs/debian/changelog | gzip -9n >"$doc/changelog.gz"
gzip -9n "$root/usr/share/man/man1/ojx.1"
# the id of a build is made of its folder, too
"${CROSS:-}strip" --strip-unneeded --remove-section=.comment --remove-section=.note --remove-section=.note.gnu.build-id \
	"$root/usr/bin/ojx" "$root/usr/lib/ojx/libojx-agent.so"

# dpkg-shlibdeps wants to be in a source package
mkdir "$work/debian"
printf 'Source: ojx\n\nPackage: ojx\nArchitecture: %s\n' "$arch" >"$work/debian/control"
depends=$(cd "$work" && DEB_HOST_ARCH=$arch dpkg-shlibdeps "${libraries[@]}" -O -e"$root/usr/bin/ojx" \
	-e"$root/usr/lib/ojx/libojx-agent.so" 2>"$work/log") || { cat "$work/log" >&2; exit 1; }
depends=${depends#shlibs:Depends=}
[ -n "$depends" ] || { echo "deb.sh: nothing found that ojx depends on" >&2; exit 1; }

sed -e "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@DEPENDS@/$depends/" \
	-e "s/@SIZE@/$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)/" \
	docs/debian/control >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN"/*
# all of them, not only what is newer: this machine's clock may be behind that of the last change
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/ojx_${version}_$arch.deb"
