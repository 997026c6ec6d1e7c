#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OJX_TRACE: a line for each decision of the agent, and no file touched that is not its own.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
find_jdks
java=${jdks[0]}/bin/java
mkdir "$TMP/classes"
cat >"$TMP/Made.java" <<'JAVA'
public class Made {
	static Object kept;
	public static void main(String[] args) {
		for (int i = 0; i < 4000000; i++)
			kept = new long[] { i };
		for (int i = 0; i < 20; i++)
			System.gc();
		System.out.println("made");
	}
}
JAVA
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$TMP/classes" "$TMP/Made.java" || exit 1

# traced VALUE [OPTION...]: records the program with OJX_TRACE
traced()
{
	local value=$1
	shift
	OJX_TRACE=$value run "$OJX" record -o "$TMP/data" --interval 64k "$@" -- \
		"$java" -Xmx64m -XX:+UseSerialGC -XX:ErrorFile="$TMP/hs_err.%p" -cp "$TMP/classes" Made
	is "$value: the program is as without it" "$status $(grep -c '^made' "$TMP/out")" "0 1"
}

umask 0
traced "$TMP/trace-%p.txt"
umask 22
file=$(find "$TMP" -name 'trace-*.txt')
is "one file, which nobody else can read" "$(stat -c '%a %h' "$file")" "600 1"
is "it begins with its name" "$(head -n 1 "$file")" "ojx trace"
id=${file##*-}
like "each line has the process and the time" "$file" "^ojx ${id%.txt} [0-9]+\.[0-9]{3}: part "
is "and no other line is in it" "$(grep -cvE "^ojx (trace|${id%.txt} [0-9]+\.[0-9]{3}: .*)$" "$file")" 0
like "a part that works" "$file" ': part snapshots: works$'
like "a part that nobody asked for" "$file" ': part lives: not asked for$'
like "the interval" "$file" ': interval: an allocation is sampled every 65536 bytes$'
like "the governor" "$file" ': budget: callbacks and traps may take '
like "collections" "$file" ': collections: [1-9][0-9]* pauses, '
like "rounds of snapshots" "$file" ': snapshots: a round of .* [1-9][0-9]* objects so far$'
like "the end" "$file" ': end: the last round$'

traced stderr -e dead-store
like "standard error" "$TMP/err" '^ojx [0-9]+ [0-9]+\.[0-9]{3}: part '
unset OJX_TRACE
run "$OJX" record -o "$TMP/data" -- "$java" -cp "$TMP/classes" Made
unlike "nothing without the variable" "$TMP/err" '^ojx [0-9]+ [0-9]'

# Files that are not its own stay as they are, and a line says why nothing is traced.
echo "my notes" >"$TMP/notes"
ln -s "$TMP/notes" "$TMP/link"
ln -s "$TMP/nothing" "$TMP/dangling"
printf 'ojx trace\n' >"$TMP/twice"
ln "$TMP/twice" "$TMP/twice.too"
mkfifo "$TMP/fifo"
for what in "notes:another file of that name" "link:" "dangling:" "twice:more than one name" "fifo:" "none/there:No such file" \
	"classes:"; do
	traced "$TMP/${what%%:*}"
	like "${what%%:*}: a line says so" "$TMP/err" \
		"^ojx: OJX_TRACE=$TMP/${what%%:*}: .*${what#*:}.*: nothing is traced$"
done
is "the other file is as it was" "$(cat "$TMP/notes")" "my notes"
is "nothing was made behind a link" "$(ls "$TMP/nothing" 2>/dev/null)" ""
is "a file with two names is as it was" "$(cat "$TMP/twice")" "ojx trace"

# A process of other rights than its caller's does not listen: here of another real user.
if [ "$(id -u)" = 0 ] && command -v python3 >/dev/null; then
	file=file=$TMP/alone.ojx,duration=60s
	OJX_TRACE=$TMP/rights run python3 -c 'import os, sys; os.setresuid(1, 0, 0); os.execv(sys.argv[1], sys.argv[1:])' \
		"$java" -Xmx64m "-agentpath:$TOP/libojx-agent.so=$file" -cp "$TMP/classes" Made
	is "another real user: the program runs" "$status" 0
	is "another real user: no file" "$(ls "$TMP/rights" 2>/dev/null)" ""
	OJX_TRACE=$TMP/rights run "$java" -Xmx64m "-agentpath:$TOP/libojx-agent.so=$file" -cp "$TMP/classes" Made
	like "the same user: the agent alone traces, too" "$TMP/rights" ': part snapshots: works$'
else
	skip "another real user" "only root can be several users"
fi
is "no crash" "$(find "$TMP" -name 'hs_err*')" ""
done_testing
