#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx record -e equality finds which objects of a class have an equal: test/jvm/Equality.java knows. How many windows a live
# recording has, and for how much each stands, depends on the machine. So a live one is asked what its windows hold, and figures
# are asked of a recording that is kept (`test/t_equality.sh keep` writes it anew), or when soaking.
. "$(dirname "$0")/lib.sh"

data=$TMP/ojx.data
report=$TMP/report.json
objects=2000000
interval=16384

find_jdks
use_classes
compile_make_data

# row CLASS EXPRESSION
row()
{
	"$TOP/test/equality.py" row "$report" "$objects" "$interval" "$@" 2>&1
}

record()
{
	run "$OJX" record -v -e equality --interval "$interval" --budget 100 -o "$data" -- \
		"$java" "-XX:+Use${collector}GC" -Xmx64m -cp "$classes" Equality "$objects"
	cp "$TMP/err" "$TMP/record.err"
}

make_report()
{
	"$OJX" report --format=json --limit 0 -i "$data" >"$report" 2>"$TMP/report.err"
}

# What holds of any recording that is long enough to have a row of each class.
live()
{
	is "$title: the program runs" "$status" 0
	like "$title: sampled objects are where they should be" "$TMP/record.err" \
		"windows with .* in 0 the sampled object was not"
	like "$title: no sample is lost" "$TMP/record.err" ', 0 events lost'
	is "$title: windows hold what the program makes" \
		"$("$OJX" dump -i "$data" 2>&1 | "$TOP/test/equality.py" windows 2>&1)" ""
	make_report
	for class in Unique Part Few Holder Hashed; do
		is "$title: as many objects of $class as there are" "$(row "Equality\$$class" "exact(n)")" True
	done
	is "$title: unique objects have no equal" \
		"$(row 'Equality$Unique' "r['equal'] == 0 and r['held_16_ci'][0] == 0 and r['pair_probability'] == 0")" True
	is "$title: no sampled unique object has one, either" "$(row 'Equality$Unique' "all(x['equal'] == 0 for x in l)")" True
	is "$title: identity is used" "$(row 'Equality$Hashed' "r['identity_not_used'] == 'broken'")" True
	is "$title: it is not of others" "$(row 'Equality$Part' "r['identity_not_used'] == 'not seen'")" True
	is "$title: final fields do not change, others may" "$(row 'Equality$Part' "r['never_changed'] == 'held'")" True
	is "$title: that is not observed of others" \
		"$(row 'Equality$Few' "r['never_changed'] == 'not observable'")" True
}

# What is true but for chance.
figures()
{
	is "$title: unique objects have no equal, and few hold little" "$(row 'Equality$Unique' "r['equal'] == 0 and r['held_16'] < 0.03")" True
	is "$title: sampled unique objects have none, either" \
		"$(row 'Equality$Unique' "l[0]['looked_at'] > 0 and l[0]['equal'] == 0")" True
	is "$title: a part has equals" \
		"$(row 'Equality$Part' "near('equal', 0.4) and near('largest', 0.4) and near('pair_probability', 0.16)")" True
	is "$title: 16 contents hold that part" "$(row 'Equality$Part' "near('held_16', 0.4)")" True
	is "$title: few contents" "$(row 'Equality$Few' \
		"near('equal', 1) and within('held_16', 16 / 300) and within('held_256', 256 / 300) and near('held_4096', 1)")" True
	is "$title: two of them are equal as often as they should be" \
		"$(row 'Equality$Few' "abs(r['pair_probability'] * 300 - 1) < 0.1")" True
	is "$title: references are followed" \
		"$(row 'Equality$Holder' "near('held_16', 1) and r['equal'] > 0.97 and r['by_address'] < 0.03")" True
	is "$title: intervals hold the truth" "$(row 'Equality$Part' \
		"r['held_16_ci'][0] <= 0.41 and r['held_16_ci'][1] >= 0.39 and r['equal_ci'][0] <= 0.41")" True
	is "$title: every fourth has a hash code" "$(row 'Equality$Hashed' "abs(r['hashed'] / r['looked_at'] - 0.25) < 0.03")" True
	is "$title: equal arrays" "$(row 'long[]' "near('equal', 1) and r['held_256'] > 0.97")" True
}

if [ "${1:-}" = keep ]; then
	java=${jdks[0]}/bin/java collector=G1
	record
	keep_recording "$data" equality
	exit
fi

kept_recording equality "$data"
make_report
title="the kept recording"
figures

for home in "${jdks[@]}"; do
	java=$home/bin/java
	for collector in Serial Parallel G1; do
		"$java" "-XX:+Use${collector}GC" -version >/dev/null 2>&1 || continue
		title="$(basename "$home"), $collector"
		record
		live
		! soaking || figures
	done
	for collector in Z Shenandoah; do
		"$java" "-XX:+Use${collector}GC" -version >/dev/null 2>&1 || continue
		run "$OJX" record -e equality -o "$data" -- "$java" "-XX:+Use${collector}GC" -Xmx64m \
			-cp "$classes" Equality 500000
		is "$(basename "$home"), $collector: the program runs" "$status" 0
		like "$(basename "$home"), $collector: it is said that nothing is compared" "$TMP/err" \
			"equal objects of all classes are not looked for: of this collector"
	done
done

"$OJX" report -i "$data" >"$TMP/text" 2>&1
is "a recording without windows has a report" $? 0
like "and says why there is nothing" "$TMP/text" "note .*of this collector"
done_testing
