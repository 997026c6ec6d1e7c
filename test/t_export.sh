#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The exports of `ojx report`, parsed as their readers do and compared with the JSON report:
# recordings made by test/make_data.c, and one of a program that recurses, on the first JDK. `make
# readers` runs other projects' readers.
. "$(dirname "$0")/lib.sh"

unset COLUMNS PAGER OJX_PAGER
export LC_ALL=C.UTF-8 PYTHONPATH=$TMP PYTHONDONTWRITEBYTECODE=1
compile_make_data
# The Python that has the Debian packages; another may come first in the PATH.
for python in python3 /usr/bin/python3 ""; do
	"$python" -c "import google.protobuf, jsonschema" 2>"$TMP/err" && break
done
[ -n "$python" ] || { echo "not ok python3-protobuf or python3-jsonschema is missing"; exit 1; }
protoc --proto_path="$TOP/test" --python_out="$TMP" profile.proto otlp.proto || exit 1

formats="csv collapsed speedscope pprof jfr dhat ndjson openmetrics otlp"
findings="locality dead-store silent-store silent-load"
metrics="objects bytes saved avoidable samples accesses $findings"

# JDKs that have the reader of JFR; most recordings are read by the first one only.
mapfile -t readers < <("$TOP/agent/jdks.sh" | while read -r jdk; do [ -x "$jdk/bin/jfr" ] && echo "$jdk"; done)

report()
{
	run "$OJX" report "$@"
}

# ---- contents ---------------------------------------------------------------------------------

# compare TITLE RECORDING [OPTION...]: compares every format with JSON, with the same options; keeps
# the files as $TMP/TITLE.FORMAT
compare()
{
	local title=$1 data=$2 as status=0 list=() by= whole
	shift 2
	: >"$TMP/err"
	for as in json $formats; do
		whole=()
		case $as in
		json) whole=(--details) ;;	  # or, with --limit, JSON is short
		openmetrics) whole=(--limit=0) ;; # by default it has not all
		esac
		"$OJX" report -i "$data" --format="$as" ${whole[@]+"${whole[@]}"} "$@" >"$TMP/$title.$as" 2>>"$TMP/err" || status=$?
		case $as in
		json) ;;
		jfr) [ ${#readers[@]} = 0 ] || list+=("jfr:${readers[0]}=$TMP/$title.jfr") ;;
		*) list+=("$as=$TMP/$title.$as") ;;
		esac
	done
	for as in $metrics; do
		"$OJX" report -i "$data" --format=collapsed --metric="$as" "$@" >"$TMP/$title.$as" \
			2>>"$TMP/err" || status=$?
		list+=("collapsed:$as=$TMP/$title.$as")
	done
	for as in avoidable $findings; do
		"$OJX" report -i "$data" --format=csv --metric="$as" "$@" >"$TMP/$title.$as.csv" \
			2>>"$TMP/err" || status=$?
		list+=("csv:$as=$TMP/$title.$as.csv")
	done
	[[ " $* " == *" --group-by=line "* ]] && by=--line
	is "$title: exit status 0" "$status" 0
	is "$title: nothing said" "$(grep -v "nothing to count" "$TMP/err")" ""
	check "$title: all formats say what the report does" \
		"$python" "$TOP/test/exports.py" $by "$TMP/$title.json" "${list[@]}"
}

