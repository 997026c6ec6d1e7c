#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What objects hold cannot be found out from a recording (docs/privacy.md). test/attacker.c tries all guesses on recordings of
# test/jvm/Secrets.java: by default, by the agent alone, and with a key that it knows, where it must succeed.
. "$(dirname "$0")/lib.sh"

ulimit -c 0
attacker=$TMP/attacker
key=$TMP/key
digits=000102030405060708090a0b0c0d0e0f
words=(hunter2-Pa55w0rd! 4111-1111-1111-1234 letmein)
number=1234567
some=$((1 << 21))
ints=$some
# without a key and with the key 0 all are tried; to try them with one of 2^128 other keys tells no more
! soaking || ints=$((1 << 32))
find_jdks
use_classes
"${CC:-cc}" -std=gnu11 -O3 -march=native -I"$TOP/lib" -o "$attacker" "$TOP"/test/attacker*.c "$TOP/build/libojx.a" -lm $deflate -lz -pthread || exit 1
compile_make_data
(umask 077 && echo $digits >"$key")

# guess FILE [OPTION...]: what the attacker finds, each thing once
guess()
{
	local file=$1
	shift
	"$attacker" guess -n $ints "$@" "$file" "${words[@]}" $number >"$TMP/guessed" && sort -u "$TMP/guessed"
}

# enough FILE: the recording has hashes of all kinds, and all texts that the program makes
enough()
{
	"$attacker" common "$1" "$1" >"$TMP/kinds" 2>/dev/null &&
		awk '{ n[$1] = $2 } END { exit !(n["content"] > 500 && n["deep"] > 20 && n["fixed"] > 0 && n["slot"] > 500 &&
			(n["window"] > 0 || ENVIRON["alone"])) }' "$TMP/kinds" &&
		[ "$("$attacker" alphabet "$1" 24 16)" = 100 ]
}

# untold PID KEY: the key of the recording that the process makes is in no file of /proc but memory
untold()
{
	python3 - "$@" <<'PYTHON'
import os, sys
pid, key = sys.argv[1], bytes.fromhex(sys.argv[2])
data, shared = b'', False
for p in [pid] + open(f'/proc/{pid}/task/{pid}/children').read().split():
    for name in 'cmdline', 'environ':
        data += open(f'/proc/{p}/{name}', 'rb').read()
for fd in os.listdir(f'/proc/{pid}/fd'):
    path = f'/proc/{pid}/fd/{fd}'
    if os.readlink(path).startswith('/memfd:ojx'):
        data += open(path, 'rb').read()
        shared = True
sys.exit(not shared or any(part in data for part in (key, key[:8], key[7::-1], key[:7:-1], sys.argv[2].encode())))
PYTHON
}

# make NAME COMMAND...: runs the command, which records Secrets into $TMP/NAME.data, until the recording has enough
make()
{
	local file=$TMP/$1.data
	rm -f "$TMP/stop"
	"${@:2}" -Xmx64m -XX:+UseSerialGC -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions \
		-XX:ArchiveRelocationMode=0 -cp "$classes" Secrets "$TMP/stop" >"$TMP/out" 2>"$TMP/err" &
	check "$name, $1: it records enough" wait_for 200 enough "$file"
	[ "$1" != shared ] || check "$name: the key is in no command line, environment or shared memory" untold $! $digits
	touch "$TMP/stop"
	reap $!
	is "$name, $1: the program goes on to its end" "$status $(cat "$TMP/out")" "0 done"
}

# hidden NAME: nothing is found in a recording
hidden()
{
	is "$name, $1: nothing is found" "$(guess "$TMP/$1.data")" ""
	is "$name, $1: nor with another key" "$(guess "$TMP/$1.data" -n $some -k ${digits//0/f})" ""
	is "$name, $1: texts give no alphabet for others" "$("$attacker" alphabet "$TMP/$1.data" 24 32)" 0
}

