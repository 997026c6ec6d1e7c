#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `ojx push`, and `ojx record --push`: what a receiver gets that answers as it is told to, and what waits.
. "$(dirname "$0")/lib.sh"

command -v curl >"$TMP/null" || {
	skip "sending" "there is no curl"
	done_testing
}
compile_make_data
"$make_data" full "$TMP/a.data" || exit 1
"$make_data" findings "$TMP/b.data" || exit 1
"$OJX" report -i "$TMP/a.data" -o "$TMP/a.otlp" || exit 1
"$OJX" report -i "$TMP/b.data" -o "$TMP/b.otlp" || exit 1

# It writes its port to port, answers with the statuses in answers, one after the other, then with 200, and
# writes each body to body.N and its head to head.N.
cat >"$TMP/receiver.py" <<'PYTHON'
import http.server, os, sys
os.chdir(sys.argv[1])
count = 0
class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global count
        body = self.rfile.read(int(self.headers["Content-Length"]))
        answers = open("answers").read().split()
        open("answers", "w").write(" ".join(answers[1:]))
        count += 1
        open(f"body.{count}", "wb").write(body)
        open(f"head.{count}", "w").write(f"{self.path}\n{self.headers}")
        self.send_response(int(answers[0]) if answers else 200)
        self.end_headers()
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
open("port.new", "w").write(str(server.server_port))
os.rename("port.new", "port")
server.serve_forever()
PYTHON
: >"$TMP/answers"
python3 "$TMP/receiver.py" "$TMP" &
receiver=$!
trap 'kill $receiver 2>/dev/null; rm -rf "$TMP"' EXIT
wait_for 30 test -e "$TMP/port" || exit 1
url=http://127.0.0.1:$(<"$TMP/port")
cd "$TMP" || exit 1

# waiting: how many files wait, for all receivers
waiting()
{
	find "$TMP" -name '*.otlp' -path '*/.ojx-push/*' | wc -l
}

# push ANSWERS ARGUMENT...: with a receiver that answers so
push()
{
	rm -f body.* head.*
	echo "$1" >answers
	shift
	run "$OJX" push --retry=0 "$@"
}

OTEL_EXPORTER_OTLP_HEADERS='Authorization=Bearer%20a%22b,x-tenant=acme' push "" "$url" a.data
is "a recording is sent" "$status" 0
like "and that is said" err '^\[ ojx sent 1 profile to http://127\.0\.0\.1:[0-9]+/v1development/profiles \]$'
first=$(find . -name 'body.*' | head -n 1)
check "its bytes are those of --format=otlp" cmp "$first" a.otlp
head=${first/body/head}
is "the path is OpenTelemetry's" "$(head -n 1 "$head")" /v1development/profiles
like "the type of the content" "$head" '^Content-Type: application/x-protobuf'
like "headers of the environment are decoded and sent" "$head" '^Authorization: Bearer a"b'
like "each of them" "$head" '^x-tenant: acme'
is "nothing waits" "$(waiting)" 0
push "" "$url/own/path?x=1" a.data b.data
is "a path that is given stays" "$(cat head.* | grep -c '^/own/path?x=1$')" 2

push 503 "$url" a.data
is "a receiver that is busy: exit status" "$status" 1
like "why" err 'cannot send to .*: HTTP status 503$'
like "what waits, and where" err "1 profile \(.*\) waits in '\.ojx-push/http:%2F%2F127\.0\.0\.1:[0-9]+%2Fv1development%2Fprofiles' for the next"
is "it waits" "$(waiting)" 1
is "nobody else can read it" "$(stat -c %a .ojx-push .ojx-push/*127*v1development* | sort -u)" 700
push "" "$url" b.data
is "the next one sends both" "$status $(waiting)" "0 0"
check "the oldest first" eval 'cmp "$(printf "%s\n" body.* | sort -V | head -n 1)" a.otlp'
check "then the new one" eval 'cmp "$(printf "%s\n" body.* | sort -V | tail -n 1)" b.otlp'

push 400 "$url" a.data
is "what the receiver does not take: exit status" "$status" 1
like "it is said" err 'does not take the profile: HTTP status 400; it is not kept$'
is "and does not wait" "$(waiting)" 0
push 401 "$url" a.data
is "without a right to send, it waits" "$(waiting)" 1
echo keep >.ojx-push/notes
echo keep >"$(dirname "$(find .ojx-push -name '*.otlp')")/1-2-3.otlp"
push "401 401" --spool-size=1 "$url" b.data
like "what is too much is removed" err '2 profiles that waited longest are removed: more than --spool-size waits'
is "but nothing that ojx has not put there" "$(cat .ojx-push/notes .ojx-push/*/1-2-3.otlp | tr '\n' ' ')" "keep keep "
rm .ojx-push/*/1-2-3.otlp

echo "503 200" >answers
rm -f body.*
run "$OJX" push --retry=30 "$url" a.data
is "it tries again while the receiver is busy" "$status $(find . -name 'body.*' | wc -l)" "0 2"
push "" "$url" missing.data b.data
is "a recording that is missing: the others are sent" "$status $(find . -name 'body.*' | wc -l)" "1 1"
like "and it is named" err "missing\.data"

kill $receiver
reap $receiver
push "" "$url" a.data
is "no receiver: exit status" "$status" 1
like "no receiver: why" err 'cannot send to .*[Cc]onnect'
is "no receiver: it waits" "$(waiting)" 1

for bad in ftp://x http:// 'http://a b' localhost:4318; do
	run "$OJX" push "$bad" a.data
	is "'$bad': exit status" "$status" 2
	like "'$bad': why" err "cannot send to '$bad': "
done
run "$OJX" push
is "no address: exit status" "$status" 2
PATH=$TMP/none run "$OJX" push "$url" a.data
is "without curl: exit status" "$status" 2
like "without curl: why" err "the program 'curl', which sends, is not there: install it"
run "$OJX" record --push localhost -- true
is "record --push: a wrong address stops it before the start" "$status" 125
run "$OJX" record --push "$url" -o - -- true
like "record --push needs a file" err '^ojx: --push sends a file when it is whole, and excludes -o -$'

# a recording, with a receiver again
rm -rf .ojx-push port body.* made
mkdir made
python3 "$TMP/receiver.py" "$TMP" &
receiver=$!
wait_for 30 test -e port || exit 1
find_jdks
java=${jdks[0]}/bin/java
cat >Make.java <<'JAVA'
public class Make {
    static Object last;
    public static void main(String[] args) {
        for (int i = 0; i < 3000000; i++)
            last = new int[] { i };
    }
}
JAVA
run "$OJX" record --push "http://127.0.0.1:$(<port)" -o made/app.data -- "$java" Make.java
is "record --push: the program's status" "$status" 0
is "record --push: it is sent" "$(find . -name 'body.*' | wc -l)" 1
"$OJX" report -i made/app.data -o app.otlp 2>err
check "record --push: the bytes of its report" cmp "$(find . -name 'body.*')" app.otlp
run "$OJX" record --push "http://127.0.0.1:$(<port)" --rotate 1h -o 'made/of-%Y%m%dT%H%M%S.data' -- "$java" Make.java
is "record --push --rotate: each file is sent" "$status $(find . -name 'body.*' | wc -l)" "0 2"
"$OJX" report -i made/of-*.data -o app.otlp 2>err
check "record --push --rotate: the bytes of its report" cmp body.2 app.otlp
done_testing
