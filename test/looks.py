# SPDX-License-Identifier: Apache-2.0
"""Reads the snapshots of a recording (docs/file-format.md, lib/wire/wire.h), as the agent sent them."""

import struct
import zlib
from collections import defaultdict
from dataclasses import dataclass, field

FILLED = 1 << 5
DEEP, DEEP_CUT, DEEP_REFS, HASHED, LOCKED, FIXED = (1 << k for k in range(7, 13))
FRAME = "<QiI"


@dataclass
class Fill:
    size: int
    changes: int
    capacity: int
    table_bytes: int
    kind: int
    flags: int


@dataclass
class Look:
    flags: int
    content: int
    deep: int
    nodes: int
    deep_bytes: int
    fixed: int = None
    fill: Fill = None
    thread: str = ""


@dataclass
class Context:
    cls: str
    stack: list  # (class, method, line), innermost first
    looks: list = field(default_factory=list)
    values: dict = field(default_factory=dict)  # deep: (text, chars of the whole)


def records(data):
    at = 32
    while at + 32 <= len(data):
        length, unpacked = struct.unpack_from("<16xII", data, at)
        if at + 32 + length > len(data):
            return  # it is still being written
        payload = data[at + 32:at + 32 + length]
        if unpacked:
            payload = zlib.decompressobj().decompress(payload)
        at += 32 + length
        next_one = 0
        while next_one < len(payload):
            size, kind = struct.unpack_from("<IH", payload, next_one)
            yield kind, payload[next_one:next_one + size]
            next_one += size


def method(record):
    cls, name, descriptor, file, nlines = struct.unpack_from("<HHHHI", record, 16)
    text = record[32:]
    lines = -(-(cls + name + descriptor + file) // 8) * 8
    return (text[:cls].decode(), text[cls:cls + name].decode(),
            [struct.unpack_from("<HH", text, lines + 4 * k) for k in range(nlines)])


def frame(methods, name, bci):
    cls, called, lines = methods.get(name, ("?", "?", []))
    line = 0
    for start, number in sorted(lines):
        if start <= bci:
            line = number
    return cls, called, line


def read(path):
    """The contexts of a recording of one JVM."""
    classes, methods, stacks, contexts = {}, {}, {}, {}
    looks, values, threads = defaultdict(list), defaultdict(dict), {}
    with open(path, "rb") as file:
        data = file.read()
    for kind, record in records(data):
        if kind == 16:
            ident, _, length = struct.unpack_from("<IIH", record, 8)
            classes[ident] = record[24:24 + length].decode()
        elif kind == 17:
            methods[struct.unpack_from("<Q", record, 8)[0]] = method(record)
        elif kind == 18:
            ident, n = struct.unpack_from("<IH", record, 8)
            stacks[ident] = [struct.unpack_from(FRAME, record, 16 + 16 * k)[:2] for k in range(n)]
        elif kind == 19:
            ident, cls, stack = struct.unpack_from("<III", record, 8)
            contexts[ident] = (cls, stack)
        elif kind == 20:
            number, length = struct.unpack_from("<II", record, 8)
            threads[number] = record[16:16 + length].decode()
        elif kind == 33:
            ident, _, _, flags, nslots, _, content, _, deep, _, nodes, deep_bytes = struct.unpack_from(
                "<IIIHBBQdQIII", record, 8)
            fixed = struct.unpack_from("<Q", record, 64 + -(-nslots // 2) * 8)[0] if flags & FIXED else None
            fill = Fill(*struct.unpack_from("<IIIIHH", record, len(record) - 24)) if flags & FILLED else None
            thread = threads.get(struct.unpack_from("<H", record, 6)[0], "")
            looks[ident].append(Look(flags, content, deep, nodes, deep_bytes, fixed, fill, thread))
        elif kind == 36:
            ident, length, deep, chars = struct.unpack_from("<IIQI", record, 8)
            values[ident][deep] = (record[32:32 + length].decode(), chars)
    return [Context(classes.get(cls, "?"), [frame(methods, *f) for f in stacks.get(stack, [])],
                    looks[ident], values[ident]) for ident, (cls, stack) in contexts.items()]
