#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ojx dump: what it prints is all that a recording has, since a recording made of it is the same to every reader;
# and it prints files that were cut short or are damaged as far as they go.
. "$(dirname "$0")/lib.sh"

compile_make_data
cd "$TMP" || exit 1

# ---- there and back

for kind in full findings lives values signs hostile no-jvm; do
	"$make_data" $kind $kind.data
	run "$OJX" dump --chunks $kind.data
	is "$kind: it is printed" "$status" 0
	is "$kind: no message" "$(cat err)" ""
	is "$kind: no record is unknown" "$(grep -c ^raw out)" 0
	is "$kind: nothing steers a terminal" "$(LC_ALL=C tr -d '\n -~\200-\377' <out | wc -c)" 0
	cp out $kind.txt
	sed 's/ offset=.*//' $kind.txt >first
	"$make_data" text $kind.again <$kind.txt
	"$OJX" dump --chunks $kind.again | sed 's/ offset=.*//' >second
	check "$kind: the text is read back as the same records" diff first second
done
for kind in full findings lives; do
	for format in text json; do
		"$OJX" report --all --details --format=$format -i $kind.data >first 2>&1
		"$OJX" report --all --details --format=$format -i $kind.again >second 2>&1
		sed -i "s/$kind\.again/$kind.data/" second
		check "$kind: and gives the same report, as $format" diff first second
	done
done

cat >hand <<'END'
# a recording by hand
command jvm=0 argc=1 arguments="java\x00"
jvm jvm=1 pid=4711 engines=3 vm_name="HotSpot"
class jvm=1 id=1 signature="[I" flags=0 element_size=4
use jvm=1 thread=2 context=1 flags=128 size=4 weight=0.1 deep=18446744073709551615
snapshot jvm=1 context=1 flags=4096 weight=1e300 slot=1,2,3 fixed=5
stack jvm=1 id=1 frame={ method=7 bci=-3 } frame={ method=0 bci=2 }

raw jvm=1 type=99 bytes="\x01abcdef\xff"
end jvm=0 wait_status=-1
END
"$make_data" text hand.data <hand
run "$OJX" dump hand.data
like "by hand: a text" out '^command jvm=0 argc=1 arguments="java\\x00"$'
like "by hand: fields that are missing are 0" out '^class jvm=1 id=1 flags=0 element_size=4 signature="\[I"$'
like "by hand: a thread, and a part by a flag" out '^use jvm=1 thread=2 .*weight=0\.1 .*deep=18446744073709551615$'
like "by hand: lists" out '^snapshot .* weight=1e\+300 .* slot=1,2,3 fixed=5$'
like "by hand: negative numbers" out '^stack jvm=1 id=1 flags=0 frame=\{ method=7 bci=-3 \} frame=\{ method=0 bci=2 \}$'
like "by hand: an unknown type" out '^raw jvm=1 type=99 bytes="\\x01abcdef\\xff"$'
for line in 'clas jvm=1 id=1' 'class jvm=1 name=1' 'class jvm=1 signature="[I' 'class jvm=1 id=x' \
	'use jvm=1 flags=128' 'stack jvm=1 frame={ method=7'; do
	echo "$line" >bad
	"$make_data" text bad.data <bad >/dev/null 2>err
	is "a line that is wrong is refused: $line" "$?" 1
	like "and named: $line" err '^make-data: line 1: '
done

# ---- options

