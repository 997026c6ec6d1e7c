#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How full collections, buffers and builders are: what snapshots say is what reflection reads (test/fills.py).
. "$(dirname "$0")/lib.sh"

find_jdks
is "of each class in each state" "$("$TOP/test/fills.py" 2>&1)" ""
done_testing
