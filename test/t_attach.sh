#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx record -p: attaching to running JVMs, what prevents it, containers, and the state of the JVM
# afterwards. The program is test/jvm/Paced.java, which runs until a file exists.
#
#      test/t_attach.sh [NAME...]: only these parts
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/attach.sh"

# ---- without a JVM -----------------------------------------------------------------------------

test_usage()
{
	local row title options message
	while IFS='|' read -r title options message; do
		run "$OJX" record -o "$data" $options
		is "$title: 125" "$status" 125
		like "$title: says so" "$TMP/err" "^ojx: $message"
	done <<'END'
-p and a command|-p 1 java|--pid names a JVM that runs already and excludes a command
-p and --exact|-p 1 --exact|--pid excludes --exact
-p and --children|-p 1 --children|--pid excludes --children
a pid out of range|-p 99999999999|--pid: '99999999999' is no process id
an empty word|-p 1,|--pid: '' is no process id
no such process|-p 2147483647|pid 2147483647 does not exist: see 'ojx list jvms'
no match|-p no.such.Main|--pid: no JVM matches 'no.such.Main'
END
	jvm=$$
	refused "not a JVM" "pid $$ \(.*\) is not a JVM: it has no libjvm.so: see 'ojx list jvms'"
	rm -f "$TMP/zombie"
	python3 -c 'import os, time
pid = os.fork()
if pid == 0:
    os._exit(0)
os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
print(pid, flush=True)
time.sleep(100)' >"$TMP/zombie" &
	wait_for 60 test -s "$TMP/zombie"
	jvm=$(cat "$TMP/zombie")
	refused "a zombie" "pid $jvm has ended, and waits for its parent \(a zombie\)"
	kill $!
	run "$OJX" doctor -p $$
	is "doctor -p: 1" "$status" 1
	like "doctor -p: what is wrong" "$TMP/out" '^failed +JVM +is not a JVM'
	run "$OJX" list jvmz
	is "list takes one word" "$status" 2
}

# ---- a JVM -------------------------------------------------------------------------------------

test_record()
{
	begin --
	attach "$name"
	local before used
	before=$(cpu_ms)
	attach "$name, what it costs"
	used=$(($(cpu_ms) - before))
	# the last of several recordings may be shorter than the time between the two
	check "$name, what it costs: a share of the CPU time meanwhile: $(told_ms) of $used ms" \
		test "$(told_ms)" -gt 0 -a "$(told_ms)" -le $((used + 20))
	# again and again, with other options, and other ends
	attach "$name again" --budget 20
	begin_recording()
	{
		rm -f "$data"
		"$OJX" record -p "$1" -o "$data" --interval 16k >"$TMP/out" 2>"$TMP/err" &
		recorder=$!
		wait_for 120 points
	}
	begin_recording "$jvm"
	run "$OJX" record -p "$jvm" -o "$TMP/second.data"
	is "$name: a second one is refused" "$status" 125
	like "$name: and told who has it" "$TMP/err" "pid $jvm \($paced\): is recorded already, by the ojx with pid $recorder$"
	run "$OJX" top -p "$jvm" -b -n 1 -d 1
	like "$name: top -p shows the recording that there is" "$TMP/out" '^# '
	run "$OJX" record -o "$data" -- true
	is "$name: nobody takes the place of its file" "$status $(sed 's/.*: //' "$TMP/err")" "125 choose another name"
	kill -INT $recorder
	reap $recorder
	is "$name: an interrupt ends the recording" "$status" 0
	check "$name: which is complete" is_over "$data"
	# under nohup a hang-up does not end it
	trap '' HUP; begin_recording "$jvm"; trap - HUP
	kill -HUP $recorder
	run "$OJX" record -p "$jvm" -o "$TMP/second.data"
	like "$name: with nohup it goes on after a hang-up" "$TMP/err" "by the ojx with pid $recorder$"
	# when it is killed, the next one takes over what it left
	kill -KILL $recorder
	wait $recorder 2>/dev/null
	# of other JVMs, too: there are no such processes
	mkdir -m 700 /tmp/.ojx_pid99999998 /tmp/.ojx_pid99999999
	touch /tmp/.ojx_pid9999999{8,9}/control
	flock /tmp/.ojx_pid99999999 sleep 100 &
	local held=$!
	wait_for 60 bash -c '! flock -n /tmp/.ojx_pid99999999 true'
	attach "$name after a kill"
	is "$name: what killed ones left for other JVMs is removed, but not what one holds" \
		"$(ls -d /tmp/.ojx_pid9999999[89])" /tmp/.ojx_pid99999999
	kill $held
	rm -rf /tmp/.ojx_pid99999999
	# the reader of its output leaves
	"$OJX" record -p "$jvm" --duration 60 -o - --interval 16k 2>"$TMP/err" | head -c 100 >"$TMP/out"
	is "$name: an output that cannot be written is an error" "${PIPESTATUS[0]}" 125
	like "$name: the JVM goes on" "$TMP/err" "detached from pid $jvm \\($paced\\), which goes on"
	# a cleaner of /tmp removes the socket
	rm -f "/tmp/.java_pid$jvm"
	attach "$name without its socket"
	begin_recording $paced
	touch "$stop"
	reap $child
	is "$name: it ends while it is recorded" "$status" 3
	reap $recorder
	is "$name: and so does the recording" "$status" 0
	like "$name: which says so" "$TMP/err" "^\[ ojx record: pid $jvm \($paced\) has ended \]$"
}

