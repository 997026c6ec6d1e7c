#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records a real application for some seconds, Debian's Batik drawing charts, and shows the report.
# The run is short, so the budget is higher than the default of 2 %.
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
show ./ojx report --stdio -i build/demo.data
