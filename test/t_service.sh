#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Recording as a service: files that follow one another (ojx record --rotate), each of which can be read alone.
#
#      test/t_service.sh [NAME...]: only these parts
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/attach.sh"

"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Counted.java" "$TOP/test/jvm/ComeAndGo.java" || exit 1
files=$TMP/files
mkdir "$files"
pattern=$files/app-%Y%m%dT%H%M%S.data

test_usage()
{
	local row title options message
	while IFS='|' read -r title options message; do
		run "$OJX" record $options -- true
		is "$title: 125" "$status" 125
		like "$title: says so" "$TMP/err" "^ojx: $message"
	done <<'END'
neither time nor size|--rotate 10|--rotate: '10' is no time \(10m, 1h, 1d\) and no size
a time that is too short|--rotate 10ms|--rotate: '10ms' is no time
a size that no file gets near|--rotate 1G|--rotate: '1G' is more than half of --max-size
a name without a time|--rotate 10m -o a.data|--rotate: the name 'a.data' has no time
a code that there is not|-o a-%q.data|--output 'a-%q.data': '%q' is none of
a code in a folder|-o %Y/a.data|--output '%Y/a.data': the name of a folder cannot have '%Y'
%p without a JVM|-o a-%p.data|--output 'a-%p.data': %p is the process id of the JVM
--wait alone|--wait|--wait needs --pid, a pattern of the JVMs to wait for
--attach and -p|--attach -p 1|--attach is for the JVMs of a command and excludes --pid
--attach and --exact|--attach --exact|--attach excludes --exact
several recordings into a pipe|--attach -o -|--attach: standard output can have one recording only
nothing to delete|--keep 1h|--keep needs --rotate or --wait
lives|--rotate 10m -e lifetime|--rotate excludes -e lifetime
END
	run "$OJX" top --rotate 10m -- true
	is "top has one file" "$status $(cat "$TMP/err")" "125 ojx: --rotate is of 'ojx record'"
}

# finished: how many files have their own names
finished()
{
	find "$files" -name '*.data' | wc -l
}

# more_than N: there are more files
more_than()
{
	[ "$(finished)" -gt "$1" ]
}

# rotate PID: has it begin the next file
rotate()
{
	local before
	before=$(finished)
	kill -HUP "$1"
	wait_for 60 more_than "$before" || fail "SIGHUP begins no file" "$TMP/err"
}

# recording: the file that is being written has a JVM
recording()
{
	reports "$(echo "$files"/*.part)" '.'
}

# added OUTPUT: what the files have of each site of Counted, added up, where it differs from what the program counted
added()
{
	python3 - "$OJX" "$files" "$1" <<'END'
import glob, json, re, subprocess, sys
ojx, files, output = sys.argv[1:]
truth = [line.split() for line in open(output) if re.fullmatch(r"\w+ \S+ \d+ \d+\n", line)]
reports = []
for name in sorted(glob.glob(files + "/*")):
    report = subprocess.run([ojx, "report", "--format=json", "-i", name], capture_output=True, text=True)
    if "nothing was sampled" in report.stderr:  # it began when the program was at its end
        continue
    if report.returncode:
        print(report.stderr)
    reports.append(json.loads(report.stdout))
    if not reports[-1]["recording"]["ended"] or reports[-1]["recording"]["allocations_lost"]:
        print(name, "has not ended in order, or lacks something")
if not truth or len(reports) < 2:
    print("the program counted nothing, or", len(reports), "files are too few")
seen = set()
for method, kind, objects, size in truth:
    name = kind if kind.endswith("[]") else "Counted$" + kind
    got = [0, 0]
    for i, report in enumerate(reports):
        for c in report["contexts"]:
            if (c["class"] == name and any(f.get("class") == "Counted" and f["method"] == method for f in c["alloc_stack"])
                    and not any(f.get("method") == "loadClass" for f in c["alloc_stack"])):
                got = [got[0] + c["objects"], got[1] + c["bytes"]]
                seen.add(i)
    if got != [int(objects), int(size)]:
        print(f"{method}: objects, bytes {got}, the program counted {objects}, {size}")
if len(seen) < 2:
    print("all is in one file")
END
}

