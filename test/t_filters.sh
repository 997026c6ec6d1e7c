#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Filters of a report by class, method, site, access, time and thread; columns; the percent limit.
# test/make_data.c makes the recording; for threads, test/jvm/Named.java is recorded.
. "$(dirname "$0")/lib.sh"

unset COLUMNS NO_COLOR
export LC_ALL=C.UTF-8
compile_make_data
data=$TMP/ojx.data
"$make_data" full "$data" || exit 1

report()
{
	run "$OJX" report -i "$data" "$@"
}

# sites ARGUMENT...: the contexts of a JSON report with these arguments, as "class<innermost
# frame<caller", sorted
sites()
{
	report --format=json "$@"
	json "$TMP/out" "' '.join(sorted(c['class'].split('.')[-1] + '<' +
		'<'.join(f['method'] for f in c['alloc_stack']) for c in r['contexts']))"
}

all="Order<grow<load Point<grow<load Point<grow<load Point<grow<store byte[]<grow<store"
is "no filter: all contexts" "$(sites)" "$all"
is "--site: the frame that allocates" "$(sites --site ArrayList.grow)" "$all"
is "--site: the program's own frame" "$(sites --site com.acme.Shop.store)" \
	"Point<grow<store byte[]<grow<store"
is "--site: as a file and line" "$(sites --site Shop.java:20)" \
	"Order<grow<load Point<grow<load Point<grow<load"
is "--site: a glob" "$(sites --site 'Shop.java:3*')" "Point<grow<store byte[]<grow<store"
is "--site: neither" "$(sites --site Shop.main)" ""
is "--access: where they are used" "$(sites --access Shop.main)" "$all"
is "--access: where they are made" "$(sites --access Shop.load)" ""
is "--site and --class" "$(sites --site Shop.store --class 'byte[]')" "byte[]<grow<store"

report --site nowhere
is "nothing selected: exit status 0" "$status" 0
like "nothing selected: which options" "$TMP/out" "no allocation context was selected: .*--site"
run "$OJX" report -i "$data" --format=csv --site Shop.store
is "the exports are filtered" "$(grep -c store "$TMP/out")" "$(($(wc -l <"$TMP/out") - 1))"
run "$OJX" diff --site Shop.store --all --format=json "$data" "$data"
is "diff --site" "$(json "$TMP/out" "len(r['contexts'])")" 2
run "$OJX" diff --access Shop.load --all --format=json "$data" "$data"
is "diff --access" "$(json "$TMP/out" "len(r['contexts'])")" 0

# ---- findings beside contexts: wasteful accesses, locality ----------------------------------

"$make_data" findings "$TMP/findings" || exit 1

# findings ARGUMENT...: the numbers of pairs of each kind, of followed objects and of others in a
# report with these arguments
findings()
{
	run "$OJX" report -i "$TMP/findings" --format=json "$@"
	json "$TMP/out" "[len(w['pairs']) for w in r['waste']], len(r['locality']),
		[len(t['others']) for t in r['locality_totals']], [round(w['fraction'], 2) for w in r['waste']]"
}

is "findings: all" "$(findings)" "([4, 2, 2], 4, [2, 0], [0.48, 1, 0.96])"
is "findings: nothing is said of filters" "$(cat "$TMP/err")" ""
is "findings: --class selects objects, and fractions are of all" "$(findings --class '*.Point')" \
	"([4, 2, 2], 4, [0, 0], [0.48, 1, 0.96])"
is "findings: --class does not select pairs" "$(cat "$TMP/err")" \
	"ojx: --class does not select wasteful accesses: only their code is known"
is "findings: another class" "$(findings --class 'byte[]')" "([4, 2, 2], 0, [2, 0], [0.48, 1, 0.96])"
is "findings: --site" "$(findings --site Shop.load)" "([4, 2, 2], 4, [0, 0], [0.48, 1, 0.96])"
is "findings: --site elsewhere" "$(findings --site Shop.store --class x)" "([4, 2, 2], 0, [0, 0], [0.48, 1, 0.96])"
like "findings: --site does not select pairs" "$TMP/err" "^ojx: --class and --site do not select wasteful accesses"
is "findings: --access, of pairs either place" "$(findings --access Shop.load)" "([2, 2, 0], 2, [0, 0], [0.48, 1, 0.96])"
is "findings: of it nothing has to be said" "$(cat "$TMP/err")" ""
is "findings: --method, of pairs either stack" "$(findings --method '*.ArrayList.grow')" \
	"([4, 2, 0], 4, [0, 0], [0.48, 1, 0.96])"