test_several()
{
	local first first_child first_stop first_output
	begin --
	first=$jvm first_child=$child first_stop=$stop first_output=$output
	begin --
	run "$OJX" record -p $paced -o "$data"
	is "two that match: 125" "$status" 125
	like "two that match: the first is named" "$TMP/err" "^ojx: -p $first: $paced$"
	like "two that match: the second, too" "$TMP/err" "^ojx: -p $jvm: $paced$"
	run "$OJX" record -p "$first,$jvm" --duration 2 -o "$data"
	is "two at a time" "$status $(grep -c 'detached from pid' "$TMP/err")" "0 2"
	is "two at a time: both are in the recording" \
		"$("$OJX" report --format=json -i "$data" | python3 -c 'import json, sys
print(sorted(j["pid"] for j in json.load(sys.stdin)["recording"]["jvms"]))')" \
		"$(printf '%s\n' "$first" "$jvm" | sort -n | paste -sd, | sed 's/,/, /; s/.*/[&]/')"
	end "two at a time"
	child=$first_child stop=$first_stop output=$first_output jvm=$first
	is "list jvms: its name" "$(listed main)" $paced
	is "list jvms: attachable" "$(listed attachable)" True
	is "the completion offers it" "$(
		. "$TOP/docs/completion/ojx.bash"
		_ojx_jvms "$OJX" | grep -cx "$jvm")" 1
	run "$OJX" doctor -p $paced
	is "doctor -p: 0" "$status" 0
	like "doctor -p: says so" "$TMP/out" "^ojx can attach to pid $jvm\.$"
	for n in 2 10 60; do
		run "$OJX" top -p $paced -b -n $n -d 1
		! grep -q "$paced\\\$Point" "$TMP/out" || break
	done
	is "top -p attaches" "$status" 0
	like "top -p shows its objects" "$TMP/out" "$paced\\\$Point"
	end "top -p"
	# a JVM that ojx has started
	stop=$TMP/stop/started
	rm -f "$data" "$stop"
	"$OJX" record -q -o "$data" --interval 16k -- "$java" -cp "$classes" $paced 600 3 "$stop" </dev/null >"$TMP/output" 2>&1 &
	child=$! output=$TMP/output
	wait_for 120 points
	jvm=$(pgrep -n -f "$paced 600 3 $stop\$")
	data=$TMP/second.data
	refused "one that is recorded from its start" "is recorded already, by the ojx with pid $child: not profiled" -q
	data=$TMP/ojx.data
	end "one that is recorded from its start"
}

# ---- obstacles ---------------------------------------------------------------------------------

