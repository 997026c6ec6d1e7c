#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Progress: a line on the terminal while something takes longer than a second. It is removed before
# anything else is written, and never goes to a file or a pipe. The slow work is a recording that
# comes slowly through a pipe.
. "$(dirname "$0")/lib.sh"

unset COLUMNS NO_COLOR PAGER OJX_PAGER
export LC_ALL=C.UTF-8 TERM=xterm
compile_make_data
data=$TMP/ojx.data
"$make_data" full "$data" || exit 1

# slowly COMMAND...: runs it with standard error on a terminal, which goes to $TMP/err. Its standard
# input gets half of the recording, and the rest once there was a line of progress, or after
# $patience seconds.
patience=60
slowly()
{
	python3 - $patience "$data" "$TMP/out" "$TMP/err" "$@" <<'PYTHON'
import os, pty, select, subprocess, sys, time
patience, data = int(sys.argv[1]), open(sys.argv[2], 'rb').read()
master, slave = pty.openpty()
with open(sys.argv[3], 'wb') as out:
    process = subprocess.Popen(sys.argv[5:], stdin=subprocess.PIPE, stdout=out, stderr=slave)
os.close(slave)
process.stdin.write(data[:len(data) // 2])
process.stdin.flush()
seen, end = b'', time.monotonic() + patience

def read(seconds):
    global seen
    if select.select([master], [], [], seconds)[0]:
        try:
            got = os.read(master, 65536)
        except OSError:
            got = b''
        seen += got
        return bool(got)
    return True

while b'reading' not in seen and time.monotonic() < end and read(0.1):
    pass
process.stdin.write(data[len(data) // 2:])
process.stdin.close()
while read(60) and select.select([master], [], [], 30)[0]:
    pass
open(sys.argv[4], 'wb').write(seen)
sys.exit(process.wait())
PYTHON
	status=$?
}

slowly "$OJX" report -i -
is "report: exit status 0" "$status" 0
like "report: a line of progress" "$TMP/err" "ojx: reading"
is "report: which is erased in the end" "$(tail -c 4 "$TMP/err" | od -An -c | tr -d ' ')" '\r033[K'
unlike "report: nothing of it in the output" "$TMP/out" $'reading|\x1b'
"$OJX" report -i - <"$data" >"$TMP/plain"
check "report: the output is the same" cmp "$TMP/out" "$TMP/plain"

patience=3
slowly "$OJX" report -q -i -
is "report -q: nothing" "$(cat "$TMP/err")" ""
TERM=dumb slowly "$OJX" report -i -
is "a terminal that cannot erase: nothing" "$(cat "$TMP/err")" ""
patience=60
slowly "$OJX" annotate -i -
like "annotate: a line of progress" "$TMP/err" "ojx: reading"
slowly "$OJX" diff - "$data"
like "diff: a line of progress" "$TMP/err" "ojx: reading"

# An error is written in place of the line, not after it.
slowly "$OJX" annotate -i - Nowhere
is "an error: exit status 1" "$status" 1
like "an error: on a line of its own" "$TMP/err" $'(^|\x1b\\[K)ojx: nothing is known of'

{
	head -c 2000 "$data"
	sleep 1.5
	tail -c +2001 "$data"
} | "$OJX" report -i - >"$TMP/out" 2>"$TMP/err"
is "no terminal: nothing" "$(cat "$TMP/err")" ""
done_testing