# run_counted OBJECTS: records Counted into several files, some of which end while it runs
run_counted()
{
	rm -rf "$files"/* "$TMP/go"
	"$OJX" record --exact --rotate 1d -o "$pattern" -- "$java" -Xmx256m -XX:+UseSerialGC -cp "$classes" Counted "$1" "$TMP/go" \
		>"$TMP/out" 2>"$TMP/err" &
	recorder=$!
	wait_for 120 recording
	rotate $recorder
	wait_for 60 recording
	touch "$TMP/go"
	while kill -HUP $recorder 2>/dev/null; do
		sleep 0.3
	done
	reap $recorder
	added "$TMP/out" >"$TMP/added" 2>&1
}

# Nothing is lost, and nothing is counted twice, where one file ends and the next begins.
test_sums()
{
	local objects
	for objects in 4000 12000 36000; do # until the program takes long enough
		run_counted $objects
		grep -q '^all is in one file' "$TMP/added" || break
	done
	is "$name: exit status" "$status" 0
	is "$name: no file is being written any more" "$(find "$files" -name '*.part')" ""
	is "$name: the files' sums are the program's own numbers" "$(cat "$TMP/added")" ""
	is "$name: contents of all files are hashed with one secret" "$(for file in "$files"/*.data; do
		"$OJX" dump -t secret "$file"
	done | sed 's/.*fingerprint=/of /' | sort | uniq -c | sed 's/ *of.*//; s/ //g')" "$(find "$files" -name '*.data' | wc -l)"
	"$OJX" report --format=json "$files" >"$TMP/all.json"
	is "$name: together they are of one process" "$(json "$TMP/all.json" 'r["recording"]["processes"]')" 1
}

