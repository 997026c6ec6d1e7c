#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Loading the agent must not keep a JVM from running: wherever ojx is installed, whatever happens to
# the installation while a daemon of the recording goes on, whichever user the JVM runs as, and
# whichever options the JVM has that do not go with an agent. Also: files that only their owner may
# read. The JDKs are those of agent/jdks.sh, and runtimes in $JDKS (separated by colons).
. "$(dirname "$0")/lib.sh"

ulimit -c 0
classes=$TMP/classes
mapfile -t jdks < <("$TOP/agent/jdks.sh")
"${jdks[0]}/bin/javac" -nowarn --release 11 -g -d "$classes" "$TOP/test/jvm/Keeper.java" || exit 1
IFS=: read -r -a more <<<"${JDKS:-}"
for home in ${more[@]+"${more[@]}"}; do
	[ -x "$home/bin/java" ] && jdks+=("$home")
done
java=${jdks[0]}/bin/java
cd "$TMP" || exit 1

# The JVM tells which agent it has loaded.
cat >Hello.java <<'JAVA'
public class Hello {
    public static void main(String[] args) throws Exception {
        java.nio.file.Files.lines(java.nio.file.Path.of("/proc/self/maps"))
            .filter(l -> l.contains("libojx-agent")).map(l -> l.replaceAll("^[^/]*", "")).distinct()
            .forEach(System.out::println);
        System.out.println("hello");
    }
}
JAVA
"${jdks[0]}/bin/javac" -nowarn --release 11 -d "$classes" Hello.java || exit 1
"${jdks[0]}/bin/jar" --create --file app.jar -C "$classes" . || exit 1

# install DIR: installs ojx and its agent as in a build tree
install()
{
	mkdir -p "$1"
	cp "$TOP/ojx" "$TOP/libojx-agent.so" "$1/"
}

# recorded FILE: the number of JVMs
recorded()
{
	"$OJX" report --format=json -i "$1" 2>/dev/null >jvms.json
	json jvms.json "len(r['recording']['jvms'])" 2>/dev/null || echo 0
}

# ---- where the agent is -----------------------------------------------------------------------

# loads TITLE OJX: a JVM runs with the agent of that installation, by -agentpath and by the
# environment
loads()
{
	local title=$1 tool=$2
	run "$tool" record -q -o a.data "$java" -cp "$classes" Hello
	is "$title, -agentpath: exit status" "$status" 0
	is "$title, -agentpath: nothing is said" "$(cat err)" ""
	is "$title, -agentpath: the JVM is recorded" "$(recorded a.data)" 1
	agent=$(head -n 1 out)
	check "$title, -agentpath: it has a copy of the agent" cmp "$agent" "$(dirname "$tool")/libojx-agent.so"
	unlike "$title, -agentpath: the path is plain" out '[ =,].*\.so'
	run "$tool" record -q -o b.data sh -c "exec '$java' -cp '$classes' Hello"
	is "$title, environment: exit status" "$status" 0
	is "$title, environment: the JVM is recorded" "$(recorded b.data)" 1
	is "$title, environment: it has the same copy" "$(head -n 1 out)" "$agent"
}

install "$TMP/usual"
loads "an installation of a user's" "$TMP/usual/ojx"
stat=$(stat -c '%i %a' "$agent")
install "$TMP/a=b"
loads "a path with a =" "$TMP/a=b/ojx"
is "the copy is made once, and readable" "$(stat -c '%i %a' "$agent")" "${stat% *} 555"
install "$TMP/a, b"
loads "a path with a blank and a comma" "$TMP/a, b/ojx"

# Such a path cannot be passed to a JVM, and there is no place for a copy.
as_user=()
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$TMP" "$TMP/a=b"
	as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
run ${as_user[@]+"${as_user[@]}"} sh -c 'unset HOME XDG_CACHE_HOME; exec "$0" record -o /dev/null true' "$TMP/a=b/ojx"
is "no place for a copy: the command is not run" "$status" 125
like "no place for a copy: this is said" err "^ojx: cannot use the agent .*its path has a '='"

# ---- daemons ---------------------------------------------------------------------------------

