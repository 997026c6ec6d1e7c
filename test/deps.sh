#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, and says which. With nothing missing it does nothing.
#   test/deps.sh SET...    SET: build, static, oldlibc, test, demo, bench
set -u

packages()
{
	case $1 in
	build) echo gcc make pkg-config libcapstone-dev libelf-dev libcjson-dev libncurses-dev \
		libpfm4-dev libxxhash-dev libzip-dev uthash-dev zlib1g-dev ;;
	test) echo dpkg-dev libcmocka-dev libh2-java musl-tools procps protobuf-compiler python3 python3-jsonschema python3-yaml \
		python3-protobuf tmux ;;
	static) echo cmake dpkg-dev ;;
	oldlibc) echo debootstrap ;;
	demo) echo libbatik-java ;;
	bench) echo libeclipse-jdt-core-java libh2-java python3 ;;
	*) echo "deps.sh: unknown set '$1'" >&2; exit 2 ;;
	esac
}

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for set in "$@"; do
	names=$(packages "$set") || exit
	for p in $names; do
		installed "$p" || missing+=("$p")
	done
done
# Any JDK will do; if there is none, that of the distribution is installed.
[ -n "$("$(dirname "$0")"/../agent/jdks.sh)" ] || missing+=(default-jdk-headless)
# The tests check more with a second JDK: the first of these that the distribution has.
jdks=$("$(dirname "$0")"/../agent/jdks.sh | wc -l)
if [[ " $* " = *" test "* && $jdks -eq 1 ]]; then
	for v in 25 21 17; do
		p=openjdk-$v-jdk-headless
		if apt-cache show "$p" >/dev/null 2>&1 && ! installed "$p"; then
			missing+=("$p")
			break
		fi
	done
fi
# One program of the bench is a compiler; it compiles the sources of a JDK.
sources()
{
	for f in /usr/lib/jvm/*/lib/src.zip; do
		[ -e "$f" ] && return 0 # not just a dangling link
	done
	return 1
}
if [[ " $* " = *" bench "* ]] && ! sources; then
	for v in 17 21 25; do
		if apt-cache show openjdk-$v-source >/dev/null 2>&1; then
			missing+=(openjdk-$v-source)
			break
		fi
	done
fi
# A browser for the tests of the HTML report, if the distribution has a package; otherwise they are
# skipped.
browser=
if [[ " $* " = *" test "* ]] && ! command -v chromium chromium-browser google-chrome >/dev/null; then
	browser=chromium
fi
[ ${#missing[@]} -eq 0 ] && [ -z "$browser" ] && exit 0

if ! command -v apt-get >/dev/null; then
	[ ${#missing[@]} -eq 0 ] && exit 0
	echo "missing, under their Debian names: ${missing[*]}" >&2
	exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
echo "installing Debian packages: ${missing[*]} $browser" >&2
get()
{
	[ $# -eq 0 ] || $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		--no-install-recommends install "$@" >&2
}
# The package lists of a fresh machine may be missing or out of date; only then fetch them.
get "${missing[@]}" $browser && exit
$sudo apt-get -q update >&2
get "${missing[@]}" || exit
get $browser || echo "no browser: the tests of the HTML report are skipped" >&2
