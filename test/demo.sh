#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records ten seconds of a real application, Debian's Batik drawing charts, and shows the report. The
# run is short, so it may cost more than the 2 % that is the default.
set -eu
cd "$(dirname "$0")/.."

jdk=$(agent/jdks.sh | head -n 1)
jars=/usr/share/java
classpath=build/apps:$jars/batik-all.jar:$jars/xmlgraphics-commons.jar:$jars/xml-apis-ext.jar
mkdir -p build/apps
"$jdk/bin/javac" -nowarn -g -cp "$classpath" -d build/apps test/apps/Rasterize.java

show()
{
	printf '\n$ %s\n' "$*"
	"$@"
}
show ./ojx record --budget 5 -o build/demo.data -- "$jdk/bin/java" -cp "$classpath" Rasterize 350
show ./ojx report --stdio --limit 5 -i build/demo.data
