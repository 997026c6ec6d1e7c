#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What test/cross/matrix.sh runs in an emulated machine, where /disk is the tree.
#
#     inside.sh units GROUP...     unit tests
#     inside.sh few HOME           test/matrix --few; `first`: the JDK of the machine
#     inside.sh planted MODE       a planted program, recorded in this mode of test/planted.py
#     inside.sh demo FILE          the program of `make demo`, recorded into FILE; by $OJX on this machine
#
# It ends in a line `N passed, N failed`, but for `demo`, whose recording has to be compared.
cd "$(dirname "$0")/../.." || exit
export OJX_TEST_CLASSES=$PWD/classes
part=$1
shift

units()
{
	local passed=0 failed=0 group status
	for group in "$@"; do
		status=0
		timeout 1200 build/unit "$group" >/tmp/unit 2>&1 || status=$?
		if [ $status = 0 ]; then
			passed=$((passed + 1))
			echo "ok unit $group"
			grep -a 'SKIPPED \] [a-z]\|^skipped' /tmp/unit | sort -u | sed 's/^/#   /'
		else
			failed=$((failed + 1))
			echo "not ok unit $group: status $status"
			grep -aE 'FAILED|Error|error|: ' /tmp/unit | head -n 12 | sed 's/^/#   /'
		fi
	done
	echo "$passed passed, $failed failed"
}

# More densely than `make demo` does, and for a shorter time.
demo()
{
	local java jars=apps/batik-all.jar:apps/xmlgraphics-commons.jar:apps/xml-apis-ext.jar
	java=$(agent/jdks.sh | head -n 1)/bin/java
	mkdir -p "$(dirname "$1")"
	"${OJX:-./ojx}" record -v -o "$1" --budget 50 --interval 64k -- "$java" -XX:+UseG1GC -cp "apps:$jars" Rasterize 100
}

echo "# $(uname -r -m), pages of $(getconf PAGESIZE) bytes, $(nproc) processors"
case $part in
units) units "$@" ;;
few) test/matrix --few "$([ "$1" = first ] && agent/jdks.sh | head -n 1 || echo "$PWD/$1")" ;;
demo) demo "$@" ;;
planted) test/planted.py -j 1 --gc G1 --mode "$1" Same75 ;;
*) echo "inside.sh: no part '$part'" >&2; exit 2 ;;
esac