# keeper TITLE OJX: leaves a daemon behind, whose pid is $pid
keeper()
{
	rm -f go keeper.out
	run "$2" record -o k.data sh -c \
		"'$java' -cp '$classes' Keeper go '$java' -cp '$classes' Hello >keeper.out 2>&1 &
		 echo \$!; until grep -q ready keeper.out; do sleep 0.1; done; sleep 0.3"
	pid=$(cat out)
	is "$1: exit status" "$status" 0
	like "$1: the daemon is named" err "still running.*: pid $pid \(Keeper\)"
	is "$1: in one line" "$(grep -c 'still running' err)" 1
	is "$1: the daemon is recorded" "$(recorded k.data)" 1
}

# goes_on TITLE: the daemon starts another JVM, which runs
goes_on()
{
	touch go
	wait_for 120 grep -q 'started a JVM' keeper.out
	like "$1: a JVM that the daemon starts runs" keeper.out '^started a JVM: 0$'
	like "$1: its program runs" keeper.out '^hello$'
	like "$1: it got the agent's path" keeper.out "^Picked up JAVA_TOOL_OPTIONS: .*-agentpath:$agent="
}

for dir in usual "a=b"; do
	keeper "an agent in '$dir'" "$TMP/$dir/ojx"
	goes_on "an agent in '$dir'"
done
keeper "an agent that is upgraded" "$TMP/usual/ojx"
echo "another build, half written" >"$TMP/usual/libojx-agent.so"
goes_on "an agent that is upgraded"
install "$TMP/usual"
keeper "an installation that is removed" "$TMP/usual/ojx"
rm -rf "$TMP/usual"
goes_on "an installation that is removed"

run "$OJX" record -o k.data "$java" -cp "$classes" Hello
unlike "no JVM goes on: none is named" err 'still running'

# ends_first OPTION... -- COMMAND...: a recording that ends before the program
ends_first()
{
	record_part has_joined k.data go "$@"
}

has_joined()
{
	[ "$(recorded k.data)" = 1 ]
}

ends_first -- "$java" -cp "$classes" Keeper go true
is "a recording that ends first: exit status" "$status" 0
like "a recording that ends first: the program is named" err 'still running.* \(Keeper\)'
printf -- '-cp\n"%s"\nKeeper\n' "$classes" >keeper.args
ends_first -- "$java" @keeper.args go true
like "named, where the class is in an argument file" err 'still running.* \(Keeper\)'
ends_first -q -- "$java" @keeper.args go true
is "with -q nothing is said" "$(cat err | grep -v '^Picked up')" ""

# ---- another user ----------------------------------------------------------------------------

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	user=$(id -un 65534)
	chmod 755 "$TMP" "$classes"
	install "$TMP/hidden"
	chmod 700 "$TMP/hidden"
	# the JVMs run until they have been seen: a short one may end before anybody looks
	rm -f go err
	"$TMP/hidden/ojx" record -o u.data "${other[@]}" "$java" -cp "$classes" Keeper go true >out 2>err &
	wait_for 120 grep -q 'is not recorded' err
	touch go
	reap $!
	is "another user's JVM, an agent it cannot reach: exit status" "$status" 0
	like "another user's JVM: the program runs" out '^started a JVM: 0$'
	like "another user's JVM: this is said" err "^ojx: pid [0-9]+: a JVM of user '$user' is not recorded, only those of '$(id -un)' are"
	is "another user's JVM: in one line" "$(grep -c '^ojx' err)" 1
	run "$OJX" record -q -o u.data sh -c "'$java' -cp '$classes' Hello; ${other[*]} '$java' -cp '$classes' Hello"
	is "a JVM of each user: exit status" "$status" 0
	is "a JVM of each user: ours is recorded" "$(recorded u.data)" 1
	rm -f go err
	"$OJX" record -o u.data env -u JAVA_TOOL_OPTIONS "${other[@]}" "$java" -cp "$classes" Keeper go true >out 2>err &
	wait_for 120 grep -q 'is not recorded' err
	touch go
	wait $!
	like "another user's JVM, that has no environment of ours, as sudo does it" err "^ojx: pid [0-9]+: a JVM of user '$user' is not recorded"
	unlike "another user's JVM: nobody says that there was none" err 'no JVM was started'
else
	skip "another user's JVM" "only root can start one"
fi
# ---- the variable --------------------------------------------------------------------------------

