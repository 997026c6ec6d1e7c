#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Strangers at the socket, and the memory shared with the tool. Whoever listens at the socket, and
# whatever they say and write, the program runs to its own end. A stranger who is not the user is
# told nothing, and the user is told once. Only memory in use is shared.
#
#   test/t_trust.sh [NAME...]    only these
. "$(dirname "$0")/lib.sh"

ulimit -c 0
nobody=65534
data=$TMP/ojx.data
agent=$TOP/libojx-agent.so
faketool=$TMP/faketool
heading='^ojx: this JVM is not recorded: '

mapfile -t jdks < <("$TOP/agent/jdks.sh")
use_classes
"${CC:-cc}" -std=gnu11 -I"$TOP/lib" -I"$TOP/test" -o "$faketool" "$TOP/test/faketool.c" \
	"$TOP/test/unit/builder.c" "$TOP/build/libojx.a" -lm || exit 1
for source in memory signals; do
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"${jdks[0]}/include" \
		-I"${jdks[0]}/include/linux" -o "$TMP/$source.so" "$TOP/test/jvm/$source.c" -pthread || exit 1
done
# a directory that user nobody can reach, with a short path for the socket's name
public=$(mktemp -d /tmp/ojx-trust.XXXXXX)
chmod 755 "$public"
trap 'unlisten; rm -rf "$TMP" "$public"' EXIT
tool=

# Whether another user can be played here; says so if not.
is_root()
{
	[ "$(id -u)" = 0 ] && return
	skip "$name: $1" "needs root, to be another user"
	return 1
}

# listen HOW [UID]: plays a tool at $socket; what it says goes to $TMP/tool
listen()
{
	rm -f "$socket" "$TMP/tool"
	"$faketool" "$1" "$socket" "${@:2}" >"$TMP/tool" 2>&1 &
	tool=$!
	wait_for 20 is_listening
}

# Keeps what the tool said.
unlisten()
{
	[ -n "$tool" ] && kill "$tool" 2>/dev/null && wait "$tool" 2>/dev/null
	tool=
}

is_listening()
{
	grep -q "00010000.* $socket\$" /proc/net/unix
}

