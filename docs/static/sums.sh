#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes FOLDER/SHA256SUMS, with a line for each archive and package in FOLDER. `make dist` calls it.
#   docs/static/sums.sh FOLDER
set -eu
cd "$1"
sha256sum -- *.tar.gz *.deb >SHA256SUMS
cat SHA256SUMS
