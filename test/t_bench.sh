#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_cost.py --keep: pairs of several runs add up. The runs themselves are `make bench`.
. "$(dirname "$0")/lib.sh"

# kept PROGRAM CODE PAID...: adds pairs to $TMP/pairs as a run of this code does; prints what it then has of them
kept()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/test python3 - "$TMP/pairs" "$@" 2>&1 <<'END'
import sys
from bench_cost import Kept, Pair, bias_of
path, program, code, *paid = sys.argv[1:]
kept = Kept(path, {"code": code, "jdk": "/jdk", "options": ""})
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
is "nor has other code" "$(kept ecj two)" "[] [] none"
printf '{"program": "ecj", "wh' >>"$TMP/pairs"
is "half a line of a run that was killed is left out" "$(kept ecj one)" "[1.0, 2.0, 3.0, 4.0] [0, 1, 0, 1] -0.5"
is "and what follows is a line of its own" "$(kept ecj one 5 && wc -l <"$TMP/pairs")" \
	"[1.0, 2.0, 3.0, 4.0, 5.0] [0, 1, 0, 1, 0] -1.0
5"
sed -i '2s/pair/pear/' "$TMP/pairs"
is "any other line that is no pair is an error" "$(kept ecj one)" "bench_cost.py: $TMP/pairs:2: no pair of --keep"

# bench EXPRESSION: what bench_cost.py has there
bench()
{
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$TOP/test python3 -c "from bench_cost import *; print($1)" 2>&1
}

# the second is a quarter as wide, and counts 16 times
is "all programs together" "$(bench '"%.3f %.3f" % pooled([(1.0, 2.0), (0.0, 0.5)])')" "0.059 0.485"
four='[Pair(1, 2, 1, 0), Pair(1, 2, 1, 1), Pair(2, 2, 1, 0), Pair(2, 2, 1, 1)]'
is "a program with too few pairs is not among them, nor are its pairs" \
	"$(bench "print_pooled({'many': $four, 'few': $four[:3]})")" "bias of all: +0.50 ± 1.52 (1 programs, 4 pairs)
None"
is "and its row has no interval" "$(bench "row_of('few', $four[:3])[0]")" \
	"few              3     1.33 ±    -     2.00      1.00    +0.67 ±    -  NOT"
mkdir "$TMP/here" "$TMP/there"
for folder in here there; do
	echo "int main(void) { return 0; }" >"$TMP/$folder/a.c"
	(cd "$TMP/$folder" && "${CC:-cc}" -g -o a "$TMP/$folder/a.c")
done
is "code is the same wherever it was built" "$(bench "code_of('$TMP/here/a') == code_of('$TMP/there/a')")" True
echo "int main(void) { return 1; }" >"$TMP/there/a.c"
"${CC:-cc}" -g -o "$TMP/there/a" "$TMP/there/a.c"
is "other code is not" "$(bench "code_of('$TMP/here/a') == code_of('$TMP/there/a')")" False

done_testing
