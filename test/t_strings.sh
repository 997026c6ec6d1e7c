#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Equal strings, end to end: deep verdicts, values, what deduplication gives back, identity; and no
# text in a recording without --values. Which objects are looked at is a matter of chance and of how long pauses are, so figures
# are asked of recordings that are kept (`test/t_strings.sh keep` writes them anew), and by `make soak` of new ones.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
home=$("$TOP/agent/jdks.sh" | head -n 1)
"$home/bin/javac" -nowarn -d "$TMP" "$TOP/test/jvm/Strings.java" || exit 1

gc=-XX:+UseSerialGC

# record OPTIONS: dense, since the program is short
record()
{
	rm -f "$data"
	run "$OJX" record -o "$data" --interval 64k --budget 100 "$@" -- \
		"$home/bin/java" -Xmx128m $gc -cp "$TMP" Strings 3000000
	is "$gc $*: exit status" "$status" 0
}

make_report()
{
	"$OJX" report --group-by=site --format=json -i "$data" >"$report"
}

# of CLASS METHOD EXPRESSION: evaluated over x, the figures of the CLASS objects that METHOD makes,
# and their bytes
of()
{
	python3 - "$report" "$@" <<'END'
import json, sys
report, kind, method, expression = json.load(open(sys.argv[1])), *sys.argv[2:]
rows = [c for c in report["contexts"] if c["class"] == kind
        and (c["alloc_stack"][0]["class"], c["alloc_stack"][0]["method"]) == tuple(method.rsplit(".", 1))]
print(len(rows) == 1 and eval("(" + expression + ")", {"x": rows[0]["replica"], "bytes": rows[0]["bytes"]}))
END
}

compile_make_data
recorded strings/values record --values
make_report
is "a dominant text: the deep verdict" \
	"$(of java.lang.String Strings.decoded "x['verdict_deep'], x['verdict'] != 'replica'")" "('replica', True)"
is "a dominant text: its share, three quarters" \
	"$(of java.lang.String Strings.decoded "abs(x['largest_group_deep'] - 0.75) < 0.1")" True
is "a dominant text: shown first" "$(of java.lang.String Strings.decoded "x['values'][0]['text'] == 'secret\x1b[2J'
	and abs(x['values'][0]['share'] - 0.75) < 0.1 and not x['values'][0]['cut']")" True
is "a dominant text: at least so many bytes saved, three quarters at most" "$(of java.lang.String Strings.decoded \
	"0.6 < x['saved_bytes_deep'] / bytes < 0.76 < x['saved_bytes_deep_ci'][1] / bytes and x['saved_bytes'] == 0")" True
is "a dominant text: its arrays repeat" "$(of java.lang.String Strings.decoded "x['dedup_bytes'] > 0")" True
is "one array for all: nothing to deduplicate" "$(of java.lang.String Strings.copied \
	"x['verdict_deep'], x['dedup_bytes'] < 0.02 * x['saved_bytes_deep']")" "('replica', True)"
is "no two alike" "$(of java.lang.String java.lang.Long.toString \
	"x['verdict_deep'], x['saved_bytes_deep'], x['dedup_bytes']")" "('distinct', 0, 0)"
is "identity hashes: nothing saved" "$(of java.lang.StringBuilder Strings.hashed \
	"x['identity'] > 0.95, x['saved_bytes_deep'] == 0, x['largest_group_deep'] > 0.99")" "(True, True, True)"

"$OJX" report --all --details --group-by=site -i "$data" >"$TMP/text"
like "text: the deep verdict" "$TMP/text" '^    verdict    replica \(deep\): .*one content dominates'
like "text: the value, escaped" "$TMP/text" '^    values +[67][0-9]\.[0-9] % "secret\\u001b\[2J"$|^    values +8[0-4]\.[0-9] % "secret\\u001b\[2J"$'
unlike "text: no escape sequence" "$TMP/text" $'\x1b'
like "text: identity" "$TMP/text" '^    identity   [0-9.]+ % had their identity hash asked for or were locked'

gc="-XX:+UseG1GC -XX:+UseStringDeduplication"
recorded strings/deduplication record
make_report
"$OJX" report --all --details --group-by=site -i "$data" >"$TMP/text"
like "string deduplication is on: said" "$TMP/text" 'UseStringDeduplication, which is on, '
unlike "string deduplication is on: not advised" "$TMP/text" 'UseStringDeduplication (gives|lets)'
is "without --values: the deep verdict all the same" \
	"$(of java.lang.String Strings.decoded "x['verdict_deep']")" replica
! keeping || done_testing

# ---- live

record
make_report
is "without --values: no text in the report" "$(json "$report" \
	"{c['replica']['values'] is None for c in r['contexts']}")" "{True}"
check "without --values: no text in the recording" sh -c "! grep -q secret '$data'"
"$OJX" dump -i "$data" >"$TMP/dump"
unlike "without --values: none in what it holds" "$TMP/dump" '="secret'
gc=-XX:+UseSerialGC
record --values
"$OJX" dump -i "$data" >"$TMP/dump"
like "with --values: there are some" "$TMP/dump" '="secret'
done_testing