test_obstacles()
{
	begin --
	kill -STOP "$jvm"
	wait_for 60 grep -q '^State:.*T' "/proc/$jvm/status"
	refused "stopped" "pid $jvm \($paced\) is stopped: let it go on: kill -CONT $jvm$"
	is "stopped: list jvms says so, too" "$(listed why_not)" "is stopped"
	is "stopped: no trigger" "$(ls -d /tmp/.attach_pid$jvm 2>/dev/null)" ""
	kill -CONT "$jvm"
	end stopped

	begin -- -Xrs
	attach "-Xrs, which listens from its start"
	rm "/tmp/.java_pid$jvm"
	refused "-Xrs without a socket" "was started with -Xrs: SIGQUIT would end it: start it without -Xrs"
	end "-Xrs"

	begin -- -XX:+DisableAttachMechanism
	refused "DisableAttachMechanism" "was started with -XX:\+DisableAttachMechanism: start it without this option"
	end "DisableAttachMechanism"

	echo '-Dx=y -XX:-EnableDynamicAgentLoading' >"$TMP/args"
	begin -- "@$TMP/args"
	refused "EnableDynamicAgentLoading, in a file" "was started with -XX:-EnableDynamicAgentLoading"
	end "EnableDynamicAgentLoading"

	begin env JAVA_TOOL_OPTIONS=-XX:+DisableAttachMechanism _JAVA_OPTIONS=-XX:-DisableAttachMechanism --
	attach "the last option counts"
	end "the last option counts"
}

# ---- another agent -----------------------------------------------------------------------------

# checked: what `ojx doctor` says of the sampler
checked()
{
	"$OJX" doctor --format=json -p "$jvm" >"$TMP/list" 2>/dev/null
	json "$TMP/list" "[(c['state'], c['found']) for c in r['checks'] if c['check'] == 'sampler'][0]" 2>&1
}

# It has the sampler of allocations, which only one agent can have.
test_sampler()
{
	"${CC:-cc}" -std=gnu11 -shared -fPIC -I"${jdks[0]}/include" -I"${jdks[0]}/include/linux" -o "$TMP/other.so" \
		"$TOP/test/jvm/jvmti.c" || exit 1
	begin -- "-agentpath:$TMP/other.so"
	is "another agent samples: doctor names it" "$(checked)" "('lacking', 'another agent: $TMP/other.so')"
	run "$OJX" doctor -p "$jvm"
	like "another agent samples: doctor names what works" "$TMP/out" "'ojx heap -p PID' and 'record -e dead-store"
	refused "another agent samples" "offers no allocation sampling, which only one agent can use: .*'ojx heap -p PID'" -q
	run "$OJX" record -p "$jvm" --duration 2 -o "$data" -e dead-store,silent-store,silent-load
	is "another agent samples: wasted accesses are recorded" "$status" 0
	is "another agent samples: of that JVM" "$("$OJX" report --format=json -i "$data" 2>/dev/null >"$TMP/list"
		json "$TMP/list" "[j['pid'] == $jvm for j in r['recording']['jvms']], sum(c['sampled'] for c in r['contexts'])")" "([True], 0)"
	if can_watch; then
		"${jdks[0]}/bin/javac" -nowarn --release 11 -d "$classes" "$TOP/test/jvm/Waste.java" || exit 1
		JAVA_TOOL_OPTIONS=-agentpath:$TMP/other.so run "$OJX" record -o "$TMP/waste" --budget 100 -F 1000 -e dead-store -- \
			"$java" -cp "$classes" Waste dead 2
		"$OJX" report --format=json -i "$TMP/waste" >"$TMP/list" 2>/dev/null
		is "another agent samples: pairs of accesses are seen" "$(json "$TMP/list" "any(w['pairs'] for w in r['waste'])")" True
	else
		skip "another agent samples: pairs of accesses" "no debug registers"
	fi
	run "$OJX" heap -p "$jvm" --format=json
	is "another agent samples: a heap dump" "$status" 0
	end "another agent samples"
	begin --
	is "no other agent: doctor" "$(checked)" "('ok', 'no other agent')"
	attach "no other agent"
	is "no other agent: ojx's own is none" "$(checked)" "('ok', 'no other agent')"
	end "no other agent"
}

# ---- containers --------------------------------------------------------------------------------

