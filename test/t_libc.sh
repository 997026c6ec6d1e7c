#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# C libraries: one agent loads with an old glibc and with musl. JVMs with musl have a test of their own (t_musl.sh); whether the
# agent and the static tool work with an old glibc is what test/another_libc (make oldlibc) is about.
# Other tests may run at the same time.
. "$(dirname "$0")/lib.sh"

# ---- the agent -------------------------------------------------------------------------------

agent=$TOP/libojx-agent.so
is "the agent needs no version of glibc" "$(objdump -T "$agent" | grep -oE 'GLIBC_[0-9.]+')" ""
is "it names no library" "$(readelf -d "$agent" | grep NEEDED)" ""
# Of compilers, clang of before 17 has no descriptors for x86-64: what it makes is for glibc alone.
descriptors=
for option in -mtls-dialect=gnu2 -mtls-dialect=desc; do
	! "${CC:-cc}" $option -E - </dev/null >"$TMP/null" 2>&1 || descriptors=yes
done
readelf -rW "$agent" | grep -oE 'R_[A-Z0-9_]*(TLS|TPOFF|DTPMOD|TPREL)[A-Z0-9]*' | sort -u >"$TMP/tls"
is "its thread-local variables have descriptors, which musl knows, too" \
	"$(sed 's/.*_//' "$TMP/tls")" "$([ "$descriptors" ] && echo TLSDESC || echo TPOFF64)"
# What it takes is there where it runs. glibc gives who names no version the oldest: old are those that its first release had.
objdump -T "$agent" | awk '/\*UND\*/ { print $NF }' | sort -u >"$TMP/taken"
check "it takes functions" test -s "$TMP/taken"
c_library=$(ldd "$(command -v ls)" | sed -nE 's/.* (\/[^ ]*libc\.so\.6) .*/\1/p')
readelf -W --dyn-syms "$c_library" | awk '$7 != "UND" { print $8 }' | sort -u >"$TMP/symbols"
is "glibc has all of them" "$(comm -23 "$TMP/taken" <(sed 's/@.*//' "$TMP/symbols" | sort -u) | tr '\n' ' ')" ""
sed -nE 's/@+GLIBC_/ /p' "$TMP/symbols" | awk '{ split($2, v, "."); n = v[1] * 1000 + v[2]; if (!($1 in first) || n < first[$1]) first[$1] = n }
	END { for (f in first) if (first[f] > 2017) print f }' | sort >"$TMP/new"
is "and 2.17 has had them" "$(comm -12 "$TMP/taken" "$TMP/new" | tr '\n' ' ')" ""

# numbers in its options do not follow the program's locale
unlike "it reads no numbers by the locale" <(objdump -T "$agent") ' (strto(d|f|ld)|atof)$'

# without room for its variables, handlers could not read them
if [ "$descriptors" ]; then
	find_jdks
	run env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=0 "$OJX" record -o "$TMP/data" -- "${jdks[0]}/bin/java" -version
	is "no room for thread-local variables: the program runs" "$status" 0
	like "no room for thread-local variables: it is told" "$TMP/err" \
		"^ojx: pid [0-9]+ .* has no room left in its C library for the agent's variables \(GLIBC_TUNABLES=.*\): not profiled\$"
	is "no room for thread-local variables: nothing else is told" "$(grep -c '^ojx:' "$TMP/err")" 1
else
	skip "no room for thread-local variables" "the compiler has no descriptors of them"
fi

# ---- musl ------------------------------------------------------------------------------------

if ! command -v musl-gcc >/dev/null; then
	skip "musl" "no musl-gcc"
	done_testing
fi
# The agent in a program with musl: it loads, and Agent_OnLoad comes to what stands in for a JVM, which is no HotSpot.
cat >"$TMP/jvm.c" <<'EOC'
#include <dlfcn.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static jint (*load)(JavaVM *, char *, void *);
static int asked;

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *memory)
{
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL property(jvmtiEnv *env, const char *name, char **value)
{
	asked++;
	*value = (char *)(strcmp(name, "java.vm.name") == 0 ? "Stand-in" : "17");
	return JVMTI_ERROR_NONE;
}

/* every other function of JVMTI */
static jvmtiError JNICALL refuses(jvmtiEnv *env)
{
	return JVMTI_ERROR_NOT_AVAILABLE;
}

static struct jvmtiInterface_1_ table;
static jvmtiEnv environment = &table;

static jint JNICALL get_env(JavaVM *vm, void **env, jint version)
{
	*env = &environment;
	return JNI_OK;
}

static struct JNIInvokeInterface_ invoke = { .GetEnv = get_env };
static JavaVM vm = &invoke;

int main(int argc, char **argv)
{
	void *agent = dlopen(argv[1], RTLD_NOW);

	if (!agent) {
		printf("%s\n", dlerror());
		return 1;
	}
	for (size_t i = 0; i < sizeof table / sizeof(void *); i++)
		((void **)&table)[i] = (void *)refuses;
	table.GetSystemProperty = property;
	table.Deallocate = deallocate;
	load = (jint (*)(JavaVM *, char *, void *))dlsym(agent, "Agent_OnLoad");
	jint status = load ? load(&vm, argv[2], NULL) : -1;
	printf("loaded, %d, asked %d\n", (int)status, asked);
	return 0;
}
EOC
jdk=$("$TOP/agent/jdks.sh" | head -n 1)
check "a program that stands in for a JVM with musl is built" \
	musl-gcc -w -I"$jdk/include" -I"$jdk/include/linux" -o "$TMP/jvm" "$TMP/jvm.c"
if [ "$descriptors" ]; then
	run "$TMP/jvm" "$agent" "file=$TMP/alone.data"
	like "the agent loads there, and the program goes on" "$TMP/out" '^loaded, 0, asked [1-9]'
	like "and says that this is no HotSpot" "$TMP/err" 'this is no HotSpot of JDK 11 or later'
else
	skip "the agent in a program with musl" "the compiler has no descriptors of thread-local variables"
fi

done_testing
