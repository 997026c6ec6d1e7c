#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test/deps.sh on machines of all sorts, played by programs that stand for Debian's.
. "$(dirname "$0")/lib.sh"

tree=$TMP/tree bin=$TMP/bin
mkdir -p "$tree/test" "$tree/agent" "$bin"
cp "$TOP/test/deps.sh" "$tree/test"

# There are two JDKs. $has: installed packages; $lacks: those that the distribution does not have.
printf '#!/bin/sh\necho /jdk/a\necho /jdk/b\n' >"$tree/agent/jdks.sh"
cat >"$bin/dpkg-query" <<'END'
#!/bin/bash
grep -qx "${@: -1}" "$has" && echo -n installed
END
cat >"$bin/apt-cache" <<'END'
#!/bin/bash
! grep -qx "$2" "$lacks"
END
cat >"$bin/apt-get" <<'END'
#!/bin/bash
echo "$@" >>"$calls"
[[ " $* " = *" install "* ]] || exit 0
[ -e "$calls.nolists" ] && ! grep -q update "$calls" && exit 100
while [ "$1" != install ]; do
	shift
done
shift
for p; do
	grep -qx "$p" "$lacks" && exit 100
done
printf '%s\n' "$@" >>"$has"
END
printf '#!/bin/sh\nexec "$@"\n' >"$bin/sudo"
printf '#!/bin/sh\nexit 0\n' >"$bin/check-jsonschema"
mkdir -p "$tree/test/musl" "$tree/build/tools/bin"
printf '#!/bin/sh\n[ ! -e "$calls.nomusl" ]\n' >"$tree/test/musl/jvms.sh"
printf '#!/bin/sh\n' >"$tree/build/tools/bin/pip"
chmod +x "$tree/agent/jdks.sh" "$tree/test/musl/jvms.sh" "$tree/build/tools/bin/pip" "$bin"/*
export has=$TMP/has lacks=$TMP/lacks calls=$TMP/calls

# deps LACKING...: a machine that has nothing, and whose distribution lacks these
deps()
{
	: >"$has"
	: >"$calls"
	printf '%s\n' "$@" >"$lacks"
	run env PATH="$bin:/usr/bin:/bin" "$tree/test/deps.sh" build test
}

deps
is "all is there: installed" "$status" 0
check "what is needed" grep -qx libelf-dev "$has"
check "and what tests want" grep -qx zsh "$has"
is "in one call" "$(wc -l <"$calls")" 1
: >"$calls"
run env PATH="$bin:/usr/bin:/bin" "$tree/test/deps.sh" build test
is "a second time: nothing to do" "$status $(wc -l <"$calls")" "0 0"

touch "$calls.nolists"
deps
is "no lists of packages: they are fetched" "$status $(grep -c update "$calls")" "0 1"
rm "$calls.nolists"

deps zsh libh2-java
is "some that tests want cannot be had: no failure" "$status" 0
like "it is said which" "$TMP/err" '^not installed, so some tests are skipped: libh2-java zsh$'
check "the others are installed" grep -qx tmux "$has"
check "those that are needed as well" grep -qx libcmocka-dev "$has"

touch "$calls.nomusl"
deps
is "no JVM with musl can be had: no failure" "$status" 0
like "it is said, too" "$TMP/err" '^not installed, so some tests are skipped: JVMs with musl$'
rm "$calls.nomusl"

deps libcjson-dev zsh
is "one that is needed cannot be had: a failure" "$status" 1
like "it is named" "$TMP/err" '^missing, under their Debian names: libcjson-dev$'
check "and all others are there" grep -qx libelf-dev "$has"

run env PATH="$bin:/usr/bin:/bin" "$tree/test/deps.sh" buidl
is "an unknown set: usage" "$status" 2
done_testing