is "findings: --limit" "$(findings --limit 1)" "([1, 1, 1], 2, [1, 0], [0.48, 1, 0.96])"
is "findings: --percent-limit" "$(findings --percent-limit 12)" "([2, 2, 2], 4, [0, 0], [0.48, 1, 0.96])"
run "$OJX" report --stdio -i "$TMP/findings" --access Shop.load --limit 1 --details
like "findings: the text says what is beyond the limit" "$TMP/out" "… 1 pair of places more; --limit 0 shows all"
like "findings: the text says what was not selected" "$TMP/out" "… 2 pairs of places not selected"
like "findings: so of locality" "$TMP/out" "… 2 contexts not selected"
run "$OJX" report --stdio -i "$TMP/findings" --percent-limit 12 --details
like "findings: and what is small" "$TMP/out" "… 2 pairs of places below --percent-limit"
run "$OJX" report -i "$TMP/findings" --format=csv --metric=dead-store --access Shop.load
is "findings: CSV of pairs" "$(wc -l <"$TMP/out")" 3
run "$OJX" report -i "$TMP/findings" --format=csv --metric=locality --class 'byte[]'
is "findings: CSV of locality" "$(wc -l <"$TMP/out")" 1
run "$OJX" report -i "$TMP/findings" --format=collapsed --metric=dead-store --access Shop.load --limit 1
is "findings: folded stacks" "$(wc -l <"$TMP/out")" 1
run "$OJX" report -i "$TMP/findings" --format=html --access Shop.load --class='*.Point' -o "$TMP/findings.html"
like "findings: HTML says what does not apply" "$TMP/err" "^ojx: --class does not select wasteful accesses"
run "$OJX" annotate -i "$TMP/findings" --class=none --access Shop.main
unlike "findings: annotate has no pairs of other places" "$TMP/out" "Shop.java:[23]0"
like "findings: annotate has those of the place" "$TMP/out" "Shop.java:40"
like "findings: annotate says what does not apply" "$TMP/err" "^ojx: --class does not select wasteful accesses"

# ---- time -----------------------------------------------------------------------------------

# test/unit/test_selection.c tests parts of a recording; here are the whole, and nothing.
is "--time: all of it" "$(sites --time 0s,1h)" "$all"
report --format=json
cp "$TMP/out" "$TMP/whole"
report --format=json --time ,1h
is "--time: all of it: the same figures" "$(json "$TMP/out" "[c['replica'] for c in r['contexts']]" |
	sed -E "s/'saved(_objects)?_per_s': [^,]*,//g")" \
	"$(json "$TMP/whole" "[c['replica'] for c in r['contexts']]" | sed -E "s/'saved(_objects)?_per_s': [^,]*,//g")"
report --time 0s,1h
like "--time: the header says what is shown" "$TMP/out" "^# time +shows only 0.0 s to [0-9]"
report --time 1h,
is "--time: nothing: exit status 1" "$status" 1
like "--time: nothing: says so" "$TMP/err" "^ojx: '.*': nothing was recorded in that time"
for bad in 5s 5s,4s x,y ''; do
	report --time "$bad"
	is "--time '$bad': exit status 2" "$status" 2
	like "--time '$bad': says what it is" "$TMP/err" "^ojx: --time: '$bad' is not FROM,TO"
done
run "$OJX" annotate -i "$data" --time 1h,
is "annotate --time: nothing: exit status 1" "$status" 1
run "$OJX" annotate -i "$data" --time ,1h
like "annotate --time" "$TMP/out" "Shop.java:20"
run "$OJX" diff --time ,1h "$data" "$data"
is "diff --time" "$status" 0

# ---- columns --------------------------------------------------------------------------------

report --fields=class,saved,site
is "--fields: exit status 0" "$status" 0
is "--fields: these columns in this order" "$(grep -m 1 "^ *class" "$TMP/out" | tr -s " ")" \
	"class saved site"
