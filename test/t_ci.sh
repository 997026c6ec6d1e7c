#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The examples of docs/ci.md: their scripts are run as a runner does it, on a program that is first the same as its
# baseline and then worse, and their form is checked by the schemas of GitHub and GitLab, where check-jsonschema is. Whether a
# change is larger than chance is a matter of chance, so but for the first the recordings are kept ones (`test/t_ci.sh keep` writes
# them anew).
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8
for python in python3 /usr/bin/python3 ""; do
	"$python" -c "import yaml" 2>"$TMP/err" && break
done
[ -n "$python" ] || { echo "not ok python3-yaml is missing"; exit 1; }
find_jdks
jdk=${jdks[0]}

# Each example as a file, and its scripts, one a file, numbered as they follow each other.
"$python" - "$TOP/docs/ci.md" "$TMP" <<'PYTHON' || exit 1
import re, sys, yaml
from pathlib import Path
text, to = Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2])
blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
assert len(blocks) == 2, len(blocks)
(to / "github.yml").write_text(blocks[0])
(to / ".gitlab-ci.yml").write_text(blocks[1])
steps = [s for s in yaml.safe_load(blocks[0])["jobs"]["ojx"]["steps"] if "run" in s]
scripts = {"github": [s["run"] for s in steps], "gitlab": yaml.safe_load(blocks[1])["ojx"]["script"]}
for name, parts in scripts.items():
    for i, part in enumerate(parts):
        (to / f"{name}.{i}").write_text(part + "\n")
PYTHON

# A repository whose build makes target/app.jar. How often it makes the same texts is in the file `times`.
mkdir -p "$TMP/repo/core/src/acme" && cd "$TMP/repo" || exit 1
cp "$TOP/test/jvm/Orders.java" core/src/acme/
cat >build.sh <<BUILD
#!/bin/sh -e
echo "package acme; class Again { static final int TIMES = \$(cat times); }" >core/src/acme/Again.java
rm -rf target
mkdir -p target/classes
"$jdk/bin/javac" -nowarn --release 11 -g -d target/classes core/src/acme/*.java
"$jdk/bin/jar" --create --file target/app.jar --main-class acme.Orders -C target/classes .
BUILD
chmod +x build.sh
mkdir "$TMP/bin" && ln -s "$jdk/bin/java" "$TMP/bin/" || exit 1
cat >"$TMP/bin/ojx" <<REPLAY
#!/bin/sh
if [ "\$1" = record ] && [ -e "$TMP/replayed" ]; then
	exec cp "$TMP/replayed" ojx.data
fi
exec "$OJX" "\$@"
REPLAY
chmod +x "$TMP/bin/ojx"
export PATH=$TMP/bin:$PATH GITHUB_STEP_SUMMARY=$TMP/summary.md CI_COMMIT_BRANCH=main CI_DEFAULT_BRANCH=main

# job NAME: runs the scripts of an example until one fails, as its runner does
job()
{
	: >"$TMP/out"
	rm -f "$GITHUB_STEP_SUMMARY" ojx.*
	for script in "$TMP/$1".[0-9]; do
		status=0
		bash -eo pipefail "$script" >>"$TMP/out" 2>"$TMP/err" || status=$?
		[ $status = 0 ] || return
	done
}

# recorded_as NAME TIMES: what the next jobs record
compile_make_data
recorded_as()
{
	echo "$2" >times
	rm -f "$TMP/replayed"
	if keeping; then
		./build.sh && "$OJX" record -q --budget=50 -o ojx.data -- java -Xmx64m -jar target/app.jar &&
			keep_recording ojx.data "ci/$1"
	fi
	kept_recording "ci/$1" "$TMP/replayed"
}

echo 1 >times
job github
is "GitHub, live: status" "$status" 0
check "GitHub, live: a baseline is kept" cmp ojx.data baseline.data
rm baseline.data
recorded_as once 1
job github
is "GitHub, without a baseline: status" "$status" 0
like "GitHub: a finding at its line in the repository" "$TMP/out" '^::warning file=core/src/acme/Orders\.java,line=[0-9]+,'
like "GitHub: a summary" "$GITHUB_STEP_SUMMARY" '^\*\*At least .* is duplicate'
is "GitHub: code scanning gets the same path" "$(json ojx.sarif "'core/src/acme/Orders.java' in {x['locations'][0]['physicalLocation']
	['artifactLocation']['uri'] for x in r['runs'][0]['results']}")" True
check "GitHub: a baseline is kept" cmp ojx.data baseline.data
recorded_as again 1
job gitlab
is "GitLab, the same program: status" "$status" 0
like "GitLab: the comparison is a test" ojx.xml '<testcase classname="ojx.diff" name="total.saved&gt;\+10%" time="0"/>'
like "GitLab: a summary" ojx.md '^\*\*At least .* is duplicate'
check "GitLab: a page with the source" grep -q 'static void currency' ojx.html

cp baseline.data good.data
recorded_as more 3
job github
is "GitHub, worse than the baseline: status" "$status" 3
like "GitHub: an error" "$TMP/out" "^::error title=ojx%3A total\.saved>\+10%25::'total\.saved>\+10%25' holds: \+"
like "GitHub: the line that is worse" "$TMP/out" '^::warning file=core/src/acme/Orders\.java,line=[0-9]+,title=.*(worse|new)::saved \+'
like "GitHub: the comparison in the summary" "$GITHUB_STEP_SUMMARY" '^## ojx diff'
check "GitHub: the baseline remains" cmp baseline.data good.data
job gitlab
is "GitLab, worse than the baseline: status" "$status" 3
like "GitLab: a test has failed" ojx.xml '<failure type="condition" message='
check "GitLab: the baseline remains" cmp baseline.data good.data
rm baseline.data
job gitlab
is "GitLab, without a baseline: status" "$status" 0
like "GitLab: a condition of the report" ojx.xml 'classname="ojx.report" name="total.saved&gt;1GB" time="0"/>'

PATH=$PATH:$TOP/build/tools/bin # where test/deps.sh puts what Debian has no package of
if command -v check-jsonschema >/dev/null; then
	check "GitHub: by its schema" check-jsonschema --builtin-schema vendor.github-workflows "$TMP/github.yml"
	check "GitLab: by its schema" check-jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci "$TMP/.gitlab-ci.yml"
else
	skip "the form of the examples" "no check-jsonschema"
fi
done_testing
