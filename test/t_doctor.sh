#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx doctor and ojx list: what they say agrees with what this machine does, also under a filter
# that forbids it.
. "$(dirname "$0")/lib.sh"

deny=$TOP/build/deny-perf
find_jdks

# entry FIELD CHECK: from the JSON of doctor in $TMP/out
entry()
{
	json "$TMP/out" "[c['$1'] for c in r['checks'] if c['check'].startswith('$2')][0]"
}

# available NAME: from the JSON of list in $TMP/out
available()
{
	json "$TMP/out" "[(c['available'], bool(c['why_not'])) for c in r['list'] if c['name'] == '$1']"
}

test_doctor()
{
	run "$OJX" doctor
	is "doctor: ojx can record where its tests do" "$status" 0
	like "it says so" "$TMP/out" '^ojx can record here\.$'
	is "each line begins with a state" \
		"$(grep -cvE '^(ok|lacking|failed)  +[A-Za-z]|^ {27}[^ ]|^$|^ojx can record here' "$TMP/out")" 0
	like "the agent is found" "$TMP/out" '^ok +agent +/.*/libojx-agent\.so$'
	for home in "${jdks[@]}"; do
		[[ $home = /usr/lib/jvm/* ]] || continue
		like "$home is recorded" "$TMP/out" "^(ok|lacking) +JDK [0-9.]+ +$home: recorded"
	done
	is "nothing is left behind" "$(ls -A "$TMP" | tr '\n' ' ')" "err out "

	cp "$TMP/out" "$TMP/said"
	HOME=$(dirname "$(dirname "$OJX")") run "$OJX" doctor --report "$TMP/report"
	check "--report: the same on the screen" diff "$TMP/said" "$TMP/out"
	is "and in the file, behind the facts of version -v" "$(sed '1,/^$/d' "$TMP/report" | wc -l)" "$(wc -l <"$TMP/out")"
	like "the facts" "$TMP/report" "^system .*$(uname -r)"
	like "the user's folder is not named" "$TMP/report" "^ok +agent +~/$(basename "$(dirname "$OJX")")/libojx-agent\.so\$"
	run "$OJX" doctor --report "$TMP/none/report"
	is "a file that cannot be written is an error" "$status" 1
	like "it is named" "$TMP/err" "^ojx: cannot write '.*/none/report': No such file"
	rm "$TMP/said" "$TMP/report"
	run "$OJX" doctor --format=json
	is "as JSON: can_record" "$(json "$TMP/out" "r['can_record']")" True
	is "as JSON: the kernel is named, and the processor" "$(entry found kernel)" "$(uname -s) $(uname -r), $(uname -m)"
	if setarch linux32 true 2>/dev/null; then
		run setarch linux32 "$OJX" doctor --format=json
		is "where the kernel names another processor: that of ojx" "$(entry state kernel) $(entry found kernel)" \
			"ok $(uname -s) $(uname -r), $(uname -m)"
	else
		skip "where the kernel names another processor" "setarch linux32 does not work here"
	fi
	run "$OJX" doctor --format=xml
	is "an unknown format is an error of usage" "$status" 2
	run "$OJX" doctor more
	is "and so is an operand" "$status" 2
}

test_version()
{
	run "$OJX" version
	is "version: one line" "$(grep -cE '^ojx [0-9]+\.[0-9]+\.[0-9]+$' "$TMP/out") $(wc -l <"$TMP/out")" "1 1"
	run "$OJX" version -v
	is "-v: a value for each fact" "$(grep -cE '^[a-zC ]{10}  [^ ]' "$TMP/out")" 6
	like "the commit, and the processor" "$TMP/out" \
		"^built +commit $(git -C "$TOP" rev-parse --short=12 HEAD 2>/dev/null || echo unknown), for $(uname -m), "
	like "libraries" "$TMP/out" '^libraries +Capstone [0-9]+\.[0-9]+, libpfm [0-9]+\.[0-9]+, '
	run "$OJX" version now
	is "an operand is an error of usage" "$status" 2
}

# doctor says of debug registers what a recording has.
test_agreement()
{
	run "$OJX" doctor --format=json
	local said=$(entry state 'debug registers')
	run "$OJX" list --format=json
	case $said in
	ok) is "list agrees on the watch" "$(available watch)" "[(True, False)]" ;;
	*) is "list agrees on the watch" "$(available watch)" "[(False, True)]" ;;
	esac
}