unlike "--fields: no blocks" "$TMP/out" "verdict"
is "--fields: a line each" "$(grep -c ArrayList.grow:10 "$TMP/out")" 5
COLUMNS=30 report --fields=class,objects,bytes,theta
like "--fields: none is left out on a narrow terminal" "$TMP/out" "class +objects +bytes +θ"
report -F '#,identical'
like "-F: columns that are not shown by default" "$TMP/out" "^ *# +identical"
report --fields=help
is "--fields=help: exit status 0" "$status" 0
for name in '#' pid saved identical verdict class site; do
	like "--fields=help: $name" "$TMP/out" "^- $name: [a-zA-Z]"
done
report --fields=class,colour
is "--fields: an unknown column: exit status 2" "$status" 2
like "--fields: an unknown column: says which there are" "$TMP/err" \
	"^ojx: --fields: 'colour' is not one of: #, pid, saved, .*, site"
report --fields=,
is "--fields: no column: exit status 2" "$status" 2
report --fields=class --format=json
is "--fields with JSON: exit status 2" "$status" 2

# ---- limit ----------------------------------------------------------------------------------

# All rows of the JSON report, and those with at least 5 % of all bytes
report --format=json --sort=bytes
want=$(json "$TMP/out" "(lambda b: sum(x >= 0.05 * sum(b) for x in b))([c['bytes'] for c in r['contexts']])")
report --format=json --sort=bytes --percent-limit=5
is "--percent-limit: of the sum" "$(json "$TMP/out" "len(r['contexts'])")" "$want"
check "--percent-limit: leaves some out, and some in" test "$want" -gt 0 -a "$want" -lt 5
report --sort=bytes --percent-limit=5
like "--percent-limit: says how many" "$TMP/out" "^# $((5 - want)) lines? below --percent-limit"
unlike "--percent-limit: is no other limit" "$TMP/out" "more line"
report --format=json --sort=theta --percent-limit=50
is "--percent-limit: a share itself" \
	"$(json "$TMP/out" "all(c['replica']['theta_ci'][0] >= 0.5 for c in r['contexts']) and
		len(r['contexts']) in (1, 2, 3)")" True
report --percent-limit=101
is "--percent-limit: out of range: exit status 2" "$status" 2

# ---- threads --------------------------------------------------------------------------------

report --thread main
is "--thread: a recording that tells no threads: exit status 1" "$status" 1
like "--thread: a recording that tells no threads: says so" "$TMP/err" \
	"^ojx: '.*' does not say which thread did what"
is "--thread: a recording that tells no threads: nothing is shown" "$(wc -c <"$TMP/out")" 0

count=400000
find_jdks
use_classes

# named ARGUMENT...: classes of the program in a JSON report with these arguments, sorted
named()
{
	report --format=json "$@"
	cp "$TMP/out" "$TMP/part"
	json "$TMP/out" "' '.join(sorted(c['class'].split('\$')[1] for c in r['contexts']
		if c['class'].startswith('Named\$') and 'Lambda' not in c['class']))"
}

# of CLASS EXPRESSION: evaluated over the only context of the class in the last report of `named`
of()
{
	json "$TMP/part" "(lambda c: $2)([c for c in r['contexts'] if c['class'] == 'Named\$$1'][0])"
}

# lost: how many samples found no room
lost()
{
	json "$TMP/part" "r['recording']['lost_events']"
}

# record [ARGUMENT...]: records Named
record()
{
	rm -f "$data"
	run "$OJX" record -q --interval 8k --budget 100 -o "$data" "$home/bin/java" -Xmx64m -cp "$classes" Named $count "$@"
	is "$jdk: recorded" "$status" 0
}

