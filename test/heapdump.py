#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a heap dump of HotSpot (HPROF 1.0.2) and groups the objects of some classes by content.

    test/heapdump.py DUMP CLASS...      e.g. java.util.Date 'byte[]' java.lang.String

For each class one line: how many objects, how many contents, the largest group's share; shallow, where
a reference is equal to another if it leads to the same object, and deep, where strings and arrays of
primitives are what they hold, and other objects what their fields hold, up to DEPTH references away.
The file is read as a whole, object by object: dumps of some ten megabytes.
"""

import struct
import sys
from collections import Counter

DEPTH = 4
TYPES = {2: "L", 4: "Z", 5: "C", 6: "F", 7: "D", 8: "B", 9: "S", 10: "I", 11: "J"}
SIZES = {"Z": 1, "C": 2, "F": 4, "D": 8, "B": 1, "S": 2, "I": 4, "J": 8}
ARRAYS = {"Z": "boolean[]", "C": "char[]", "F": "float[]", "D": "double[]", "B": "byte[]",
          "S": "short[]", "I": "int[]", "J": "long[]"}
# Roots by tag: how many bytes follow the id of the object, without and with another id.
ROOTS = {0xff: (0, 0), 0x01: (0, 1), 0x02: (8, 0), 0x03: (8, 0), 0x04: (4, 0), 0x05: (0, 0),
         0x06: (4, 0), 0x07: (0, 0), 0x08: (8, 0)}


class Class:
    def __init__(self):
        self.name = "?"
        self.parent = 0
        self.fields = []  # (type, name) of this class's own fields


class Dump:
    """`objects`: address to (class address or array type, bytes of the content as in the file)."""

    def __init__(self, path):
        self.texts = {}
        self.classes = {}
        self.objects = {}
        with open(path, "rb") as file:
            self.data = file.read()
        end = self.data.index(b"\0")
        if not self.data.startswith(b"JAVA PROFILE 1.0."):
            raise ValueError(f"{path}: not a heap dump")
        (self.idsize,) = struct.unpack_from(">I", self.data, end + 1)
        self.read_records(end + 13)
        self.by_name = {}
        for address, one in self.classes.items():
            self.by_name.setdefault(one.name, []).append(address)

    def number(self, at, size):
        return int.from_bytes(self.data[at:at + size], "big")

    def read_records(self, at):
        while at < len(self.data):
            tag, _, length = struct.unpack_from(">BII", self.data, at)
            at += 9
            if tag == 0x01:
                self.texts[self.number(at, self.idsize)] = \
                    self.data[at + self.idsize:at + length].decode("utf-8", "replace")
            elif tag == 0x02:
                name = self.number(at + 8 + self.idsize, self.idsize)
                self.class_at(self.number(at + 4, self.idsize)).name = java_name(self.texts[name])
            elif tag in (0x0c, 0x1c):
                self.read_segment(at, at + length)
            at += length

    def class_at(self, address):
        return self.classes.setdefault(address, Class())

    def size(self, kind):
        return self.idsize if kind == "L" else SIZES[kind]

    def read_segment(self, at, end):
        ids = self.idsize
        while at < end:
            tag = self.data[at]
            at += 1
            if tag in ROOTS:
                plain, more = ROOTS[tag]
                at += ids + plain + more * ids
            elif tag == 0x20:
                at = self.read_class(at)
            elif tag == 0x21:
                length = self.number(at + 2 * ids + 4, 4)
                first = at + 2 * ids + 8
                self.objects[self.number(at, ids)] = (self.number(at + ids + 4, ids), first, length)
                at = first + length
            elif tag == 0x22:
                length = self.number(at + ids + 4, 4) * ids
                first = at + 2 * ids + 8
                self.objects[self.number(at, ids)] = (self.number(at + ids + 8, ids), first, length)
                at = first + length
            elif tag == 0x23:
                kind = TYPES[self.data[at + ids + 8]]
                length = self.number(at + ids + 4, 4) * SIZES[kind]
                first = at + ids + 9
                self.objects[self.number(at, ids)] = (kind, first, length)
                at = first + length
            else:
                raise ValueError(f"unknown record {tag:#x} at byte {at - 1}")

    def read_class(self, at):
        ids = self.idsize
        one = self.class_at(self.number(at, ids))
        one.parent = self.number(at + ids + 4, ids)
        at += 7 * ids + 8
        constants = self.number(at, 2)
        at += 2
        for _ in range(constants):
            at += 3 + self.size(TYPES[self.data[at + 2]])
        statics = self.number(at, 2)
        at += 2
        for _ in range(statics):
            at += ids + 1 + self.size(TYPES[self.data[at + ids]])
        fields = self.number(at, 2)
        at += 2
        for _ in range(fields):
            one.fields.append((TYPES[self.data[at + ids]], self.texts[self.number(at, ids)]))
            at += ids + 1
        return at

    # ---- what is in it ---------------------------------------------------------------------

    def instances(self, name):
        """Addresses of the objects of exactly this class, by its Java name."""
        wanted = set(self.by_name.get(name, [])) | {k for k, n in ARRAYS.items() if n == name}
        return [address for address, (kind, _, _) in self.objects.items() if kind in wanted]

    def fields(self, address):
        """(type, name, value) of all fields, inherited ones too; values are bytes."""
        kind, at, _ = self.objects[address]
        while kind:
            one = self.classes[kind]
            for type_, name in one.fields:
                size = self.size(type_)
                yield type_, name, self.data[at:at + size]
                at += size
            kind = one.parent

    def shallow(self, address):
        _, first, length = self.objects[address]
        return length, self.data[first:first + length]

    def deep(self, address, depth=DEPTH):
        if address not in self.objects:
            return address  # null; or a class, which equals only itself
        kind, _, _ = self.objects[address]
        if kind in ARRAYS:
            return kind, self.shallow(address)
        name = self.classes[kind].name
        if depth == 0:
            return address
        if name.endswith("[]"):
            _, first, length = self.objects[address]
            return name, tuple(self.deep(self.number(first + i, self.idsize), depth - 1)
                               for i in range(0, length, self.idsize))
        if name == "java.lang.String":  # the hash code is cached at some time
            fields = {n: v for _, n, v in self.fields(address)}
            return name, fields.get("coder"), self.deep(int.from_bytes(fields["value"], "big"))
        return name, tuple(self.deep(int.from_bytes(v, "big"), depth - 1) if t == "L" else v
                           for t, _, v in self.fields(address))

    def groups(self, name, deep=False):
        """Counter of the contents of a class's objects."""
        content = self.deep if deep else self.shallow
        return Counter(content(address) for address in self.instances(name))


def java_name(name):
    """Converts java/lang/String, [[Ljava/lang/String; or [I to Java names."""
    dimensions = len(name) - len(name.lstrip("["))
    name = name[dimensions:]
    if dimensions and name in ARRAYS:
        name = ARRAYS[name][:-2]
    elif dimensions:
        name = name[1:-1]
    return name.replace("/", ".") + "[]" * dimensions


def describe(groups):
    n = sum(groups.values())
    if n == 0:
        return "none"
    return f"{n} objects, {len(groups)} contents, largest group {max(groups.values()) / n:.4f}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    dump = Dump(sys.argv[1])
    for name in sys.argv[2:]:
        print(f"{name}: shallow {describe(dump.groups(name))}; deep "
              f"{describe(dump.groups(name, deep=True))}")


if __name__ == "__main__":
    main()
