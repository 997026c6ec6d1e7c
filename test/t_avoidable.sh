#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What fixes avoid, of programs that count it themselves (test/planted/Avoidable.java): every allocation is counted and no
# method compiled, so what the calls alone decide is exact. No program that only looks like a finding is one, and each rule
# has such a program.
. "$(dirname "$0")/lib.sh"

find_jdks
is "each rule of advice has a counterexample, where it must promise nothing" "$("$TOP/test/avoidable.py" --rules 2>&1)" ""
for home in "${jdks[@]}"; do
	is "jdk$(version_of "$home"): what is promised as certain is what the fixes avoid" \
		"$("$TOP/test/avoidable.py" --exact "$home" 2>&1)" ""
done
done_testing
