#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the forms of forms.py with many addresses, and writes what is true of each instruction: a line each.

    bytes written-registers [access...]     access: kind size mask base index scale displacement

all in hex but the sizes and numbers of registers; 16 is rip, 17 none; kind is l, s, u, or ? for an access that is not told.
    truth.py [--addresses N]    of each form, with N addresses (default: 6)
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import forms  # noqa: E402

NONE, RIP = 17, 16

# base, index, scale, displacement; a displacement that is a pair counts operands
ADDRESSES = [
    (0, NONE, 0, 0), (5, NONE, 0, 0), (4, NONE, 0, 0x18), (12, NONE, 0, 0), (13, NONE, 0, 0), (1, NONE, 0, 0x7f),
    (14, 10, 8, 0x10), (3, NONE, 0, (1, 0)), (9, 11, 4, (2, 0)), (2, NONE, 0, -0x80), (6, 8, 2, (127, 0)),
    (15, 0, 1, (128, 0)), (7, NONE, 0, (-128, 0)), (8, 13, 8, (-129, 0)), (RIP, NONE, 0, 0x1234), (11, 5, 1, 0x12345678),
    (NONE, 9, 8, 0x100), (13, 12, 4, 0x7f), (10, NONE, 0, (3, 1)), (12, 15, 2, (-1, 0)), (5, 3, 8, 0), (4, 4, 0, 8),
    (NONE, NONE, 0, 0x12345678), (0, 14, 4, -0x12345678), (14, NONE, 0, 0xc),
]


def address(number, size):
    base, index, scale, disp = ADDRESSES[number % len(ADDRESSES)]
    if index == 4:
        index, scale = NONE, 0
    if isinstance(disp, tuple):
        disp = disp[0] * max(size, 1) + disp[1]
    parts = [forms.REG64[base] if base < 16 else "rip"] if base != NONE else []
    if index != NONE:
        parts.append(f"{forms.REG64[index]}*{scale}")
    text = "+".join(parts)
    if disp or not text:
        text += f"{'-' if disp < 0 else '+' if text else ''}{abs(disp):#x}"
    if base == NONE and index == NONE:
        text = "ds:" + text
    return text, (base, index, scale, disp)


def bits(written):
    return sum(1 << n for n in written)


def instructions(addresses):
    """(text, written, accesses)"""
    turn = 0
    for text, kind, size, masked, written in forms.forms():
        for _ in range(addresses):
            turn += 1
            mem, where = address(turn, size)
            access = [] if kind == "none" else [("?",)] if kind == "unknown" else [(kind[0], size, int(masked), *where)]
            if "[M]" in text:
                of = text.replace("[M]", f"[{mem}]")
            else:
                of = re.sub(r"\bM\b", f"[{mem}]" if not mem.startswith("ds:") else f"ds:[{mem[3:]}]", text)
            yield of.replace("[ds:", "ds:["), bits(written), access
    for text, accesses, written in forms.STRINGS:
        yield text, bits(written), [(kind[0], size, 0, forms.REG64.index(reg), NONE, 0, 0) for kind, size, reg in accesses]
    for text in forms.GATHERS:
        yield text, 0, [("?",)]


def assemble(texts):
    """The bytes of each instruction; exits with what the assembler refuses."""
    with tempfile.TemporaryDirectory() as folder:
        source, objects = os.path.join(folder, "forms.s"), os.path.join(folder, "forms.o")
        with open(source, "w") as f:
            f.write(".intel_syntax noprefix\n" + "\n".join(texts) + "\n")
        done = subprocess.run(["as", "--64", "-o", objects, source], capture_output=True, text=True)
        if done.returncode:
            lines = [int(m.group(1)) for m in re.finditer(r":(\d+): Error: (.*)", done.stderr)]
            refused = sorted({texts[n - 2] for n in lines})
            sys.exit("the assembler refuses:\n  " + "\n  ".join(refused[:40]))
        shown = subprocess.run(["objdump", "-d", "-w", "-M", "intel", objects], capture_output=True, text=True, check=True)
    codes = re.findall(r"^\s+[0-9a-f]+:\t((?:[0-9a-f]{2} )+)", shown.stdout, re.M)
    if len(codes) != len(texts):
        sys.exit(f"{len(texts)} instructions assembled, {len(codes)} disassembled")
    return [c.replace(" ", "") for c in codes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--addresses", type=int, default=6)
    parser.add_argument("--text", action="store_true", help="with the assembler's text behind each line")
    options = parser.parse_args()
    of = list(instructions(options.addresses))
    for (text, written, accesses), code in zip(of, assemble([i[0] for i in of])):
        line = f"{code} {written:x}"
        for a in accesses:
            line += " " + " ".join(str(x) for x in a[:-1] + ((f"{a[-1]:x}",) if len(a) > 1 else a[-1:]))
        print(line + (f" # {text}" if options.text else ""))


if __name__ == "__main__":
    main()