# meet TITLE [BYTES]: a JVM that is pointed to $socket runs on, and sends so many bytes; without
# BYTES it does not connect
meet()
{
	run "$java" "-agentpath:$agent=$socket" -Xmx64m -XX:ErrorFile="$TMP/hs_err" -cp "$classes" \
		Rough work 300000
	is "$name: $1: the program runs on" "$status $(cat "$TMP/out")" "0 work 1199880"
	if [ $# = 1 ]; then
		unlisten
		is "$name: $1: nobody hears of it" "$(cat "$TMP/tool")" ""
	else
		wait "$tool"
		tool=
		is "$name: $1: what the tool hears" "$(cat "$TMP/tool")" "$2"
	fi
}

# told TITLE [REGEX]: the only message to the user says that the JVM was not recorded, and why;
# without a regex there is no message
told()
{
	if [ $# = 1 ]; then
		is "$name: $1: nothing is said" "$(cat "$TMP/err")" ""
		return
	fi
	like "$name: $1: is said" "$TMP/err" "$heading.*$2"
	is "$name: $1: in one line" "$(wc -l <"$TMP/err")" 1
}

# room MODE OWNER: makes a new directory for $socket
room()
{
	rm -rf "$public/ojx"
	mkdir -m "$1" "$public/ojx"
	chmod "$1" "$public/ojx"
	[ "$2" = "$(id -u)" ] || chown "$2" "$public/ojx"
	socket=$public/ojx/control
}

# The fake tool behaves like ojx; otherwise the rest would prove nothing.
test_good()
{
	room 700 "$(id -u)"
	listen good
	meet "a tool that behaves" "160 events"
	told "a tool that behaves"
}

# The path of a recording that has ended.
test_stale()
{
	room 700 "$(id -u)"
	: >"$TMP/tool"
	meet "a socket that there is not"
	told "a socket that there is not"
	listen good
	unlisten
	meet "a socket at which nobody listens"
	told "a socket at which nobody listens"
	rm -rf "$public/ojx"
	meet "a directory that there is not"
	told "a directory that there is not"
}

# Another user makes it again.
test_others()
{
	room 755 "$(id -u)"
	listen good
	meet "a directory that is open to others"
	told "a directory that is open to others" 'others can'
	room 700 "$(id -u)"
	mv "$public/ojx" "$public/real"
	ln -s real "$public/ojx"
	listen good
	meet "a directory that is a link"
	told "a directory that is a link" 'others can'
	rm -rf "$public/ojx" "$public/real"
	is_root "a directory and a socket of another user" || return
	for mode in 700 755 777; do
		room $mode $nobody
		listen good $nobody
		meet "a directory of another user, mode $mode"
		told "a directory of another user, mode $mode" 'others can'
	done
	room 700 0
	listen good $nobody
	meet "a socket of another user" "0 none"
	told "a socket of another user" 'another user listens'
	rm -rf "$public/ojx"
}

# $XDG_RUNTIME_DIR belongs to another user, who waits for a new directory there.
test_parent()
{
	for mode in 777 775 1777 700; do
		rm -rf "$public/run"
		mkdir -p "$public/run/below"
		chmod $mode "$public/run"
		for dir in run run/below; do
			XDG_RUNTIME_DIR=$public/$dir run "$OJX" record -o "$data" --children -- \
				printenv JAVA_TOOL_OPTIONS
			case $mode in
			777 | 775)
				unlike "$name: $dir, mode $mode, is not used" "$TMP/out" "=$public"
				like "$name: $dir, mode $mode: another one is" "$TMP/out" '=/.*/ojx-[^/]*/control' ;;
			*)
				like "$name: $dir, mode $mode, is used" "$TMP/out" \
					"=$public/$dir/ojx-[^/]*/control" ;;
			esac
		done
	done
	is_root "a directory of another user" || return
	chown $nobody "$public/run"
	for mode in 1777 700; do
		chmod $mode "$public/run"
		for dir in run run/below; do
			XDG_RUNTIME_DIR=$public/$dir run "$OJX" record -o "$data" --children -- \
				printenv JAVA_TOOL_OPTIONS
			unlike "$name: $dir of another user, mode $mode, is not used" "$TMP/out" "=$public"
			like "$name: $dir of another user, mode $mode: another one is" "$TMP/out" \
				'=/.*/ojx-[^/]*/control'
		done
	done
	rm -rf "$public/run"
}

# A tool of the user that sends nonsense.
test_nonsense()
{
	for how in offset rings events; do
		room 700 "$(id -u)"
		listen $how
		meet "a layout with other $how" 160
		told "a layout with other $how" 'the layout of its memory makes no sense'
	done
	for how in unsealed small tiny file nothing; do
		room 700 "$(id -u)"
		listen $how
		meet "memory: $how" 160
		case $how in
		tiny) told "memory: $how" 'its memory cannot be mapped' ;;
		*) told "memory: $how" 'memory that is not sealed, or of another size' ;;
		esac
	done
}

# A JVM waits for it for five seconds, whichever JVM it is.
test_silent()
{
	room 700 "$(id -u)"
	listen silent
	meet "a tool that does not answer" 160
	told "a tool that does not answer"
}

# The tool changes values after the agent has checked them.
test_changes()
{
	for how in later heads; do
		room 700 "$(id -u)"
		listen $how
		meet "memory that changes: $how" 160
		told "memory that changes: $how"
	done
	if [ -e "$TMP/hs_err" ]; then
		fail "$name: no JVM has crashed" "$TMP/hs_err"
	fi
}