test_made()
{
	"$make_data" full "$TMP/full" || exit 1
	compare full "$TMP/full"
	compare sites "$TMP/full" --group-by=site
	compare lines "$TMP/full" --group-by=line
	"$make_data" secrets "$TMP/data" || exit 1
	compare secrets "$TMP/data"
	like "by line: the line, and what it makes" "$TMP/lines.collapsed" \
		'^\[JVM 4711\];com/acme/Shop\.load:20;com\.acme\.Point_\[i\] 2400000$'
	"$OJX" dump --chunks "$TMP/full" >"$TMP/text"
	{
		sed 1q "$TMP/text"
		cat <<'TEXT'
label jvm=0 flags=1 name="team" value="=a \"b\", c\\d"
label jvm=0 flags=0 name="host" value="web-1"
label jvm=1 flags=0 name="version" value="1.2"
label jvm=2 flags=0 name="version" value="1.3"
label jvm=2 flags=0 name="service.name" value="shop"
TEXT
		sed 1d "$TMP/text"
	} | "$make_data" text "$TMP/labels" || exit 1
	compare labels "$TMP/labels"
	compare all-labels "$TMP/labels" --command-line=full
	like "OpenMetrics: labels" "$TMP/labels.openmetrics" '^ojx_finding_avoidable_bytes\{program="Shop",team="=a \\"b\\", c\\\\d",version="1\.3",service_name="shop",rule='
	unlike "OpenMetrics: none of one run" "$TMP/all-labels.openmetrics" 'host|web-1'
	"$OJX" dump --chunks "$TMP/full" >"$TMP/text"
	{
		sed 1q "$TMP/text"
		for label in program=1 label_program=2 rule=3 a.b=4 a_b=5 a-b=6 process.pid=7 \
			label.process.pid=8 service=9 service.name=10 label_a_b=11; do
			echo "label jvm=0 flags=1 name=\"${label%=*}\" value=\"${label#*=}\""
		done
		sed 1d "$TMP/text"
	} | "$make_data" text "$TMP/clash" || exit 1
	compare clash "$TMP/clash"
	like "OpenMetrics: no name is there twice" "$TMP/clash.openmetrics" \
		'\{program="Shop",label_program="1",label_label_program="2",label_rule="3",a_b="4",label_a_b="5",label_label_a_b="6",process_pid="7"'
	compare two "$TMP/full" --limit=2 --class='com.acme.Point'
	like "two JVMs: stacks tell" "$TMP/full.collapsed" '^\[JVM 4712\];'
	"$make_data" findings "$TMP/findings" || exit 1
	compare findings "$TMP/findings"
	like "wasted bytes: one stack, the second access below the first" "$TMP/findings.dead-store" \
		'^\[JVM 4712\];com/acme/Shop.load:20;java/util/ArrayList.grow:10;\[stored again, unread, at\];com/acme/Shop.store:30;java/util/ArrayList.grow:10 240$'
	like "locality: accesses below the allocation" "$TMP/findings.locality" \
		'^\[JVM 4711\];\[time\];com/acme/Shop.load:20;java/util/ArrayList.grow:10;com.acme.Point_\[i\];\[accessed at\];com/acme/Shop.main:40 60$'
	like "locality: other ways of sampling apart" "$TMP/findings.locality" '^\[JVM 4711\];\[page faults\];.* 15$'
	is "csv of pairs: the most wasteful first" "$(cut -d, -f1-4 "$TMP/findings.silent-load.csv" | tr -d '\r' | tr '\n' ' ')" \
		"kind,pid,count,wasted_bytes silent-load,4712,94,376 silent-load,4711,47,188 "
	"$make_data" hostile "$TMP/data" || exit 1
	compare hostile "$TMP/data" --command-line=full
	"$make_data" signs "$TMP/data" || exit 1
	compare signs "$TMP/data" --command-line=full
	"$make_data" no-jvm "$TMP/empty" || exit 1
	"$OJX" report -i "$TMP/empty" -o "$TMP/empty.jfr" 2>"$TMP/err"
}