test_denied()
{
	run "$deny" "$OJX" doctor --format=json
	is "without perf_event_open ojx can record all the same" "$status" 0
	is "perf events are lacking" "$(entry state 'perf events')" lacking
	is "debug registers are lacking" "$(entry state 'debug registers')" lacking
	is "it is said what to do" "$(entry advice 'debug registers' | grep -ciE 'PERFMON|paranoid')" 1
	is "a JDK has the scan alone" "$(entry found 'JDK' | grep -c 'recorded, scan$')" 1
	is "the filter is seen" "$(entry found 'seccomp')" "a filter is in force; no_new_privs is set"
	run "$deny" "$OJX" list --format=json
	is "list: no watch, and why" "$(available watch)" "[(False, True)]"
	is "list: the scan" "$(available scan)" "[(True, False)]"
	is "list: replicas can be found" "$(available replica)" "[(True, False)]"
	is "list: dead stores cannot" "$(available dead-store)" "[(False, True)]"

	run "$deny" --kill "$OJX" doctor --format=json
	is "a filter that kills: doctor lives" "$status" 0
	is "and says so" "$(entry found 'debug registers' | grep -c 'seccomp filter kills')" 1
	run "$deny" --readv "$OJX" doctor --format=json
	is "without process_vm_readv: lacking" "$(entry state 'reading memory')" lacking
	is "and nothing else of it" "$(entry state 'shared memory')" ok
}

# What ojx cannot work without.
test_failed()
{
	mkdir -p "$TMP/alone/bin" "$TMP/empty"
	cp "$OJX" "$TMP/alone/bin/ojx"
	run "$TMP/alone/bin/ojx" doctor
	is "without its agent ojx cannot record" "$status" 1
	like "it says so" "$TMP/out" '^ojx cannot record here\.$'
	like "and why" "$TMP/out" '^failed +agent +neither .* can be read$'
	like "and what to do" "$TMP/out" '^ +build or install ojx again$'
	run env XDG_RUNTIME_DIR=/proc TMPDIR=/proc "$OJX" doctor --format=json
	is "without a folder of its own /tmp will do" "$(entry state 'control socket')" ok
	run bash -c 'ulimit -n 64; exec "$0" doctor --format=json' "$OJX"
	is "few open files are lacking" "$(entry state 'open files')" lacking
}

test_list()
{
	run "$OJX" list
	is "list: status" "$status" 0
	"$OJX" record --help=all | sed -nE '/--event /,/--freq /s/^ +- ([a-z-]+): .*/\1/p' >"$TMP/events"
	check "record names analyses" grep -qx replica "$TMP/events"
	while read -r name; do
		like "list has the analysis $name" "$TMP/out" "^analysis +$name +(yes|no) "
	done <"$TMP/events"
	for name in pebs ibs spe clock page-faults; do
		like "list has the sampler $name" "$TMP/out" "^sampler +$name +(yes|no) "
	done
	like "list has the PMU's events" "$TMP/out" '^event +(cpu-cycles +yes|[0-9]+ of the PMU +no) '
	check "list: a machine without a PMU says so in one row" \
		[ "$(grep -c '^event .* no ' "$TMP/out")" -le 1 ]
	run "$OJX" list --format=json
	is "as JSON: whatever is not available says why" \
		"$(json "$TMP/out" "all(c['available'] != bool(c['why_not']) for c in r['list'])")" True
}

test_version
test_doctor
test_agreement
test_denied
test_failed
test_list
done_testing