test_containers()
{
	local row title options
	[ "$(id -u)" = 0 ] && python3 "$TOP/test/container.py" --pid --net --user 1 true 2>"$TMP/err" ||
		{ skip "containers" "no namespaces here: $(tail -n 1 "$TMP/err")"; return; }
	local at=/mnt inside=(--bind "$classes" /mnt --bind "$TMP/stop" /srv)
	while IFS='|' read -r title options; do
		local stop_at=/srv/$((begun + 1))
		begin "$TOP/test/container.py" $options "${inside[@]}" --
		attach "$title"
		attach "$title again"
		end "$title"
	done <<'END'
its own /tmp|
its own pids|--pid
its own network|--pid --net
root of its own users|--pid --net --user 0
its own users|--pid --net --user 1
without the agent's file|--pid --net --user 1 --hide /var/cache
a small /tmp|--pid --tmp 32k --hide /var/cache
END
	stop_at=/srv/$((begun + 1))
	begin "$TOP/test/container.py" --pid --tmp noexec --hide /var/cache --hide /var/tmp --hide /dev/shm "${inside[@]}" --
	refused "nowhere to run code" "/tmp is mounted noexec: mount one that is not, or put ojx into its image"
	end "nowhere to run code"
	stop_at=/srv/$((begun + 1))
	begin "$TOP/test/container.py" --pid --tmp ro "${inside[@]}" --
	refused "a read-only /tmp" "cannot write to its /tmp, where JVMs listen: it is read-only: give its container a /tmp of its own"
	end "a read-only /tmp"
	stop_at=/srv/$((begun + 1))
	begin "$TOP/test/container.py" --pid --tmp 64k --hide /var/tmp "${inside[@]}" --
	run "$OJX" heap -p "$jvm"
	is "no room for a heap dump: exit status" "$status" 1
	like "no room for a heap dump: one line" "$TMP/err" \
		"^ojx: pid $jvm .* wrote no heap dump: its heap holds .* and its /tmp and /var/tmp have room for .* at most; 'jcmd"
	is "no room for a heap dump: nothing else" "$(wc -l <"$TMP/err") $(wc -c <"$TMP/out")" "1 0"
	is "no room for a heap dump: nothing is left" "$(find "/proc/$jvm/root/tmp" "/proc/$jvm/root/var/tmp" -name '.ojx*')" ""
	end "no room for a heap dump"
}

# Its files of options changed after its start: ojx opens nothing outside of its file system, and no
# pipe.
test_files()
{
	[ "$(id -u)" = 0 ] && python3 "$TOP/test/container.py" --pid true 2>/dev/null ||
		{ skip "files" "no namespaces here"; return; }
	local at=/mnt pipe inside=(--bind "$classes" /mnt --bind "$TMP/stop" /srv)
	local stop_at=/srv/$((begun + 1))
	rm -f "$TMP/stop/args"
	echo -Dx=y >"$TMP/stop/args"
	begin "$TOP/test/container.py" --pid "${inside[@]}" -- @/srv/args
	echo -XX:+DisableAttachMechanism >"$TMP/outside"
	ln -sf "$TMP/outside" "$TMP/stop/args"
	is "a link out of its file system is not followed" "$(listed attachable)" True
	ln -sf /mnt/inside "$TMP/stop/args"
	cp "$TMP/outside" "$classes/inside"
	is "one within it is" "$(listed attachable)" False
	for pipe in "$TMP/outside" "$classes/inside"; do
		rm "$pipe"
		mkfifo "$pipe"
		ln -sf "${pipe/#$classes//mnt}" "$TMP/stop/args"
		run timeout 60 "$OJX" list jvms
		is "a link to a pipe: list jvms goes on" "$status" 0
		rm "$pipe"
	done
	end "a link to a pipe"
}

# If something else is in the place of HotSpot's trigger, it is neither opened nor removed; and
# without a trigger no signal is sent.
test_trigger()
{
	begin --
	mkfifo -m 666 "/tmp/.attach_pid$jvm"
	run timeout 60 "$OJX" record -p "$jvm" --duration 1 -o "$data"
	is "a pipe for a trigger: not attached, and no wait" "$status" 125
	like "a pipe for a trigger: it says so" "$TMP/err" "pid $jvm \($paced\): '/tmp/.attach_pid$jvm' is not a file of its user$"
	is "a pipe for a trigger: in one line" "$(grep -c '^ojx:' "$TMP/err")" 1
	check "a pipe for a trigger: it stays" test -p "/tmp/.attach_pid$jvm"
	rm "/tmp/.attach_pid$jvm"
	end "a pipe for a trigger"
}

# A filter may kill for what it forbids: ojx does not try it.
test_filter()
{
	local title options
	while IFS='|' read -r title options; do
		begin "$TOP/build/deny-perf" $options --
		attach "$title"
		is "$title: what is missing is said in one line" "$(grep '^ojx: ' "$TMP/err" | sed 's/without them.*/without them/')" \
			"ojx: pid $jvm has a seccomp filter, which may kill it for calls of the agent: it does without them"
		is "$title: contents are read" "$("$OJX" report --format=json -i "$data" >"$TMP/report.json" &&
			json "$TMP/report.json" "sum(l['scanned'] for l in r['lines'] if l['class'] == '$paced\$Point') > 0")" True
		like "$title: doctor says so" <("$OJX" doctor -p "$jvm") '^lacking +seccomp'
		end "$title"
	done <<'END'
