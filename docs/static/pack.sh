#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packs the static ojx, the agent and what `make install` brings besides into ojx-VERSION-linux-ARCH.tar.gz. `make static`
# calls it.
#   docs/static/pack.sh VERSION FOLDER      the archive goes to FOLDER
#
# ARCH, CROSS, ROOT: the processor, and for another one than this machine's the programs and the libraries for it. OUT: the
# folder of the build. The same tree gives the same archive: times come from SOURCE_DATE_EPOCH.
set -eu
cd "$(dirname "$0")/../.."
out=$2
arch=${ARCH:-$(uname -m)}
name=ojx-$1-linux-$arch
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

make --no-print-directory -s STATIC=1 ARCH="$arch" install DESTDIR="$work/$name" PREFIX=
# the id of a build is made of its folder, too
"${CROSS:-}strip" --strip-unneeded --remove-section=.comment --remove-section=.note --remove-section=.note.gnu.build-id "$work/$name/bin/ojx" \
	"$work/$name/lib/ojx/libojx-agent.so"
if readelf -d "$work/$name/bin/ojx" | grep -q NEEDED; then
	echo "pack.sh: the tool needs a library: $(readelf -d "$work/$name/bin/ojx" | grep -m 1 NEEDED)" >&2
	exit 1
fi

# The tool holds these libraries.
licenses=$work/$name/share/doc/ojx/licenses
mkdir -p "$licenses"
cp "${OUT:-build-static}"/archives/licenses/* "$licenses"
for package in libc6-dev libcapstone-dev libdeflate-dev libelf-dev libncurses-dev libpfm4-dev libxxhash-dev zlib1g-dev; do
	cp "${ROOT:-}/usr/share/doc/$package/copyright" "$licenses/$package"
done
chmod -R u=rwX,go=rX "$work/$name"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" |
	gzip -9n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