# The next file cannot be opened, while the last one can still be written: what comes meanwhile is in that one.
test_gone()
{
	rm -rf "$files"/* "$TMP/go"
	"$OJX" record --exact --rotate 1d -o "$pattern" -- "$java" -Xmx256m -XX:+UseSerialGC -cp "$classes" Counted 36000 "$TMP/go" \
		>"$TMP/out" 2>"$TMP/err" &
	recorder=$!
	wait_for 120 recording
	mv "$files" "$files.gone"
	kill -HUP $recorder
	check "$name: that is told" wait_for 60 grep -q "cannot write '.*': No such file or directory: the last file goes on until" "$TMP/err"
	touch "$TMP/go"
	sleep 1
	mv "$files.gone" "$files"
	reap $recorder
	added "$TMP/out" | sed '/^all is in one file/d; /1 files are too few/d' >"$TMP/added" 2>&1
	is "$name: exit status" "$status" 0
	is "$name: the files' sums are the program's own numbers" "$(cat "$TMP/added")" ""
}

# A JVM that is attached to: files by time, and what a killed ojx leaves.
test_attached()
{
	local file of
	rm -rf "$files"/*
	begin --
	"$OJX" record -p "$jvm" --rotate 1s --interval 16k -o "$files/app-%Y%m%dT%H%M%S-%p.data" >"$TMP/out" 2>"$TMP/err" &
	recorder=$!
	wait_for 60 more_than 2
	kill -KILL $recorder
	reap $recorder
	is "$name: the name of a file has time and process" \
		"$(find "$files" -name '*.data' | grep -cvE "/app-20[0-9]{6}T[0-9]{6}-$jvm\.data\$")" 0
	check "$name: what a killed ojx leaves can be read" "$OJX" dump --chunks -i "$(echo "$files"/*.part)"
	of=0
	for file in "$files"/*.data; do
		! reports "$file" "$paced\\\$Point" || of=$((of + 1))
	done
	is "$name: each file has the program's objects" $of "$(finished)"
	run "$TOP/build/deny-perf" --rename "$OJX" record -p "$jvm" --duration 2 --rotate 1d --interval 16k \
		-o "$files/app-%Y%m%dT%H%M%S-%p.data"
	is "$name: the next one begins, and gives the file its name, also on NFS" "$status $(find "$files" -name '*.part')" "0 "
	end "$name"
}

# --keep-size, while a recording goes on: only its own old files go.
test_keep()
{
	rm -rf "$files"/*
	begin --
	truncate -s 3M "$files/app-20200101T000000.txt"
	mkdir "$files/app-20200101T000000-1.data"
	"$OJX" record -p "$jvm" --duration 1 --interval 16k -o "$files/other.data" >"$TMP/out" 2>"$TMP/err"
	cp "$files/other.data" "$files/app-20200101T000000-2.data"
	cp "$files/other.data" "$files/app-20200101T000000-3.data.part"
	truncate -s 2M "$files/app-20200101T000000-2.data"
	touch -d '1 hour ago' "$files/app-20200101T000000-2.data"
	run "$OJX" record -p "$jvm" --duration 1 --interval 16k --rotate 1d --keep-size 1M -o "$files/app-%Y%m%dT%H%M%S-%p.data" -v
	is "$name: exit status" "$status" 0
	is "$name: only old recordings of the pattern are deleted" \
		"$(cd "$files" && echo * | sed "s/app-[0-9]*T[0-9]*-$jvm.data/new/")" \
		"app-20200101T000000-1.data app-20200101T000000-3.data app-20200101T000000.txt new other.data"
	like "$name: -v says so" "$TMP/err" '^ojx: deleted 1 old file$'
	end "$name"
}

# A small disk that is full, and later has room: enough for what is recorded until then, on a busy machine, too.
test_full()
{
	local seen
	if ! unshare -m mount -t tmpfs none "$files" 2>/dev/null; then
		skip "$name: a full disk" "no file system can be mounted here"
		return
	fi
	rm -rf "$files"/*
	begin --
	unshare -m "$BASH" -s "$OJX" "$files" "$jvm" "$TMP" >"$TMP/full" 2>&1 <<'END'
ojx=$1 files=$2 jvm=$3 tmp=$4
mount -t tmpfs -o size=2m none "$files" && cd "$files" || exit 1
"$ojx" record -p "$jvm" --rotate 1s --interval 4k -o "app-%Y%m%dT%H%M%S.data" 2>"$tmp/err" &
recorder=$!
await()
{
	for _ in $(seq 3000); do
		! eval "$1" || return 0
		sleep 0.1
	done
	echo "in vain: $1"
}
await 'test -n "$(ls *.data 2>/dev/null)"'
dd if=/dev/zero of=filler bs=4k 2>/dev/null
await 'grep -q "nothing is recorded until" "$tmp/err"'
sleep 6 # it tries again meanwhile
before=$(ls *.data)
rm filler
await 'grep -q "recording goes on" "$tmp/err"'
await 'test "$(ls *.data | tail -n 1)" != "$(echo "$before" | tail -n 1)"'
kill $recorder
wait $recorder
echo "status $?"
for file in app-*; do
	[ -s "$file" ] || echo "$file is empty"
	"$ojx" dump -i "$file" >/dev/null 2>"$tmp/dump" || cat "$tmp/dump"
done
echo "at the end: $("$ojx" report --stdio -i "$(ls *.data | tail -n 1)" 2>/dev/null | grep -c Point)"
# nor can the first file be written
rm -f *
dd if=/dev/zero of=filler bs=1 2>/dev/null
"$ojx" record -p "$jvm,no.such.Main" --wait --interval 4k -o "later-%Y.data" 2>"$tmp/err.wait" &
service=$!
await 'grep -q "nothing is recorded until" "$tmp/err.wait"'
sleep 6
rm filler
await 'grep -q "recording goes on, in .later" "$tmp/err.wait"'
await 'for f in later-*; do "$ojx" report --stdio --all -i "$f"; done 2>/dev/null | grep -q Point'
kill $service
wait $service
echo "status $?"
END
	local err
	for err in "$TMP/err" "$TMP/err.wait"; do
		like "$name: a full disk is told" "$err" "^ojx: cannot write '.*': No space left on device: nothing is recorded until it can be written again$"
		is "$name: once" "$(grep -c 'nothing is recorded' "$err")" 1
	done
	unlike "$name: it goes on when there is room" "$TMP/full" 'in vain|empty|status [^0]'
	unlike "$name: and has objects again" "$TMP/full" 'at the end: 0'
	end "$name, a full disk"
}

# there PATTERN: such a file exists
there()
{
	compgen -G "$1" >/dev/null
}

# has_objects NAME: the files whose names begin so have the program's objects
has_objects()
{
	local file
	for file in "$files/$1"*; do
		reports "$file" "$paced\\\$Point" && return 0
	done
	return 1
}

# --wait: JVMs that run, and that come later, several at a time; each until it ends. A JVM goes on if ojx is killed.
test_wait()
{
	local first second
	rm -rf "$files"/*
	begin --
	first=$jvm first_stop=$stop first_child=$child first_output=$output
	"$OJX" record -p "no.such.Main,$paced" --wait --interval 16k -o "$files/%p-%Y.data" >"$TMP/out" 2>"$TMP/err" &
	service=$!
	wait_for 60 has_objects "$first-"
	begin --
	second=$jvm second_stop=$stop second_child=$child second_output=$output
	wait_for 60 has_objects "$second-"
	is "$name: both are being recorded" "$(cd "$files" && echo *.part | tr ' ' '\n' | sed 's/-.*//' | sort)" \
		"$(printf '%s\n' $first $second | sort)"
	jvm=$first stop=$first_stop child=$first_child output=$first_output
	end "$name, the first"
	wait_for 60 there "$files/$first-20*.data"
	check "$name: a recording ends with its JVM" "$OJX" report --stdio -i "$(echo "$files/$first"-20*.data)"
	kill -HUP $service
	wait_for 60 there "$files/$second-20??.data"
	kill -TERM $service
	reap $service
	is "$name: SIGTERM ends it in order" "$status $(find "$files" -name '*.part')" "0 "
	like "$name: the other goes on" "$TMP/err" "detached from pid $second \\($paced\\), which goes on"
	rm -rf "$files/$second"*
	touch -d '2 hours ago' "$files/$first"-20*.data
	"$OJX" record -p "$paced" --wait -v --keep 1h --interval 16k -o "$files/%p-%Y.data" >"$TMP/out" 2>"$TMP/err" &
	service=$!
	wait_for 60 has_objects "$second-"
	is "$name: what is too old is deleted" "$(cd "$files" && echo "$first"*) $(grep 'deleted' "$TMP/err")" "$first* ojx: deleted 1 old file"
	kill -KILL $service
	reap $service
	wait_for 60 there "$files/$second-20*.data"
	jvm=$second stop=$second_stop child=$second_child output=$second_output
	is "$name: the recorder of a killed ojx ends in order" "$(find "$files" -name '*.part')" ""
	end "$name, the second"
}