a filter that kills for perf_event_open|--kill
a filter that kills for process_vm_readv|--kill --readv
a filter that refuses process_vm_readv|--readv
END
}

# Whatever recording takes has to fit, too; the kernel would kill the program otherwise.
test_memory()
{
	local group limit killed
	make_group 201326592 || { skip "a limit of its memory" "no cgroup with a limit can be made here"; return; }
	# shellcheck disable=SC2016
	begin sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" --
	is "a limit of its memory: the JVM is in that group" "$(cat "$group/cgroup.procs")" "$jvm"
	attach "a limit of its memory"
	attach "a limit of its memory, all analyses" -e replica,locality,dead-store,silent-store,silent-load,lifetime --budget 50
	is "a limit of its memory: nothing was killed" "$(grep oom_kill "$group/$killed" | grep -v '_disable ')" "oom_kill 0"
	end "a limit of its memory"
	wait_for 20 rmdir "$group"
}

# A recording that ends before it has gone through all classes drops their list. The JVM's account of its memory names
# who asked for what is still there.
test_list_of_classes()
{
	local jcmd=${java%/java}/jcmd native=$TMP/native
	[ -x "$jcmd" ] || { skip "the list of classes" "no jcmd"; return; }
	begin -- -XX:NativeMemoryTracking=detail
	for _ in 1 2 3 4 5; do
		run "$OJX" record -p "$jvm" --duration 1ms -o "$data"
		is "the list of classes: a short recording" "$status" 0
	done
	"$jcmd" "$jvm" VM.native_memory detail >"$native"
	if grep -q 'Threads::create_vm' "$native"; then
		unlike "the list of classes: it is given back" "$native" 'getLoadedClasses'
	else
		skip "the list of classes: it is given back" "the JVM's functions have no names"
	fi
	end "the list of classes"
}

# A program chooses its name, and another user reads it on a terminal.
test_names()
{
	local evil="$TMP/x"$'\e'"[31my.jar"
	"${jdks[0]}/bin/jar" cfe "$evil" Waiting -C "$classes" .
	rm -f "$TMP/output"
	"$java" -Xmx64m -jar "$evil" 1 1 / "$TMP/names.end" >"$TMP/output" &
	wait_for 120 grep -q ready "$TMP/output"
	run "$OJX" list jvms
	is "a name with an escape sequence is shown without it" \
		"$(grep -c '\[31my.jar' "$TMP/out") $(tr -cd '\033' <"$TMP/out" | wc -c)" "1 0"
	touch "$TMP/names.end" && wait $!
}

# What threads allocated before the recording does not count. In JDK 25 each of them has a sample for sure, with
# HotSpot's interval of 512 KiB. Of JDK 17 some 75 samples weigh that much: five standard deviations are half of the sum.
test_old_threads()
{
	local threads=200 objects=10000
	rm -f "$TMP/output" "$TMP/err"
	"$java" -Xmx64m -XX:ErrorFile="$TMP/hs_err.%p" -cp "$classes" Waiting $threads $objects "$TMP/go" "$TMP/end" >"$TMP/output" &
	child=$!
	wait_for 120 grep -q ready "$TMP/output"
	"$OJX" record -v -p $child -o "$data" --interval 64k --budget 100 >"$TMP/out" 2>"$TMP/err" &
	recorder=$!
	wait_for 120 grep -q "^ojx: pid $child: recording" "$TMP/err"
	touch "$TMP/go"
	wait_for 120 grep -q done "$TMP/output"
	touch "$TMP/end"
	wait $child
	wait $recorder
	rm -f "$TMP/go" "$TMP/end"
	"$OJX" report --format=json -i "$data" >"$TMP/report.json"
	is "threads that ran before: they are told as often as they allocate" "$(json "$TMP/report.json" "[round(b) if b > 1.6 * t or b < 0.1 * t else 'right'
		for t in [24 * $threads * $objects] for b in [sum(c['bytes'] for c in r['contexts'] if c['class'] == 'Waiting\$Point')]][0]")" right
}

tests=(record old_threads)
once=(usage several names obstacles sampler containers files trigger filter memory list_of_classes) # the same on every JDK
on_each_jdk "$@"
done_testing
