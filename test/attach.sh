# SPDX-License-Identifier: Apache-2.0
# For tests of what attaches to a JVM: source it behind lib.sh. A JVM runs test/jvm/Paced.java until a file exists.

ulimit -c 0
chmod 755 "$TMP"
classes=$TMP/classes
data=$TMP/ojx.data
find_jdks
# JVMs are chosen by the name of their class, which no other test uses
paced=Paced$$
sed "s/\bPaced\b/$paced/g" "$TOP/test/jvm/Paced.java" >"$TMP/$paced.java"
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TMP/$paced.java" "$TOP/test/jvm/Waiting.java" || exit 1
mkdir "$TMP/stop"
chmod 777 "$TMP/stop"
begun=0

# begin [PREFIX...] -- [OPTION...]: starts a JVM; sets jvm, its pid, output, and stop, the file that ends it
begin()
{
	local before behind
	split "$@"
	begun=$((begun + 1))
	output=$TMP/output.$begun
	stop=$TMP/stop/$begun
	"${before[@]}" "$java" -Xmx64m "${behind[@]}" -XX:ErrorFile="$TMP/hs_err.%p" -cp "${at:-$classes}" $paced 600 3 "${stop_at:-$stop}" \
		</dev/null >"$output" 2>&1 &
	child=$!
	wait_for 120 sh -c 'grep -q "^out" "$1" || ! kill -0 "$2"' sh "$output" $child
	grep -q '^out' "$output" || fail "the program does not start" "$output"
	jvm=$(pgrep -n -f "$paced 600 3 ${stop_at:-$stop}\$")
}

# end: the JVM ends as it would without ojx; sets status
end()
{
	touch "$stop"
	reap $child
	is "$1: the program goes on to its own end" "$status $(grep -c '^done' "$output")" "3 1"
	unlike "$1: no dump of its threads" "$output" 'Full thread dump'
	is "$1: no crash" "$(find "$TMP" -name 'hs_err*')" ""
}

# points: whether the recording has objects of the program
points()
{
	"$OJX" report --stdio --all -i "$data" 2>/dev/null | grep -q "$paced\\\$Point"
}

# attach TITLE OPTION...: records the JVM until its objects are there, longer on a slow
# machine
attach()
{
	local seconds title=$1
	shift
	for seconds in 1 4 20 60; do
		rm -f "$data"
		run "$OJX" record -p "$jvm" --duration $seconds -o "$data" --interval 16k "$@"
		! points || break
	done
	is "$title: exit status 0" "$status" 0
	check "$title: its objects are recorded" points
	like "$title: it says that it has left" "$TMP/err" \
		"^\[ ojx record: detached from pid $jvm \($paced\), which goes on \]$"
	is "$title: nothing is left in /tmp" "$(find "/proc/$jvm/root/tmp" -maxdepth 1 \
		\( -name ".ojx_pid*" -o -name ".attach_pid*" \) -newer "$classes" 2>/dev/null | grep -E "pid($jvm|1)$")" ""
}

# cpu_ms: CPU time of the JVM so far
cpu_ms()
{
	awk -v ticks="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000 / ticks) }' "/proc/$jvm/stat"
}

# told_ms: the CPU time that the recording's cost is a share of, as ojx said
told_ms()
{
	sed -n 's/^.* cost .* of \([0-9.]* [a-z]*\) of CPU time.*/\1/p' "$TMP/err" |
		awk '{ print int($1 * ($2 == "s" ? 1000 : $2 == "ms" ? 1 : 60000)) }'
}

# refused TITLE MESSAGE [OPTION...]: nothing is recorded, for this reason
refused()
{
	local title=$1 message=$2
	shift 2
	run "$OJX" record -p "$jvm" --duration 1 -o "$data" "$@"
	is "$title: exit status 125" "$status" 125
	like "$title: it says why" "$TMP/err" "^ojx: .*$message"
	is "$title: in one line" "$(wc -l <"$TMP/err")" 1
}

# listed: the row of the JVM in `ojx list jvms`
listed()
{
	"$OJX" list jvms --format=json >"$TMP/list" 2>/dev/null
	json "$TMP/list" "[j['$1'] for j in r['jvms'] if j['pid'] == $jvm][0]" 2>&1
}
