#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the archives that a static ojx needs and that no Debian package has, from Debian's source packages: cJSON and
# libzip. `make static` calls it.
#   docs/static/archives.sh FOLDER     they go to FOLDER/lib, their headers to FOLDER/include; nothing is done if they are there
#
#     CROSS, ROOT     what the compiler's name begins with, and its libraries, for another processor than this machine's
#
# The machine's own lists of packages stay as they are: those of the sources are fetched into FOLDER.
set -eu
mkdir -p "$1/src" "$1/lib" "$1/include/cjson" "$1/licenses"
cd "$1"
at=$PWD
[ ! -e complete ] || exit 0
for tool in apt-get dpkg-source cmake; do
	command -v $tool >/dev/null || { echo "archives.sh: no $tool: the archives are built on Debian, with dpkg-dev and cmake" >&2; exit 1; }
done

# The machine's sources, with those of the programs themselves.
mkdir -p apt/lists/partial apt/parts apt/cache/archives/partial
: >apt/sources.list
for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
	[ ! -f "$f" ] || sed -n 's/^deb /deb-src /p' "$f" >>apt/sources.list
done
for f in /etc/apt/sources.list.d/*.sources; do
	[ ! -f "$f" ] || sed 's/^Types:.*/Types: deb-src/' "$f" >"apt/parts/${f##*/}"
done
get()
{
	apt-get -q -o Dir::Etc::SourceList="$at/apt/sources.list" -o Dir::Etc::SourceParts="$at/apt/parts" \
		-o Dir::State::Lists="$at/apt/lists" -o Dir::Cache="$at/apt/cache" -o APT::Sandbox::User=root "$@"
}
get update
cd src
get source cjson libzip
cd ..

cross=()
[ -z "${CROSS:-}" ] || cross=(--sysroot="$ROOT")
"${CROSS:-}gcc" "${cross[@]}" -O2 -c -o src/cJSON.o src/cjson-*/cJSON.c
"${CROSS:-}ar" rcs lib/libcjson.a src/cJSON.o
cp src/cjson-*/cJSON.h include/cjson/

# Archives of classes and of sources are deflated; nothing else of libzip is needed.
off=()
for part in BZIP2 LZMA ZSTD OPENSSL GNUTLS MBEDTLS COMMONCRYPTO; do
	off+=("-DENABLE_$part=OFF")
done
for part in SHARED_LIBS TOOLS REGRESS EXAMPLES DOC; do
	off+=("-DBUILD_$part=OFF")
done
if [ -n "${CROSS:-}" ]; then
	off+=(-DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$ARCH" "-DCMAKE_C_COMPILER=${CROSS}gcc" "-DCMAKE_SYSROOT=$ROOT"
		"-DCMAKE_LIBRARY_ARCHITECTURE=$ARCH-linux-gnu" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER
		-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY)
fi
cmake -S src/libzip-*/ -B src/build-libzip -DCMAKE_BUILD_TYPE=Release "${off[@]}" -DCMAKE_INSTALL_PREFIX="$at" \
	-DCMAKE_INSTALL_LIBDIR=lib
make -C src/build-libzip install

for name in cjson libzip; do
	cp src/$name-*/debian/copyright licenses/$name
done
rm -rf src apt
touch complete
