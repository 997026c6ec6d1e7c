#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_cost.py --keep: pairs of several runs add up. The runs themselves are `make bench`.
. "$(dirname "$0")/lib.sh"

# kept PROGRAM COMMIT PAID...: adds pairs to $TMP/pairs as a run of this commit does; prints what it then has of them
kept()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/test python3 - "$TMP/pairs" "$@" 2>&1 <<'END'
import sys
from bench_cost import Kept, Pair, bias_of
path, program, commit, *paid = sys.argv[1:]
kept = Kept(path, {"commit": commit, "jdk": "/jdk", "options": ""})
pairs = kept.of(program)
for value in map(float, paid):
    pairs.append(Pair(value, 2.0, 1.5, len(pairs) % 2))
    kept.add(program, pairs[-1])
print([p.paid for p in pairs], [p.side for p in pairs], round(bias_of(pairs)[0], 3) if pairs else "none")
END
}

is "a first run" "$(kept ecj one 1 2)" "[1.0, 2.0] [0, 1] 0.5"
is "a second run goes on, on the other side" "$(kept ecj one 3 4)" "[1.0, 2.0, 3.0, 4.0] [0, 1, 0, 1] -0.5"
is "another program has none" "$(kept pmd one)" "[] [] none"
is "nor has another commit" "$(kept ecj two)" "[] [] none"
printf '{"program": "ecj", "wh' >>"$TMP/pairs"
is "half a line of a run that was killed is left out" "$(kept ecj one)" "[1.0, 2.0, 3.0, 4.0] [0, 1, 0, 1] -0.5"
is "and what follows is a line of its own" "$(kept ecj one 5 && wc -l <"$TMP/pairs")" \
	"[1.0, 2.0, 3.0, 4.0, 5.0] [0, 1, 0, 1, 0] -1.0
5"
sed -i '2s/pair/pear/' "$TMP/pairs"
is "any other line that is no pair is an error" "$(kept ecj one)" "bench_cost.py: $TMP/pairs:2: no pair of --keep"

done_testing
