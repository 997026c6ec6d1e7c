#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# C libraries: the agent loads with an old glibc, and a program that runs with musl runs on without the agent. That the
# agent and the static tool work with an old glibc is what test/oldlibc (make oldlibc) is about.
# Other tests may run at the same time.
. "$(dirname "$0")/lib.sh"

# ---- the agent -------------------------------------------------------------------------------

agent=$TOP/libojx-agent.so
objdump -T "$agent" | grep -oE '\(?GLIBC_[0-9.]+' | tr -d '(' | sort -uV >"$TMP/versions"
check "the agent needs versions of glibc" test -s "$TMP/versions"
is "the newest is 2.17" "$(tail -n 1 "$TMP/versions")" GLIBC_2.17
# libdl and libpthread hold functions before 2.34, and are there later, too
is "it needs the C library, and no other" "$(readelf -d "$agent" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')" \
	"libc.so.6 libdl.so.2 libm.so.6 libpthread.so.0 "

# numbers in its options do not follow the program's locale
unlike "it reads no numbers by the locale" <(objdump -T "$agent") ' (strto(d|f|ld)|atof)$'

# ---- musl ------------------------------------------------------------------------------------

if ! command -v musl-gcc >/dev/null; then
	skip "musl" "no musl-gcc"
	done_testing
fi
cat >"$TMP/program.c" <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argc;
	puts(argv[1]);
	fflush(stdout);
	if (dlopen(argv[2], RTLD_NOW))
		sleep(600);
	return 3;
}
EOC
mkdir -p "$TMP/jdk/bin" "$TMP/jdk/lib/server"
musl-gcc -o "$TMP/jdk/bin/java" "$TMP/program.c" || exit 1
echo 'int JVM_GetVersionInfo;' | musl-gcc -shared -fPIC -x c -o "$TMP/jdk/lib/server/libjvm.so" - || exit 1
echo 'JAVA_VERSION="21.0.2"' >"$TMP/jdk/release"
printf '#! %s -x\n' "$TMP/jdk/bin/java" >"$TMP/script"
printf '#!%s\n' "$TMP/script" >"$TMP/again"
chmod +x "$TMP/script" "$TMP/again"
for program in jdk/bin/java script again; do
	run "$OJX" record -q -o "$TMP/data" -- "$TMP/$program" hello /none
	is "$program: it runs" "$status" 3
	like "$program: with its arguments" "$TMP/out" '^(hello|-x)$'
	is "$program: one line says why it is not recorded" "$(cat "$TMP/err")" \
		"ojx: '$TMP/$program' runs with the C library musl (Alpine), and the agent needs glibc: the command runs without it, and nothing is recorded"
done
run "$OJX" record -o "$TMP/data" -- /bin/sh -c 'exit 5'
unlike "a program with glibc: nothing is said of musl" "$TMP/err" musl
printf '#!%s\n' "$TMP/self" >"$TMP/self"
chmod +x "$TMP/self"
run timeout 60 "$OJX" record -o "$TMP/data" -- "$TMP/self"
unlike "a script that runs itself: nothing is said of musl" "$TMP/err" musl

"$TMP/jdk/bin/java" hello "$TMP/jdk/lib/server/libjvm.so" >"$TMP/output" &
jvm=$!
wait_for 60 grep -q libjvm "/proc/$jvm/maps"
run "$OJX" record -p $jvm -o "$TMP/data"
is "attaching: 125" "$status" 125
is "attaching: one line says why not" "$(sed 's/(.*) runs/() runs/' "$TMP/err")" \
	"ojx: pid $jvm () runs with the C library musl (Alpine): ojx's agent needs glibc: use an image that has it"
run "$OJX" doctor -p $jvm
like "doctor -p: it says so, too" "$TMP/out" '^failed .*runs with the C library musl \(Alpine\)'
kill $jvm
done_testing
