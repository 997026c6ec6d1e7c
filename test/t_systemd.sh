#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The unit of systemd (docs/systemd/ojx@.service), started by a systemd that has booted in a container of this machine's files:
# JVMs of two users are recorded, files follow one another, and the JVMs go on whatever happens to ojx.
. "$(dirname "$0")/lib.sh"

machine=ojx-test-$$

# Files of this machine, of which nothing is changed, and a systemd that boots a target of its own; `inside` is its program.
boot()
{
	mount --make-rprivate / && mount -t tmpfs none "$TMP/box" || exit 99
	local root=$TMP/box/root units=$TMP/box/root/etc/systemd/system
	mkdir "$TMP/box/up" "$TMP/box/work" "$root" || exit 99
	mount -t overlay overlay -o "lowerdir=/,upperdir=$TMP/box/up,workdir=$TMP/box/work" "$root" || exit 99
	rm -rf "$units"/*.wants "$root/var/cache/ojx" "$root/var/lib/ojx"
	mkdir -p "$root/usr/lib/ojx" "$root/opt/app" "$root/result"
	cp "$OJX" "$root/usr/bin/ojx" && cp "$TOP/libojx-agent.so" "$root/usr/lib/ojx/" || exit 98 # our fault
	cp "$TOP/docs/systemd/ojx@.service" "$units"
	cp "$classes"/ComeAndGo*.class "$root/opt/app" && chmod -R a+rX "$root/opt/app" || exit 98
	cp "$TMP/inside" "$root/opt/inside"
	for user in daemon nobody; do
		printf '[Service]\nUser=%s\nPrivateTmp=%s\nExecStart=%s -Xmx64m -cp /opt/app ComeAndGo /never 10\nSuccessExitStatus=143\n' \
			$user "$([ $user = daemon ] && echo no || echo yes)" "$home/bin/java" >"$units/app-$user.service"
	done
	printf '[Unit]\nRequires=basic.target inside.service\nAfter=basic.target\nAllowIsolate=yes\n' >"$units/try.target"
	printf '[Unit]\nAfter=basic.target\n[Service]\nExecStart=/bin/bash /opt/inside\n' >"$units/inside.service"
	exec timeout 600 systemd-nspawn --quiet --directory="$root" --machine=$machine --register=no --keep-unit --private-network \
		--bind="$TMP/result:/result" --boot systemd.unit=try.target
}

# What is done there; each fact is a line.
cat >"$TMP/inside" <<'END'
unit=ojx@ComeAndGo files=/var/lib/ojx
facts() { echo "$*" >>/result/facts; }
# until TITLE CONDITION
until_it() { for i in {1..1200}; do eval "$2" && { facts "$1"; return; }; sleep 0.1; done; facts "not $1"; }
being_written() { find $files -name '*.data.part' 2>/dev/null | wc -l; }
whole() { find $files -name '*.data' 2>/dev/null | wc -l; }
is_active() { [ "$(systemctl is-active "$1")" = active ]; }
facts "it has booted"
systemctl start app-daemon app-nobody $unit
until_it "both JVMs are recorded" '[ "$(being_written)" = 2 ]'
facts "capabilities $(sed -n 's/^CapEff:\t//p' /proc/$(systemctl show -p MainPID --value $unit)/status)"
systemctl reload $unit
until_it "reload ends their files" '[ "$(whole) $(being_written)" = "2 2" ]'
systemctl stop app-nobody
until_it "the file of a JVM ends with it" '[ "$(whole) $(being_written)" = "3 1" ]'
systemctl kill -s KILL $unit
until_it "a killed ojx is started again" '[ "$(systemctl show -p NRestarts --value $unit)" = 1 ] && is_active $unit'
until_it "and records the JVM again, whose file has its name" '[ "$(whole) $(being_written)" = "4 1" ]'
systemctl stop $unit
facts "result $(systemctl show -p Result --value $unit)"
facts "files $(whole) whole, $(being_written) not"
is_active app-daemon && facts "the JVM goes on"
journalctl -u $unit -o cat --no-pager >/result/journal
cp $files/* /result
systemctl poweroff
END

test_systemd()
{
	local why=
	[ "$(id -u)" = 0 ] || why="needs root"
	command -v systemd-nspawn >/dev/null && [ -x /lib/systemd/systemd ] || why="no systemd-nspawn"
	mkdir "$TMP/box" "$TMP/result"
	if [ -z "$why" ]; then
		home=${jdks[0]}
		(export home classes machine TMP TOP OJX; unshare --mount bash -c "$(declare -f boot); boot") </dev/null >"$TMP/console" 2>&1
		[ $? = 98 ] || [ -e "$TMP/result/facts" ] || why="no container of systemd can be booted here: $(tail -n 1 "$TMP/console" | tr -d '\r')"
	fi
	if [ -n "$why" ]; then
		skip "the unit is started by systemd" "$why"
		return
	fi
	is "the unit is started by systemd" "$(cat "$TMP/result/facts" 2>&1)" "it has booted
both JVMs are recorded
capabilities 00000000000800e0
reload ends their files
the file of a JVM ends with it
a killed ojx is started again
and records the JVM again, whose file has its name
result success
files 5 whole, 0 not
the JVM goes on"
	for file in "$TMP"/result/*.data; do
		run "$OJX" dump -i "$file"
		is "a file of it can be read" "$status" 0
	done
	like "it says which JVM has ended" "$TMP/result/journal" "pid [0-9]* \(ComeAndGo\) has ended"
}

find_jdks
use_classes
test_systemd
done_testing
