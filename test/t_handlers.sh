#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Signal handlers and GC pauses neither allocate nor lock (test/handlers.py): the tree has no such
# fault, and the check would find one.
. "$(dirname "$0")/lib.sh"

find_jdks
include=${jdks[0]}/include
"${CC:-cc}" -fcallgraph-info -x c -c /dev/null -o "$TMP/empty.o" 2>"$TMP/err" || {
	skip "calls of signal handlers and pauses" "the compiler writes no call graphs"
	done_testing
}

"$TOP/test/handlers.py" "$include" "$include/linux" >"$TMP/faults" 2>&1
check "no fault in the agent" diff /dev/null "$TMP/faults"

mkdir "$TMP/lib"
cp -r "$TOP/agent" "$TMP"
cp -r "$TOP"/lib/* "$TMP/lib"

# insert FILE BEFORE TEXT: inserts a line into a file of the copy
insert()
{
	sed -i "0,/$2/s//$3\n&/" "$TMP/agent/$1"
}

insert perf/slot.c 'if (slot_disarm(' 'free(slot->own[0]);'
insert perf/slot.c 'bool slot_take' '#include <stdlib.h>'
insert heap/follow.c '	uint32_t n = follow_used()' '	(void)is_wanted(0);'
insert heap/follow.c 'static struct follow_place' 'static bool is_wanted(uint64_t size);'
sed -i 's/\[pause\] Runs on/Runs on/' "$TMP/agent/agent.c"
sed -i '/\[pause\] `epoch`: the next one/s/\[pause\] //' "$TMP/agent/heap/lifetimes.c" # a column of the table of parts
"$TOP/test/handlers.py" "$include" "$include/linux" --tree "$TMP" >"$TMP/faults" 2>&1
is "each fault is seen" "$(cat "$TMP/faults")" "root: agent/agent.c:gc_start
root: agent/heap/lifetimes.c:gc_finish
unmarked: agent/heap/follow.c:find_places calls agent/heap/follow.c:is_wanted
unsafe: slot_end calls free"
done_testing
