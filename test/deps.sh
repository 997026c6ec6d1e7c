#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, and says which. With nothing missing it does nothing.
#   test/deps.sh SET...            SET: build, static, oldlibc, musl, test, demo, bench, cross
#   test/deps.sh --names SET...    only says what they need
# It fails if something is missing in the end that the set cannot do without. Tests whose programs
# cannot be had are skipped.
set -u
cd "$(dirname "$0")/.." || exit

packages()
{
	case $1 in
	build) echo gcc make pkg-config libcapstone-dev libelf-dev libcjson-dev libdeflate-dev libncurses-dev \
		libpfm4-dev libxxhash-dev libzip-dev uthash-dev zlib1g-dev ;;
	test) echo libcmocka-dev procps python3 ;;
	static) echo cmake dpkg-dev ;;
	oldlibc) echo debootstrap ;;
	musl) echo busybox-static musl-tools ;;
	cross) echo "gcc-${ARCH:-aarch64}-linux-gnu" e2fsprogs qemu-system-arm qemu-user-static ;;
	demo) echo libbatik-java ;;
	bench) echo checkstyle jython libbatik-java libeclipse-jdt-core-java libh2-java proguard python3 ;;
	*) echo "deps.sh: unknown set '$1'" >&2; exit 2 ;;
	esac
}

# Without these, some tests are skipped.
extras()
{
	[ "$1" != test ] || echo curl dpkg-dev groff-base libh2-java musl-tools protobuf-compiler python3-jsonschema \
		python3-protobuf python3-venv python3-yaml systemd-container tmux util-linux zsh
}

if [ "${1:-}" = --names ]; then
	shift
	for set in "$@"; do
		packages "$set"
	done
	exit
fi

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

available()
{
	apt-cache show "$1" >/dev/null 2>&1
}

missing=() # needed, and wanted
wanted=()
for set in "$@"; do
	names=$(packages "$set") || exit
	for p in $names; do
		installed "$p" || missing+=("$p")
	done
	for p in $(extras "$set"); do
		installed "$p" || wanted+=("$p")
	done
done
# Any JDK will do; if there is none, that of the distribution is installed.
[ -n "$(agent/jdks.sh)" ] || missing+=(default-jdk-headless)
# The tests check more with a second JDK: the first of these that the distribution has.
jdks=$(agent/jdks.sh | wc -l)
if [[ " $* " = *" test "* && $jdks -eq 1 ]]; then
	for v in 25 21 17; do
		p=openjdk-$v-jdk-headless
		if available "$p" && ! installed "$p"; then
			wanted+=("$p")
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
		if available "openjdk-$v-source"; then
			missing+=("openjdk-$v-source")
			break
		fi
	done
fi
# A browser for the tests of pages.
if [[ " $* " = *" test "* ]] && ! command -v chromium chromium-browser google-chrome >/dev/null; then
	wanted+=(chromium)
fi

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
get()
{
	# another apt may be at work: it is waited for
	[ $# -eq 0 ] || $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
		--no-install-recommends install "$@" >&2
}

# One package that the distribution lacks, or that cannot be installed, does not keep others out.
get_each()
{
	for p in "$@"; do
		available "$p" && get "$p"
	done
}

install()
{
	echo "installing Debian packages: $*" >&2
	get "$@" && return
	# the package lists of a fresh machine may be missing or out of date; only then fetch them
	$sudo apt-get -q update >&2
	get "$@" || get_each "$@"
}

[ ${#missing[@]} -eq 0 ] && [ ${#wanted[@]} -eq 0 ] || ! command -v apt-get >/dev/null ||
	install "${missing[@]}" "${wanted[@]}"

left()
{
	for p in "$@"; do
		installed "$p" || echo "$p"
	done
}

# Debian 12 has no package of it.
if [[ " $* " = *" test "* ]] && ! command -v check-jsonschema >/dev/null && [ ! -x build/tools/bin/check-jsonschema ]; then
	mkdir -p build
	{ python3 -m venv build/tools && build/tools/bin/pip -q install check-jsonschema; } >&2 ||
		wanted+=(check-jsonschema)
fi
# JVMs with another C library.
if [[ " $* " = *" test "* ]] && installed musl-tools && [ ! -e build/musl/jdk-11 ]; then
	{ [ -x build/tools/bin/pip ] || python3 -m venv build/tools; } >&2 &&
		test/musl/jvms.sh build/musl build/tools/bin/pip >&2 || wanted+=("JVMs with musl")
fi
lacking=$(left ${wanted[@]+"${wanted[@]}"})
[ -z "$lacking" ] || echo "not installed, so some tests are skipped:" $lacking >&2
lacking=$(left ${missing[@]+"${missing[@]}"})
[ -z "$lacking" ] && exit
echo "missing, under their Debian names:" $lacking >&2
exit 1