run "$OJX" dump --type count,end full.data
is "--type: only these" "$(cut -d' ' -f1 out | sort -u | tr '\n' ' ')" "count end "
is "--type: all of these" "$(wc -l <out)" "$(grep -cE '^(count|end) ' full.txt)"
run "$OJX" dump full.data
is "without --chunks: neither header nor chunks" "$(grep -cE '^(header|chunk) ' out)" 0
cp out plain
"$OJX" dump - <full.data >out 2>err
check "standard input" diff plain out
cp full.data ojx.data
run "$OJX" dump
check "ojx.data, if none is named" diff plain out
run "$OJX" dump --type counts full.data
is "an unknown type: exit status" "$status" 2
like "an unknown type: the one that is meant" err "counts.*did you mean 'count'"
run "$OJX" dump full.data other.data
is "two files: exit status" "$status" 2
run "$OJX" dump -i none.data
is "no file: exit status" "$status" 1
like "no file: why" err "cannot read 'none.data': No such file"
run "$OJX" dump "$0"
is "another file: exit status" "$status" 1
like "another file: why" err "is not a recording of ojx"
sed -n 's/^chunk .*offset=\([0-9]*\) len=\([0-9]*\) .*checksum=right$/\1 \2/p' full.txt >chunks
python3 - chunks full.data >err 2>&1 <<'PYTHON'
import os, sys
at = 32
for offset, length in (map(int, line.split()) for line in open(sys.argv[1])):
    assert offset == at, (offset, at)
    at += 32 + length
assert at == os.path.getsize(sys.argv[2])
PYTHON
is "the chunks of --chunks are the file" "$(cat err)" ""

# ---- files that end early, or are damaged

# the first byte of the third chunk
third=$(sed -n '3s/ .*//p' chunks)
head -c $((third + 40)) full.data >cut.data
run "$OJX" dump cut.data
is "cut short: exit status" "$status" 0
is "cut short: what is missing" "$(cat err)" \
	"ojx: 'cut.data' is still being written or cut short: of the chunk at byte $third 8 of $(sed -n '3s/.* //p' chunks) bytes are there"
check "cut short: what is there" diff out <(head -n "$(wc -l <out)" plain)
is "cut short: all of it" "$(wc -l <out)" "$(awk '/^chunk/ { n++ } n > 0 && n < 3 && !/^chunk/' full.txt | wc -l)"
head -c $((third + 20)) full.data >cut.data
run "$OJX" dump cut.data
like "cut in a header: what is missing" err "of the chunk at byte $third the header is not whole"
head -c 20 full.data >cut.data
run "$OJX" dump cut.data
like "cut in the first header: what is missing" err "its header is not whole"
{ head -c "$third" full.data; head -c 4096 /dev/zero; } >cut.data
run "$OJX" dump cut.data
is "zeros at the end: exit status" "$status" 0
like "zeros at the end" err "from byte $third on there are only zeros"
cp full.data damaged.data
printf X | dd of=damaged.data bs=1 seek=$((third + 40)) conv=notrunc 2>/dev/null
run "$OJX" dump damaged.data
is "damaged: exit status" "$status" 1
is "damaged: where" "$(cat err)" "ojx: 'damaged.data' is damaged: a wrong checksum at byte $third"
run "$OJX" dump --chunks damaged.data
is "damaged: exit status with --chunks" "$status" 1
like "damaged: the chunk with --chunks" out "^chunk .* offset=$third .* checksum=wrong$"
is "damaged: --chunks goes on behind it" "$(grep -c ^chunk out)" "$(grep -c ^chunk full.txt)"

# Any damage: it says what it can, and ends in order.
python3 - "$OJX" findings.data >err 2>&1 <<'PYTHON'
import random, subprocess, sys
ojx, path = sys.argv[1:]
whole, rng = open(path, "rb").read(), random.Random(1)
for _ in range(60):
    damaged = bytearray(whole[:rng.choice([len(whole), rng.randrange(len(whole))])])
    for _ in range(rng.randrange(4)):
        at = rng.randrange(min(len(damaged), rng.choice([64, 4096, len(damaged)]))) if damaged else 0
        damaged[at:at + 1] = bytes([rng.randrange(256)])
    open("any.data", "wb").write(damaged)
    done = subprocess.run([ojx, "dump", "--chunks", "any.data"], capture_output=True)
    assert done.returncode in (0, 1) and (done.returncode == 0 or done.stderr), done
PYTHON
is "any damage: it ends in order" "$(cat err)" ""
done_testing
