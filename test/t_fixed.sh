#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Snapshots of objects with references are distinguished by what cannot change around them. Objects
# that refer to the same object have the same hash, wherever collections move it and however it
# changes. The hash differs if final fields or texts differ.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" --release 11 -nowarn -d "$TMP" "$TOP/test/jvm/Fixed.java" || exit 1

# names METHOD CLASS: the number of snapshots with the hash, of objects that METHOD makes; the
# number of all snapshots; and whether the hashes are one, all different, or else how many
names()
{
	python3 - "$TOP/test" "$data" "$1" "$2" "$gc" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import looks
found = [l for c in looks.read(sys.argv[2]) if c.cls == sys.argv[4] and c.stack[0][1] == sys.argv[3] for l in c.looks]
fixed = [l.fixed for l in found if l.fixed is not None]
different = len(set(fixed))
least = 2 if sys.argv[5] == "Z" else max(20, 0.5 * len(found))  # if objects move before they are read
print(len(fixed) >= least,
      "one" if different == 1 else "all" if different == len(fixed) else different)
END
}

for home in "${jdks[@]}"; do
	for gc in Serial Parallel G1 Z; do
		is_z=
		[ $gc != Z ] || is_z=-XX:+UnlockExperimentalVMOptions
		name="jdk$(version_of "$home"), $gc"
		rm -f "$data"
		run "$OJX" record -q -o "$data" --budget 100 --no-watch --interval 8k --seed 3 -- \
			"$home/bin/java" $is_z -XX:+Use${gc}GC -Xmx64m -XX:ErrorFile="$TMP/hs_err" -cp "$TMP" Fixed 200000
		is "$name: status and output" "$status $(cat "$TMP/out")" "0 200000"
		for what in same:one numbers:all chains:all texts:all copies:one changing:one; do
			is "$name: ${what%:*}" "$(names "${what%:*}" 'LFixed$Ref;')" "True ${what#*:}"
		done
		is "$name: arrays" "$(names arrays '[LFixed$Shared;')" "True all"
	done
done

done_testing