# JDK Flight Recorder: every JDK opens the file, and says what is in it.
test_jfr()
{
	local jdk title
	[ ${#readers[@]} -gt 0 ] || { skip "jfr" "no JDK with the program jfr"; return; }
	for jdk in "${readers[@]}"; do
		for title in findings hostile; do
			check "$title, $jdk: as the report" \
				"$python" "$TOP/test/exports.py" "$TMP/$title.json" "jfr:$jdk=$TMP/$title.jfr"
		done
		run "$jdk/bin/jfr" summary "$TMP/findings.jfr"
		like "$jdk: summary" "$TMP/out" "ojx.WastePairs +8 "
		like "$jdk: summary, the duration" "$TMP/out" "Duration: 2 s"
		run "$jdk/bin/jfr" metadata "$TMP/findings.jfr"
		like "$jdk: metadata" "$TMP/out" '^class WastePairs extends jdk.jfr.Event'
		like "$jdk: metadata, units" "$TMP/out" '@DataAmount\("BYTES"\)'
		run "$jdk/bin/jfr" print --events ojx.Finding "$TMP/findings.jfr"
		like "$jdk: print, a share" "$TMP/out" "share = 41.61%"
		like "$jdk: print, the rule" "$TMP/out" 'rule = "same-result"'
		like "$jdk: print, bytes" "$TMP/out" "bytes = 2.3 MB"
		run "$jdk/bin/jfr" print --events ojx.Allocation "$TMP/findings.jfr"
		like "$jdk: print, not measured" "$TMP/out" "alpha = N/A"
		run "$jdk/bin/jfr" view allocation-by-class "$TMP/findings.jfr"
		if [ $status = 0 ]; then
			like "$jdk: the JDK's own view" "$TMP/out" "com.acme.Point +87.39%"
		else
			skip "$jdk: the JDK's own view" "it has none"
		fi
	done
	run "${readers[0]}/bin/jfr" summary "$TMP/empty.jfr"
	like "no JVM: a recording without rows" "$TMP/out" "ojx.Recording +1 "
}

test_recorded()
{
	local jdk
	jdk=$("$TOP/agent/jdks.sh" | head -n 1)
	"$jdk/bin/javac" -nowarn --release 11 -g -d "$TMP/classes" \
		"$TOP"/test/planted/{Planted,Item,Recursion}.java || exit 1
	run "$OJX" record -o "$TMP/recorded" --seed=1 -- "$jdk/bin/java" -cp "$TMP/classes" Recursion 300000 1
	is "a recording: exit status 0" "$status" 0
	compare recorded "$TMP/recorded"
	like "a recording: cycles that repeat" "$TMP/recorded.collapsed" ';\[recursion of [12] frames?\];'
	run "$OJX" record -o "$TMP/cut" --seed=1 --max-stack=2 -- "$jdk/bin/java" -cp "$TMP/classes" Recursion 300000 1
	compare cut "$TMP/cut"
	like "a recording: stacks that are cut" "$TMP/cut.collapsed" '^\[stack cut\];'
	[ ${#readers[@]} -gt 0 ] || return
	run "$OJX" record -o "$TMP/lives" --seed=1 -e replica,lifetime,equality -- \
		"$jdk/bin/java" -Xmx64m -cp "$TMP/classes" Recursion 300000 1
	for as in json jfr; do
		report -i "$TMP/lives" -o "$TMP/lives.$as"
	done
	check "a recording of lives: jfr says what the report does" \
		"$python" "$TOP/test/exports.py" "$TMP/lives.json" "jfr:${readers[0]}=$TMP/lives.jfr"
}

# ---- the command ------------------------------------------------------------------------------

test_command()
{
	report -i "$TMP/full" --format=collapsed --metric=size
	is "unknown metric: exit status 2" "$status" 2
	like "unknown metric: says so" "$TMP/err" \
		"^ojx: --metric: 'size' is not one of: objects, bytes, saved, avoidable, samples, accesses, dead-store, "
	for name in x.csv x.collapsed x.speedscope.json x.pb.gz x.jfr x.dhat.json; do
		report -i "$TMP/full" -o "$TMP/$name"
		is "-o $name: exit status 0" "$status" 0
	done
	check "-o x.pb.gz: as on standard output" cmp "$TMP/x.pb.gz" "$TMP/full.pprof"
	check "-o x.jfr: as on standard output" cmp "$TMP/x.jfr" "$TMP/full.jfr"
	check "-o x.csv: as on standard output" cmp "$TMP/x.csv" "$TMP/full.csv"
	report -i "$TMP/full" --format=pprof -o -
	check "-o -: standard output" cmp "$TMP/x.pb.gz" "$TMP/out"
	report -i "$TMP/full" --format=speedscope --metric=saved
	is "--metric: shown first" "$(json "$TMP/out" "r['profiles'][r['activeProfileIndex']]['name']")" saved

	on_terminal "$OJX" report -i "$TMP/full" --format=pprof </dev/null
	is "pprof on a terminal: exit status 2" $? 2
	is "pprof on a terminal: says so" "$(tr -d '\r' <"$TMP/out")" \
		"ojx: pprof is not for a terminal: write it to a file, such as -o ojx.pb.gz"
	on_terminal "$OJX" report -i "$TMP/full" --format=jfr </dev/null
	is "jfr on a terminal: exit status 2" $? 2
	on_terminal "$OJX" report -i "$TMP/full" --format=pprof -o "$TMP/y.pb.gz" </dev/null
	is "pprof into a file, from a terminal: exit status 0" $? 0
	on_terminal "$OJX" report -i "$TMP/full" --format=csv </dev/null
	like "csv on a terminal" "$TMP/out" "^class,pid,"

	report -i "$TMP/full" --format=collapsed --class='byte[]' --metric=saved
	is "nothing to count: exit status 0" "$status" 0
	like "nothing to count: says so" "$TMP/err" "^ojx: there is nothing to count: .* saved"
	for format in $formats; do
		report -i "$TMP/empty" --format=$format
		is "no JVM, $format: exit status 1" "$status" 1
		like "no JVM, $format: says so" "$TMP/err" "no JVM was recorded"
	done
	if [ -c /dev/full ]; then
		for format in $formats; do
			report -i "$TMP/full" --format=$format -o /dev/full
			is "a full disk, $format: exit status 1" "$status" 1
		done
	fi
}

test_made
test_jfr
test_recorded
test_command
done_testing