# What each thread makes, whatever is seen of its contents.
threads()
{
	is "$jdk: no --thread" "$(named)" "Handed Other Own Shared"
	whole=$(of Shared "c['sampled']")
	is "$jdk: --thread '*': the same" "$(named --thread '*')" "Handed Other Own Shared"
	is "$jdk: --thread '*': all of it" "$(of Shared "c['sampled']")" "$whole"
	is "$jdk: --thread alpha" "$(named --thread alpha)" "Own"
	is "$jdk: --thread beta" "$(named --thread beta)" "Other"
	is "$jdk: --thread '[ab]*'" "$(named --thread '[ab]*')" "Other Own"
	is "$jdk: --thread left: the shared context" "$(named --thread left)" "Shared"
	left=$(of Shared "c['sampled']")
	is "$jdk: left's are so many" \
		"$(of Shared "abs(c['objects'] / $count - 1) < 5 / c['sampled'] ** .5 + $(lost) / c['sampled']")" True
	is "$jdk: --thread right: the shared context" "$(named --thread right)" "Shared"
	is "$jdk: left and right are the whole" "$((left + $(of Shared "c['sampled']")))" "$whole"
	is "$jdk: --thread maker: what it made, whoever uses it" "$(named --thread maker)" "Handed"
	is "$jdk: --thread user: made nothing" "$(named --thread user)" ""
	is "$jdk: --thread and --class" "$(named --thread '[ab]*' --class 'Named*Own')" "Own"
	is "$jdk: --thread and --time" "$(named --thread alpha --time ,1h)" "Own"
	report --thread alpha
	like "$jdk: the header says what is shown" "$TMP/out" "^# thread +shows only what threads named 'alpha'"
	report --format=csv --thread beta
	is "$jdk: the exports are filtered" "$(grep -c 'Named\$O' "$TMP/out") $(grep -c 'Named\$Other' "$TMP/out")" \
		"1 1"
	run "$OJX" annotate -i "$data" --thread beta
	like "$jdk: annotate --thread" "$TMP/out" "Named.java:$(grep -n 'new Other()' "$TOP/test/jvm/Named.java" | cut -d: -f1)"
	unlike "$jdk: annotate --thread: not the others" "$TMP/out" \
		"Named.java:$(grep -n 'new Own()' "$TOP/test/jvm/Named.java" | cut -d: -f1)"
	run "$OJX" diff --thread left --all --format=json "$data" "$data"
	is "$jdk: diff --thread" "$(json "$TMP/out" "[c['class'] for c in r['contexts']
		if c['class'].startswith('Named\$') and 'Lambda' not in c['class']]")" "['Named\$Shared']"
	report --format=json
	is "$jdk: JSON has the names of threads" "$(json "$TMP/out" \
		"[n for n in ('alpha', 'beta', 'maker') if r['recording']['jvms'][0]['threads'].count(n) == 1]")" \
		"['alpha', 'beta', 'maker']"
	report --thread alpga
	is "$jdk: no such thread: exit status 1" "$status" 1
	like "$jdk: no such thread: says so" "$TMP/err" "^ojx: '.*': no thread has a name that matches 'alpga'"
	for thread in alpha maker; do
		like "$jdk: no such thread: says which there are: $thread" "$TMP/err" \
			"^ojx: threads of the recording: .*'$thread'"
	done
}

# What contents are seen depends on pauses, so that is asked of a recording that is kept (`test/t_filters.sh keep` writes it anew),
# and by `make soak` of new ones.
contents()
{
	named >/dev/null
	check "$jdk: left and right share a context, part of which is alike" \
		test "$(of Shared "0.05 < c['replica']['theta'] < 0.7")" = True
	named --thread left >/dev/null
	is "$jdk: left's objects are all alike" \
		"$(of Shared "c['replica']['pairs'] > 20 and c['replica']['theta'] == 1")" True
	named --thread right >/dev/null
	is "$jdk: right's objects are all different" \
		"$(of Shared "c['replica']['pairs'] > 20 and c['replica']['theta'] < 0.05")" True
	named --thread maker >/dev/null
	is "$jdk: --thread maker: the contents are those that were used or seen" \
		"$(of Handed "c['replica']['pairs'] > 10 and c['replica']['theta'] == 1")" True
}

home=${jdks[0]}
jdk=kept
data=$TMP/named.data
if ! soaking; then
	recorded named record
	contents
fi
! keeping || done_testing

for home in "${jdks[@]}"; do
	jdk=jdk$(version_of "$home")
	record
	threads
	! soaking || contents
	if [ "${jdk#jdk}" -ge 21 ]; then
		record virtual
		is "$jdk: virtual threads are one" "$(named --thread 'virtual threads')" "Own"
		is "$jdk: virtual threads are not their carriers" "$(named --thread main)" ""
	else
		skip "$jdk: virtual threads are one" "this JVM has none"
	fi
done
done_testing
