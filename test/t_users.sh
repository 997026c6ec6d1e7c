#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx and JVMs of other users, and of users with more or fewer rights: attaching to them, and the files that they name.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/attach.sh"

# ---- attaching ---------------------------------------------------------------------------------

test_users()
{
	[ "$(id -u)" = 0 ] || { skip "other users" "needs root"; return; }
	local nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	mkdir -p "$TMP/bin"
	cp "$OJX" "$TOP/libojx-agent.so" "$TMP/bin"
	begin --
	OJX=$TMP/bin/ojx
	run "${nobody[@]}" env -u TMPDIR "$OJX" record -p "$jvm" -o /dev/null
	is "another user's: 125" "$status" 125
	like "another user's: says so" "$TMP/err" "pid $jvm \(.*\) belongs to user 'root': run ojx as that user, or as root$"
	OJX=$TOP/ojx
	end "another user's"
	begin "${nobody[@]}" --inh-caps +net_bind_service --ambient-caps +net_bind_service --
	rm -f "/tmp/.java_pid$jvm" # a JVM of root's that was killed, and had this number, may have left it
	install -d -o 65534 "$TMP/nobody"
	local seconds its=(env HOME="$TMP/nobody" XDG_CACHE_HOME="$TMP/nobody" "$TMP/bin/ojx")
	if cat /proc/$$/mountinfo >"$TMP/mounts" && ! "${nobody[@]}" test -e "/proc/$jvm/root"; then
		run "${nobody[@]}" "${its[@]}" doctor -p "$jvm"
		is "more rights: doctor" "$status" 0
		like "more rights: doctor says so" "$TMP/out" "^ok +memory +cannot be looked into: it has more rights than ojx"
		data=$TMP/nobody/rights
		for seconds in 4 20 60; do
			run "${nobody[@]}" "${its[@]}" record -p "$paced" --duration $seconds --interval 16k -o "$data"
			! points || break
		done
		is "more rights: its user attaches, as jcmd does" "$status" 0
		like "more rights: and leaves" "$TMP/err" "detached from pid $jvm \($paced\), which goes on"
		check "more rights: its objects are recorded" points
		data=$TMP/ojx.data
		run "${nobody[@]}" "${its[@]}" heap -p "$jvm" --format=json
		is "more rights: a heap dump" "$status" 0
		check "more rights: it has something" test -s "$TMP/out"
	else
		skip "more rights" "such a process can be looked into here"
	fi
	attach "root may attach to it"
	end "more rights"
	local at=/mnt stop_at=/srv/$((begun + 1))
	begin "$TOP/test/container.py" --bind "$classes" /mnt --bind "$TMP/stop" /srv "${nobody[@]}" --inh-caps +net_bind_service --ambient-caps +net_bind_service --
	run "${nobody[@]}" "${its[@]}" record -p "$jvm" -o /dev/null
	is "more rights and other files: 125" "$status" 125
	like "more rights and other files: says so" "$TMP/err" "cannot be looked into: Permission denied: it has more rights than ojx"
	end "more rights and other files"
	unset at stop_at
	begin "${nobody[@]}" --
	touch "/tmp/.java_pid$jvm"
	refused "a file of root's in the way" "cannot listen, as /tmp/.java_pid$jvm is not its user's socket: remove this file; a JVM"
	is "a file of root's in the way: it stays" "$(stat -c %U "/tmp/.java_pid$jvm")" root
	rm "/tmp/.java_pid$jvm"
	run "${nobody[@]}" "${its[@]}" record -p "$jvm" --duration 2 -o "$TMP/nobody/data"
	is "an ordinary user attaches to a JVM of his" "$status" 0
	end "an ordinary user"
}

# ---- files that a JVM names --------------------------------------------------------------------

# Root reads them with the rights of the JVM's user, who may have named what others must not see.
test_foreign_files()
{
	[ "$(id -u)" = 0 ] || { skip "files of other users" "needs root"; return; }
	local file=$TMP/args vm=$TMP/vm
	rm -f "$file" "$vm"
	echo '-Dx=y' >"$file"
	echo '-Xint' >"$vm"
	begin setpriv --reuid 65534 --regid 65534 --clear-groups -- -XX:VMOptionsFile="$vm" "@$file"
	echo 'Hunter' >"$file"
	echo '-XX:+DisableAttachMechanism' >"$vm"
	is "a file that its user can read: it is read" "$(listed main)" Hunter
	is "a file of options: it is read" "$(listed attachable)" False
	chmod 600 "$file" "$vm"
	is "a file that its user cannot read: it is not read" "$(listed main)" "$paced"
	is "a file of options: it is not read" "$(listed attachable)" True
	run "$OJX" doctor -p "$jvm"
	unlike "doctor: neither" "$TMP/out" Hunter
	rm -f "$file"
	ln -s "$TMP/secret" "$file"
	echo 'Hunter' >"$TMP/secret"
	chmod 600 "$TMP/secret"
	is "a link to one: it is not read" "$(listed main)" "$paced"
	end "files"
}

once=(users foreign_files) # the same on every JDK
tests=()
on_each_jdk "$@"
done_testing