# Identifiers do not run out: before the agent's tables are full, the agent begins anew.
test_renewed()
{
	local newest
	rm -rf "$files"/* "$TMP/stop/stacks"
	"$java" -Xmx64m -XX:ErrorFile="$TMP/hs_err.%p" -cp "$classes" ComeAndGo "$TMP/stop/stacks" 1000 0 100 >"$TMP/output" 2>&1 &
	jvm=$!
	"$OJX" record -p "$jvm" --wait -v --rotate 1s --interval 8k -o "$files/%Y%m%dT%H%M%S.data" >"$TMP/out" 2>"$TMP/err" &
	service=$!
	twice()
	{
		[ "$(grep -c 'begins anew$' "$TMP/err")" -ge 2 ]
	}
	wait_for 120 twice || fail "$name: the agent does not begin anew" "$TMP/err"
	rm -f "$TMP/newest"
	newest=$(find "$files" -name '*.part')
	wait_for 60 reports "$newest" 'ComeAndGo'
	kill -TERM $service
	reap $service
	is "$name: it ends in order" "$status $(find "$files" -name '*.part')" "0 "
	unlike "$name: nothing is refused for lack of identifiers" "$TMP/err" ' are full|beyond [0-9]'
	"$OJX" record -p "$jvm" --wait --rotate 1s --interval 8k --duration 15s -o "$files/%Y%m%dT%H%M%S.data" >"$TMP/out" 2>"$TMP/err" &
	service=$!
	check "$name: what begins anew ends in time" wait_for 120 grep -qE 'pid [0-9]+.* goes on' "$TMP/err"
	kill -TERM $service
	reap $service
	touch "$TMP/stop/stacks"
	reap "$jvm"
	is "$name: the JVM goes on to its end" "$status $(find "$TMP" -name 'hs_err*')" "0 "
}

# --attach: a script that parses `java -version` and unsets JAVA_TOOL_OPTIONS runs as without ojx.
test_script()
{
	cat >"$TMP/start.sh" <<'END'
#!/bin/sh
unset JAVA_TOOL_OPTIONS
"$1" -version 2>&1 | head -n 1
"$1" -Xmx64m -cp "$2" "$3" 600 7 "$4" </dev/null >/dev/null 2>&1
END
	chmod +x "$TMP/start.sh"
	rm -rf "$files"/* "$TMP/stop/script"
	"$OJX" record --attach --interval 16k -o "$files/%p-%Y.data" -- "$TMP/start.sh" "$java" "$classes" $paced "$TMP/stop/script" \
		>"$TMP/out" 2>"$TMP/err" &
	service=$!
	wait_for 120 has_objects ''
	touch "$TMP/stop/script"
	reap $service
	is "$name: exit status of the script" "$status" 7
	is "$name: the output of the script" "$(cat "$TMP/out")" "$("$java" -version 2>&1 | head -n 1)"
	unlike "$name: it is not told of failures of JVMs that are gone" "$TMP/err" '^ojx: '
	check "$name: its JVM is recorded" has_objects ''
	is "$name: no file is being written any more" "$(find "$files" -name '*.part')" ""
	run "$OJX" record --attach -- sh -c 'exit 3'
	is "$name: without a JVM" "$status $(cat "$TMP/err")" \
		"3 ojx: no JVM was attached to: the command started none, or none that ran long enough"
	run "$OJX" record --attach -- "$TMP/none"
	is "$name: a command that there is not" "$status" 127
}

# The unit of systemd and the manifests of Kubernetes, as far as tools are here that check them.
test_deployed()
{
	local unit=$TMP/ojx@com.acme.Main.service file
	sed "s#/usr/bin/ojx#$OJX#" "$TOP/docs/systemd/ojx@.service" >"$unit"
	if command -v systemd-analyze >/dev/null; then
		run systemd-analyze verify --man=no "$unit"
		is "systemd has nothing to say against the unit" "$status $(cat "$TMP/err")" "0 "
	else
		skip "systemd has nothing to say against the unit" "no systemd-analyze"
	fi
	# what it starts is a command of ojx: systemd replaces %I, %S and %%
	sed -n 's/^ExecStart=//p' "$unit" | sed "s/%I/no.such.Main/; s#%S#$TMP#; s/%%/%/g" >"$TMP/command"
	check "the unit's command is read" test -s "$TMP/command"
	for file in "$TOP"/docs/kubernetes/*.yaml; do
		if command -v kubernetes-validate >/dev/null; then
			check "$(basename "$file"): the schema of Kubernetes holds" kubernetes-validate --strict "$file"
		else
			skip "$(basename "$file"): the schema of Kubernetes holds" "no kubernetes-validate"
		fi
		sed -n '/args:/,/^ *[a-zA-Z]*:$/s/^ *- //p' "$file" | tr '\n' ' ' |
			sed "s#^#$OJX #; s#/recordings#$TMP#; s#\"\*\"#no.such.Main#; s#\"##g" >>"$TMP/command"
		echo >>"$TMP/command"
	done
	is "each has a command" "$(wc -l <"$TMP/command")" 3
	while read -r -a words; do
		"${words[@]}" >"$TMP/out" 2>"$TMP/err" &
		service=$!
		wait_for 60 grep -q 'waits for JVMs' "$TMP/err"
		kill -TERM $service
		reap $service
		is "${words[*]:1:4} ...: it waits" "$status $(cat "$TMP/err")" \
			"0 ojx: waits for JVMs that match 'no.such.Main', until SIGTERM or Ctrl-C"
	done <"$TMP/command"
}

tests="sums attached wait"
tests=($tests) once=(usage keep full gone renewed script deployed)
on_each_jdk "$@"
done_testing