# The JVM runs until it has been seen.
rm -f go err
"$OJX" record -o u.data sh -c "unset JAVA_TOOL_OPTIONS; exec '$java' -cp '$classes' Keeper go true" >out 2>err &
recorder=$!
wait_for 120 grep -q 'is not recorded' err
touch go
reap $recorder
is "a script that unsets the variable: exit status" "$status" 0
like "a script that unsets the variable: this is said, and what to do" err \
	"^ojx: pid ([0-9]+) \\(Keeper\\) is not recorded: JAVA_TOOL_OPTIONS did not reach it, .*'ojx record -p \\1' records it$"
is "a script that unsets the variable: in one line" "$(grep -c '^ojx' err)" 1
run "$OJX" record -o u.data sh -c "'$java' -version 2>&1 | head -n 1; '$java' -cp '$classes' Hello"
like "a version into a pipe: it begins with the variable" out '^Picked up JAVA_TOOL_OPTIONS'
like "a version into a pipe: this is said, and what to do" err \
	"^ojx: pid [0-9]+, a JVM that was asked for its version, announced JAVA_TOOL_OPTIONS into a pipe: .*'ojx record -p PID'"
is "a version into a pipe: in one line" "$(grep -c '^ojx' err)" 1
run "$OJX" record -o u.data sh -c "'$java' -version"
unlike "a version into a file: nothing is said" err 'into a pipe'
"$OJX" record -o u.data sh -c "'$java' -version" 2>&1 | cat >out
like "a version into the pipe of ojx's own words" out '^Picked up JAVA_TOOL_OPTIONS'
unlike "a version into the pipe of ojx's own words: nothing is said" out 'into a pipe'
run "$OJX" record -o u.data sh -c "'$java' -cp '$classes' Hello 2>&1 | cat"
unlike "a program's words into a pipe: nothing is said" err 'into a pipe'
run "$OJX" record -o u.data true
like "no JVM at all: ojx record -p is named" err "nothing was recorded; 'ojx record -p PID' records a JVM that runs$"
like "no JVM at all: as ever" err '^ojx: no JVM was started by this command, or '
run "$OJX" record -o u.data "$java" -XX:NoSuchOption
is "a JVM that does not start: exit status" "$status" 1
like "a JVM that does not start: as ever" err '^ojx: no JVM was started by this command: nothing was recorded$'

# ---- archives of classes ------------------------------------------------------------------------

# dumps TITLE FILE COMMAND...: it works, FILE is made, and ojx says why nothing was recorded
dumps()
{
	local title="$name: $1" file=$2
	shift 2
	rm -f "$file"
	run "$OJX" record -q -o d.data -- "$@"
	is "$title: exit status" "$status" "${want:-0}"
	[ -z "$file" ] || check "$title: the archive is written" test -s "$file"
	like "$title: one line says why" err '^ojx: -X.*: a JVM that writes an archive of its classes cannot have an agent: the command runs without it, and nothing is recorded$'
	is "$title: no other line" "$(grep -c '^ojx' err)" 1
}

# records TITLE COMMAND...: it works, and is recorded
records()
{
	local title="$name: $1"
	shift
	run "$OJX" record -q -o d.data -- "$@"
	is "$title: exit status" "$status" 0
	unlike "$title: ojx has nothing to say" err '^ojx'
	is "$title: recorded" "$(recorded d.data)" 1
}

feature()
{
	"$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.vm.specification.version = //p'
}

# Wherever the option is given.
run_places()
{
	printf '# an archive\n"-Xshare:dump"\n -XX:SharedArchiveFile="s.jsa"\n' >dump.args
	dumps "@argfile" s.jsa "$java" @dump.args
	dumps "env JDK_JAVA_OPTIONS" s.jsa env JDK_JAVA_OPTIONS=@dump.args "$java"
	dumps "below a shell" s.jsa sh -c "'$java' -Xshare:dump -XX:SharedArchiveFile=s.jsa; exit \$?"
	export JAVA_TOOL_OPTIONS='-Xshare:dump -XX:SharedArchiveFile=s.jsa'
	run "$java"
	want=$status dumps "JAVA_TOOL_OPTIONS" s.jsa "$java"
	unset JAVA_TOOL_OPTIONS
	records "an option of the program" "$java" "${hello[@]}" -Xshare:dump
	records "an option that is taken back" \
		"$java" -XX:+RecordDynamicDumpInfo -XX:-RecordDynamicDumpInfo "${hello[@]}"
}

