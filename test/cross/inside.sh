#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What test/cross/matrix.sh runs in an emulated machine, where /disk is the tree.
#
#     test/cross/inside.sh PART...     PART: units, matrix, planted, pages
#
# Each part ends in a line `N passed, N failed`.
cd "$(dirname "$0")/../.." || exit
jdk=$("agent/jdks.sh" | head -n 1)
jvms=(jvms/*/)
export OJX_TEST_CLASSES=$PWD/classes

# A group that takes longer than five minutes counts as failed.
units()
{
	local passed=0 failed=0 group
	for group in $(build/unit); do
		if timeout 300 build/unit "$group" >/tmp/unit 2>&1; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "not ok unit $group: status $?"
			grep -aE 'FAILED|Error|error|: ' /tmp/unit | head -n 12 | sed 's/^/#   /'
		fi
	done
	echo "$passed passed, $failed failed"
}

for part in "$@"; do
	echo "== part $part: $(uname -r -m), pages of $(getconf PAGESIZE) bytes"
	case $part in
	units) units ;;
	matrix) test/matrix --few "$jdk" "${jvms[@]%/}" ;;
	planted) test/planted.py -j 1 --gc G1 Same75 ;;
	pages) test/matrix --few "$jdk" ;;
	*) echo "inside.sh: no part '$part'" >&2; exit 2 ;;
	esac
done