# A program closes descriptors of the agent, and opens files of its own under their numbers.
test_descriptors()
{
	rm -f "$data"
	run "$OJX" record -q -o "$data" --budget 100 --interval 4k -e replica,locality -- "$java" \
		-Xmx128m -XX:ErrorFile="$TMP/hs_err" -cp "$classes" Signals everything "$TMP/signals.so"
	is "$name: files under the agent's numbers are left alone" "$status $(cat "$TMP/out")" \
		"0 everything 180000000 true"
	like "$name: there was a socket" "$TMP/err" '^events [1-9]'
	is "$name: what came before was recorded" "$("$OJX" report --format=json -i "$data" \
		>"$TMP/json"; json "$TMP/json" "sum(c['sampled'] for c in r['contexts']) > 0")" True
}

# watch_memory PID WHAT: kilobytes of the memory that a recording shares with its JVM. `most`: the
# maximum until the file $TMP/idle exists; `least`: the minimum within the next twenty seconds
watch_memory()
{
	python3 - "$1" "$2" "$TMP/idle" <<'PYTHON'
import os, sys, time
tool, what, idle = '/proc/' + sys.argv[1] + '/fd', sys.argv[2], sys.argv[3]
def kilobytes():
    for fd in os.listdir(tool):
        try:
            if os.readlink(tool + '/' + fd).startswith('/memfd:ojx'):
                return os.stat(tool + '/' + fd).st_blocks // 2
        except FileNotFoundError:
            pass
    return 0
if what == 'most':
    figure, end = 0, time.time() + 200
    while not os.path.exists(idle) and time.time() < end:
        time.sleep(0.01)
        figure = max(figure, kilobytes())
    figure = max(figure, kilobytes())
else:
    figure, end = kilobytes(), time.time() + 120
    while figure > 2500 and time.time() < end:
        time.sleep(0.1)
        figure = min(figure, kilobytes())
print(figure)
PYTHON
}

# begin_memory ARGUMENT...: records 200 threads that send much, as $ojx
begin_memory()
{
	rm -f "$data" "$TMP/idle" "$TMP/stop"
	"$OJX" record -q -o "$data" --budget 100 --interval 256 -- "$java" -Xmx64m -Xss256k \
		-XX:+UseSerialGC -XX:ReservedCodeCacheSize=16m -XX:TieredStopAtLevel=1 \
		-XX:ErrorFile="$TMP/hs_err" -cp "$classes" Memory 200 "$TMP/idle" "$TMP/stop" "$@" \
		>"$TMP/out" 2>"$TMP/err" &
	ojx=$!
}

has_joined()
{
	grep -q -m 1 memfd:ojx "/proc/$(pgrep -P $ojx -x java)/maps"
}

# end_memory TITLE OUTPUT
end_memory()
{
	status=0
	touch "$TMP/stop"
	wait $ojx || status=$?
	is "$name: $1: the program runs to its end" "$status $(cat "$TMP/out")" "0 $2"
}

test_memory()
{
	begin_memory
	most=$(watch_memory $ojx most)
	is "$name: 200 threads: $most kB are less than 20000" "$((most > 0 && most < 20000))" 1
	end_memory "200 threads" "memory 7000000"

	# if the tool reads nothing, there is a limit; once it has read, all is given back
	touch "$TMP/idle.hold"
	begin_memory
	wait_for 100 has_joined
	kill -STOP $ojx
	rm "$TMP/idle.hold"
	most=$(watch_memory $ojx most)
	is "$name: a tool that stands still: $most kB are between 4000 and 20000" \
		"$((most > 4000 && most < 20000))" 1
	kill -CONT $ojx
	least=$(watch_memory $ojx least)
	is "$name: a tool that goes on: $least kB are less than 2500" "$((least < 2500))" 1
	end_memory "a tool that stands still" "memory 7000000"

	if [ "$(ulimit -l)" = unlimited ] || is_root "memory that is locked"; then
		begin_memory "$TMP/memory.so"
		most=$(watch_memory $ojx most)
		is "$name: memory is locked: $most kB are less than 20000" \
			"$((most > 0 && most < 20000))" 1
		end_memory "memory is locked" "memory 7000000 0"
	fi
}

tests=(good stale others parent nonsense changes descriptors memory)
once=(silent)
on_each_jdk "$@"
done_testing