run_dumps()
{
	local jdk archive=e.jsa
	jdk=$(feature)
	name="JDK $jdk"
	dumps "-Xshare:dump" s.jsa "$java" -Xshare:dump -XX:SharedArchiveFile=s.jsa
	records "an archive that is used" "$java" -XX:SharedArchiveFile=s.jsa "${hello[@]}"
	[ "$jdk" -ge 17 ] || return 0
	# a runtime may have no archive to which another one can be added
	[ -f "$home/lib/server/classes.jsa" ] || archive=
	dumps "-XX:ArchiveClassesAtExit" "$archive" "$java" -XX:ArchiveClassesAtExit=e.jsa "${hello[@]}"
	like "$name: -XX:ArchiveClassesAtExit: the program runs" out '^hello$'
	dumps "-XX:+RecordDynamicDumpInfo" "" "$java" -XX:+RecordDynamicDumpInfo "${hello[@]}"
	[ "$jdk" -ge 18 ] && dumps "-XX:+AutoCreateSharedArchive" "" \
		"$java" -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=c.jsa "${hello[@]}"
	[ "$jdk" -ge 25 ] || return 0
	records "-XX:AOTMode=record" "$java" -XX:AOTMode=record -XX:AOTConfiguration=a.conf "${hello[@]}"
	dumps "-XX:AOTMode=create" a.aot "$java" -XX:AOTMode=create -XX:AOTConfiguration=a.conf \
		-XX:AOTCache=a.aot -cp app.jar
	check "$name: what was recorded with the agent is good without it" \
		"$java" -XX:AOTMode=on -XX:AOTCache=a.aot "${hello[@]}"
	records "-XX:AOTCache" "$java" -XX:AOTMode=on -XX:AOTCache=a.aot "${hello[@]}"
	rm -f o.aot
	records "-XX:AOTCacheOutput" "$java" -XX:AOTCacheOutput=o.aot "${hello[@]}"
	check "$name: -XX:AOTCacheOutput: the cache is good" "$java" -XX:AOTMode=on -XX:AOTCache=o.aot "${hello[@]}"
	rm -f o.aot
	records "-XX:AOTCacheOutput below a shell" sh -c "'$java' -XX:AOTCacheOutput=o.aot ${hello[*]}; exit \$?"
	check "$name: -XX:AOTCacheOutput below a shell: the cache is good" \
		"$java" -XX:AOTMode=on -XX:AOTCache=o.aot "${hello[@]}"
}

hello=(-cp app.jar Hello)
for home in "${jdks[@]}"; do
	java=$home/bin/java
	run_dumps
	[ "$home" = "${jdks[0]}" ] && run_places
done

# ---- what the tool costs ------------------------------------------------------------------------

# A script that worked for a second before it becomes ojx. The recording's cost is without that.
used='import os, sys, time
while time.process_time() < 1:
	pass
os.execvp(sys.argv[1], sys.argv[1:])'
run python3 -c "$used" "$OJX" record -q -o c.data "$java" -cp "$classes" Hello
tool_ns=$("$OJX" dump -i c.data -t status | tail -n 1 | grep -o 'tool_ns=[0-9]*' | cut -d= -f2)
check "what a script used that became ojx is none of the tool's: $tool_ns ns" [ "$status" = 0 -a "$tool_ns" -gt 0 -a "$tool_ns" -lt 900000000 ]

# ---- files for their owner alone ----------------------------------------------------------------

compile_make_data
"$make_data" values v.data
"$make_data" full f.data
umask 022
like "the recording has a text" v.data secret
for as in text json csv html collapsed speedscope pprof jfr dhat; do
	rm -f new
	run "$OJX" report --stdio -i v.data --format=$as -o new
	is "$as with texts: exit status, mode" "$status $(stat -c %a new)" "0 600"
	echo old >there
	chmod 644 there
	exec 3<there
	run "$OJX" report --stdio -i v.data --format=$as -o there
	is "$as with texts, over another file: exit status, mode" "$status $(stat -c %a there)" "0 600"
	check "$as with texts, over another file: the same" cmp new there
	is "$as with texts: who had the other one open sees nothing" "$(cat <&3)" old
	exec 3<&-
	run "$OJX" report --stdio -i f.data --format=$as -o plain
	is "$as without texts: mode" "$status $(stat -c %a plain)" "0 644"
	rm -f plain
done
is "nothing else is left" "$(ls -d new.* there.* 2>/dev/null)" ""
done_testing