# found NAME: all is found with the key
found()
{
	guess "$TMP/$1.data" -n $some -k $digits >"$TMP/found"
	for word in "${words[@]}"; do
		for kind in content deep slot; do
			like "$name, $1: with the key $word is found by $kind" "$TMP/found" "^word: $word by $kind\$"
		done
	done
	like "$name, $1: with the key all ints of objects" "$TMP/found" "^int: $number by content in LSecrets.Card;"
	like "$name, $1: and of arrays" "$TMP/found" "^int: $number by content in \\[I"
	like "$name, $1: and of fields" "$TMP/found" "^int: $number by slot in LSecrets.Card;"
}

# The attacker does find what has no key, as the elements of arrays.
test_attacker()
{
	"$make_data" unkeyed "$TMP/unkeyed.data" || exit 1
	is "without any key all is found" "$(guess "$TMP/unkeyed.data")" "elements: hunter2-Pa55w0rd!
int: $number by content in Lcom/acme/Card;
int: $number by slot in Lcom/acme/Card;
word: hunter2-Pa55w0rd! by content
word: hunter2-Pa55w0rd! by slot"
}

# zeros FILE SIGNATURE LENGTH: what is told of zeros, each thing once
zeros()
{
	"$attacker" zeros "$@" | sort -u
}

record()
{
	make "$1" "$OJX" record -q --interval 2k --budget 100 -e replica,equality -o "$TMP/$1.data" "${@:2}" -- "$java"
}

test_recording()
{
	record default
	hidden default
	if can_watch; then
		check "$name: uses have hashes, too" grep -q '^value [1-9]' "$TMP/kinds"
	fi

	is "$name: which numbers are zero, not which booleans are false" "$(zeros "$TMP/default.data" 'LSecrets$Customer;' 0)" \
		$'0 of 3\n1 of 3'
	is "$name: how many elements are zero" "$(zeros "$TMP/default.data" '[B' 5)" "3 of 5"
	is "$name: how many are false" "$(zeros "$TMP/default.data" '[Z' 6)" $'1 of 6\n2 of 6'

	record shared --secret-file "$key"
	is "$name: with a key, too, texts give no alphabet" "$("$attacker" alphabet "$TMP/shared.data" 24 32)" 0
	is "$name: without the key nothing is found" "$(guess "$TMP/shared.data")" ""
	found shared
	check "$name: the key is in no file" python3 - "$TMP/shared.data" $digits <<'PYTHON'
import struct, sys, zlib
packed, key = open(sys.argv[1], 'rb').read(), bytes.fromhex(sys.argv[2])
data, at = packed[:32], 32
while at < len(packed):
    magic, jvm, time, size, unpacked, checksum = struct.unpack_from('<IIQIIQ', packed, at)
    payload = packed[at + 32:at + 32 + size]
    data += zlib.decompress(payload)[:unpacked] if unpacked else payload
    at += 32 + size
sys.exit(any(part in data for part in (key, key[:8], key[7::-1], key[:7:-1], sys.argv[2].encode())))
PYTHON
}

# Recordings have hashes in common if they share a secret.
test_shared()
{
	record again --secret-file "$key"
	"$attacker" common "$TMP/shared.data" "$TMP/again.data" >"$TMP/same"
	"$attacker" common "$TMP/default.data" "$TMP/again.data" >"$TMP/apart"
	for kind in content deep slot; do
		check "one secret: $kind in common" grep -q "^$kind [0-9]* [1-9]" "$TMP/same"
	done
	for kind in fixed window; do # they depend on where the JVM has its classes
		if grep -q "^$kind [0-9]* 0" "$TMP/same"; then
			skip "one secret: $kind in common" "the JVM's classes are at other addresses each time"
		else
			pass "one secret: $kind in common"
		fi
	done
	# 64 bits are not equal by chance; of 32, pairs are once in four billion
	is "two secrets: nothing in common" "$(awk '$1 == "slot" ? $3 > 20 : $3 > 0' "$TMP/apart")" ""
}

