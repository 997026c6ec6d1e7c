#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Snapshots of objects that refer to others, on every collector. See deep.py.
exec python3 "$(dirname "$0")/deep.py" "$@"
