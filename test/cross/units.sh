#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the unit tests of another processor under qemu-user, one on each processor of this machine.
#
#     test/cross/units.sh ARCH [GROUP...]     all groups where none is named
#     test/cross/units.sh ARCH --left         the groups that are left out, since they need a kernel
#
# `make matrix ARCH=...` calls it, which has built them in build-ARCH, and runs those that are left out in an emulated machine.
# A group has 20 minutes of CPU time. OJX_CROSS_ROOT: the file system with the libraries.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
arch=$1
shift
root=${OJX_CROSS_ROOT:-$top/build-$arch-root}
# by the loader itself: with -L, qemu-user takes the root's /tmp for the machine's
emulator=("qemu-$arch-static" "$root/lib/ld-linux-$arch.so.1" --library-path "$root/usr/lib/$arch-linux-gnu")
unit=$top/build-$arch/unit
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$top" || exit

# Groups that need what qemu-user does not have: GROUP REASON
left_out()
{
	cat <<'END'
blocks qemu-user 7.2 ends itself where a file has less than was mapped of it
jvmproc the name of each process is that of qemu-user
outfile qemu-user has no filters of system calls
probe qemu-user has no filters of system calls
running the program of each process is qemu-user
seccomp qemu-user has no filters of system calls
END
}

if [ "${1:-}" = --left ]; then
	left_out | cut -d ' ' -f 1
	exit
fi
groups=("$@")
[ $# != 0 ] || mapfile -t groups < <("${emulator[@]}" "$unit")

# One line, `ok` or `not ok`, then what a failed group has said, or which tests it has left out itself.
one()
{
	local group=$1 why status=0
	why=$(left_out | sed -n "s/^$group //p")
	if [ -n "$why" ]; then
		echo "ok unit $group # SKIP $why"
		return
	fi
	(ulimit -t 1200 && exec "${emulator[@]}" "$unit" "$group") >"$out/$group" 2>&1 || status=$?
	if [ $status = 0 ]; then
		echo "ok unit $group"
		grep -aE 'SKIPPED \] [a-z]|^skipped' "$out/$group" | sort -u | sed 's/^/#   /'
	else
		echo "not ok unit $group: status $status"
		grep -aE 'FAILED|Error|error|: ' "$out/$group" | head -n 12 | sed 's/^/#   /'
	fi
}

running=0
for group in "${groups[@]}"; do
	one "$group" >"$out/$group.said" &
	running=$((running + 1))
	[ $running -lt "$(nproc)" ] || { wait -n; running=$((running - 1)); }
done
wait
cat "$out"/*.said
skipped=$(cat "$out"/*.said | grep -c '^ok .*# SKIP')
failed=$(cat "$out"/*.said | grep -c '^not ok')
echo "$((${#groups[@]} - failed - skipped)) passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
