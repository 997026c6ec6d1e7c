#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx report --accept and --write-accepted: what all formats and conditions make of findings that a file accepts.
. "$(dirname "$0")/lib.sh"

compile_make_data
"$make_data" full "$TMP/a.data" && "$make_data" signs "$TMP/signs.data" || exit 1
cd "$TMP" || exit 1

run "$OJX" report -i a.data --write-accepted all.txt
is "--write-accepted: status" "$status" 0
like "the report is there all the same" out 'Shop\.load:20 makes '
is "a key a line, sorted" "$(sed -n 's/  # .*//; /^[^#]/p' all.txt)" \
	"same-result com.acme.Shop.load
same-result com.acme.Shop.store"
like "with amount and place" all.txt '^same-result com\.acme\.Shop\.load  # likely 2\.5 MB, Shop\.java:20$'
is "they are the keys of JSON" "$("$OJX" report -i a.data --format=json | python3 -c 'import json, sys
print(*sorted({x["key"] for x in json.load(sys.stdin)["findings"] if x["key"]}), sep="\n")')" "$(sed -n 's/  # .*//; /^[^#]/p' all.txt)"
echo mine >mine.txt
run "$OJX" report -i a.data --write-accepted mine.txt
is "a file is not overwritten: status" "$status" 2
like "it is said" err "^ojx: --write-accepted: 'mine\.txt' exists already"
is "and it stays" "$(cat mine.txt)" mine

run "$OJX" report -i a.data --accept all.txt --fail-if 'avoidable>0,total.avoidable>0'
is "all are accepted: no condition holds" "$status" 0
is "and nothing is said" "$(cat err)" ""
like "the report says so" out '^No other fix is known\. 3 findings that avoid 4\.8 MB \(87\.4 %\) are accepted\.'
unlike "and tells none" out 'Problem:  ArrayList.grow'

{ echo "# of old code"; echo "same-result com.acme.Shop.load since 2019"; echo "format com.acme.Gone.load"; } >some.txt
run "$OJX" report -i a.data --accept some.txt --fail-if 'avoidable>1MB,total.avoidable>3MB'
is "a new one fails the build" "$status" 3
like "it is named" err "^ojx: 'avoidable>1MB' holds for same-result at Shop\\.store:30: 2\\.2 MB$"
unlike "accepted ones are in no sum" err 'total'
like "a key that nothing has is told" err "^ojx: 'some\\.txt' line 3: 'format com\\.acme\\.Gone\\.load' is not found any more$"
like "others are told as before, without those" out '^The first fix avoids 2\.3 MB \(2\.2 MB to 2\.4 MB, 41\.6 %\), none of it certain\. 2 findings that avoid 2\.5 MB$'
like "how much that is" out '^    \(45\.8 %\) are accepted\.'
run "$OJX" report -i a.data --accept some.txt --class 'com.acme.*'
is "of a part of a recording nothing is stale" "$(cat err)" ""
run "$OJX" report -i a.data --accept some.txt --write-accepted new.txt
is "reasons stay, new ones are added, stale ones go" "$(tail -n +2 new.txt)" \
	"same-result com.acme.Shop.load  # since 2019
same-result com.acme.Shop.store  # likely 2.3 MB, Shop.java:30"

for as in markdown html; do
	"$OJX" report -i a.data --accept some.txt --format=$as >x.$as || exit 1
	like "$as says how many" x.$as '2 findings that avoid 2\.5 MB'
done
"$OJX" report -i a.data --accept some.txt --format=json >x.json 2>err || exit 1
is "json says how many, and has the others" "$(json x.json "(r['accepted']['findings'],
	round(r['accepted']['avoidable_bytes']), r['accepted']['avoidable_ci'][0] < r['accepted']['expected_bytes'],
	[(x['rank'], x['key']) for x in r['findings'] if x['key']])")" \
	"(2, 2639952, True, [(1, 'same-result com.acme.Shop.store')])"

"$OJX" report -i signs.data --write-accepted signs.txt >/dev/null || exit 1
run "$OJX" report -i signs.data --accept signs.txt
like "names of any form are accepted" out '^No other fix is known\. 4 findings '
is "and nothing is stale" "$(cat err)" ""

# findings of other analyses have keys, too
"$make_data" findings "$TMP/b.data" || exit 1
"$OJX" report -i b.data --write-accepted others.txt >/dev/null || exit 1
like "findings of other analyses are written" others.txt '^dead-store com\.acme\.Shop\.load  # likely 39\.1 %, Shop\.java:20$'
is "each key of theirs in JSON is there" "$("$OJX" report -i b.data --format=json | python3 -c 'import json, sys
print(*sorted({f["key"] for s in json.load(sys.stdin)["other_findings"] for f in s["findings"]} - {line.split("  #")[0] for line in open("others.txt")}))')" ""
run "$OJX" report -i b.data --accept others.txt
is "nothing of theirs is stale" "$(cat err)" ""
like "accepted ones are counted" out '^4 findings are accepted\.$'
unlike "and not told" out 'of all stored bytes in vain'
echo "dead-store com.acme.Shop.load  # cleared on purpose" >one.txt
run "$OJX" report -i b.data --accept one.txt
like "the others are told" out '^1\.  Shop\.store:30 stores 4\.3 % of all stored bytes in vain'
like "with those that are accepted" out ' 2 more are accepted\.$'
run "$OJX" report -i b.data --fail-if 'waste.share>10%'
is "a condition on rows holds" "$status" 3
grep -E '^(dead-store com.acme.Shop.load|silent-)' others.txt >large.txt
run "$OJX" report -i b.data --accept large.txt --fail-if 'waste.share>10%'
is "and leaves accepted rows out" "$status" 0
run "$OJX" report -i b.data --accept large.txt --fail-if 'waste.share>1%'
is "but no others" "$status" 3

run "$OJX" report -i a.data --accept nowhere.txt
is "a file that is not there: status" "$status" 2
like "it is said" err "^ojx: --accept 'nowhere\.txt': No such file or directory$"
run "$OJX" report -i a.data --accept mine.txt
is "what is no key: status" "$status" 2
like "its line is named" err "^ojx: --accept 'mine\.txt': line 1 is not the key of a finding"
is "and nothing is shown" "$(cat out)" ""
done_testing
