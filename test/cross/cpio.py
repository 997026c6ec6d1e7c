#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the files of a folder as an initramfs (an archive that `cpio -H newc` reads), all of them root's.

    test/cross/cpio.py FOLDER
"""

import os
import sys


def entry(out, number, name, mode, data):
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08x" % f for f in fields) + name + b"\0"
    for part in (head, data):
        out.write(part + b"\0" * (-len(part) % 4))


def main():
    top, out = sys.argv[1], sys.stdout.buffer
    paths = sorted(os.path.join(at, name) for at, dirs, files in os.walk(top) for name in dirs + files)
    for number, path in enumerate(paths, 1):
        name = os.path.relpath(path, top).encode()
        if os.path.isdir(path):
            entry(out, number, name, 0o40755, b"")
        else:
            with open(path, "rb") as f:
                entry(out, number, name, 0o100755, f.read())
    entry(out, 0, b"TRAILER!!!", 0, b"")


main()
