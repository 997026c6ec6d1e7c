#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the home of every JDK of this machine, one a line, the preferred one first: $JAVA_HOME, the
# one behind `javac`, then those of $OJX_TEST_JDKS (separated by colons) and of /usr/lib/jvm. Each is
# named once, whatever links lead to it. A JDK is a folder with bin/java, bin/javac and the headers
# that the agent needs.

{
	[ -n "$JAVA_HOME" ] && printf '%s\n' "$JAVA_HOME"
	javac=$(command -v javac) && dirname "$(dirname "$(readlink -f "$javac")")"
	printf '%s\n' "$OJX_TEST_JDKS" | tr ':' '\n'
	ls -d /usr/lib/jvm/*/ 2>/dev/null
} | while read -r home; do
	[ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] && [ -f "$home/include/jvmti.h" ] &&
		readlink -f "$home"
done | awk '!seen[$0]++'