test_alone()
{
	local alone=1 agent=-agentpath:$TOP/libojx-agent.so
	export alone
	make alone "$java" "$agent=interval=2k,budget=100,file=$TMP/alone.data"
	hidden alone
	make alone-shared "$java" "$agent=interval=2k,budget=100,secret-file=$key,file=$TMP/alone-shared.data"
	found alone-shared
	unset alone

	chmod 644 "$key"
	touch "$TMP/stop"
	run "$java" "$agent=secret-file=$key,file=$TMP/open.data" -cp "$classes" Secrets "$TMP/stop"
	chmod 600 "$key"
	is "$name: a secret that others can read" "$status $(cat "$TMP/out") $(cat "$TMP/err")" \
		"0 done ojx: this JVM is not recorded: $key: others have access to it: chmod 600 is needed"
	check "$name: no file is made then" test ! -e "$TMP/open.data"
}

# No report of any format has a text, the number of a card, or a hash.
test_reports()
{
	local format
	"$attacker" hashes "$TMP/shared.data" | awk 'length > 12' | sort -u >"$TMP/hashes"
	check "there are hashes" test -s "$TMP/hashes"
	printf '%s\n' "${words[@]}" $number $digits >>"$TMP/hashes"
	for format in json csv html markdown sarif; do
		"$OJX" report -q --format=$format -o "$TMP/report.$format" -i "$TMP/shared.data" 2>"$TMP/err"
		check "$format: is made" test -s "$TMP/report.$format"
		is "$format: has no content" "$(grep -oFf "$TMP/hashes" "$TMP/report.$format" | head -n 3)" ""
	done
	"$OJX" report --stdio --limit=0 -i "$TMP/shared.data" >"$TMP/report.text"
	is "text: has no content" "$(grep -oFf "$TMP/hashes" "$TMP/report.text" | head -n 3)" ""
}

# Files of secrets; test/unit/test_secret.c has more of them.
test_files()
{
	local new=$TMP/new
	touch "$TMP/stop"
	run "$OJX" record -q -o "$TMP/x.data" --secret-file "$new" -- "$java" -cp "$classes" Secrets "$TMP/stop"
	is "a missing file is made" "$status $(stat -c '%a %s' "$new")" "0 600 33"
	cp "$new" "$TMP/before"
	run "$OJX" record -q -o "$TMP/x.data" --secret-file "$new" -- "$java" -cp "$classes" Secrets "$TMP/stop"
	check "and then stays" cmp "$new" "$TMP/before"
	run "$OJX" record -q -o "$TMP/x.data" --secret-file <(echo $digits) -- "$java" -cp "$classes" Secrets "$TMP/stop"
	is "a pipe will do" "$status" 0
	rm "$TMP/x.data"
	for what in "$TOP/README.md:it has not 32 hexadecimal digits (openssl rand -hex 16), and nothing else" \
		"/nowhere/key:No such file or directory" "/dev/null:it is no file"; do
		[ "$what" != "${what#"$TOP"}" ] && cp "${what%%:*}" "$TMP/key.bad" && chmod 600 "$TMP/key.bad" &&
			what=$TMP/key.bad:${what#*:}
		run "$OJX" record -o "$TMP/x.data" --secret-file "${what%%:*}" -- touch "$TMP/ran"
		is "refused: ${what#*:}" "$status $(cat "$TMP/err")" \
			"125 ojx: --secret-file: cannot use '${what%%:*}': ${what#*:}"
	done
	check "nothing ran, and no file was made" test ! -e "$TMP/ran" -a ! -e "$TMP/x.data"
	run "$OJX" top --secret-file /nowhere/key -b -- touch "$TMP/ran"
	is "ojx top has it, too" "$status $(cat "$TMP/err")" \
		"125 ojx: --secret-file: cannot use '/nowhere/key': No such file or directory"
}

tests=(recording)
once=(attacker shared alone reports files)
on_each_jdk "$@"
done_testing
