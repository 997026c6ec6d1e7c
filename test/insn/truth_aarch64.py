#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles loads, stores and other A64 instructions in their forms, and writes what is true of each: a line each.

    bytes written-registers [access]     access: kind size mask base index scale displacement

as truth.py has it for x86-64; register 31 is the stack pointer, 32 the program counter, 33 none.
    truth_aarch64.py [--text]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SP, PC, NONE = 31, 32, 33
BASES = [0, 3, 12, 20, 28, 29, SP]
TARGETS = [0, 1, 9, 17, 26, 30]
turn = 0


def pick(of):
    """The next of a list, so that all of them come up in many forms."""
    global turn
    turn += 1
    return of[turn % len(of)]


def x(n):
    return "sp" if n == SP else f"x{n}"


def mem(base, disp=0, index=NONE, scale=0):
    return base, index, scale, disp


def addresses(size, unscaled=False, plain=False):
    """(text, mem, base is written) of each form of address that a load or store of so many bytes has."""
    base = pick(BASES)
    yield f"[{x(base)}]", mem(base), False
    if plain:
        return
    for disp in ([-256, -1, 1, 255] if unscaled else [size, 4095 * size, 8 * size]):
        base = pick(BASES)
        yield f"[{x(base)}, #{disp}]", mem(base, disp), False
    if unscaled:
        return
    for disp in (-256, -16, 8, 255):
        base = pick(BASES)
        yield f"[{x(base)}, #{disp}]!", mem(base, disp), True
        base = pick(BASES)
        yield f"[{x(base)}], #{disp}", mem(base), True
    shift = size.bit_length() - 1
    for extend, name in (("lsl", "x"), ("uxtw", "w"), ("sxtw", "w"), ("sxtx", "x")):
        for amount in (0, shift):
            base, index = pick(BASES), pick([1, 2, 10, 22])
            text = f", {extend} #{amount}" if amount or extend != "lsl" else ""
            scaled = size if amount and shift else 1
            yield f"[{x(base)}, {name}{index}{text}]", mem(base, 0, index, scaled), False


def one_register():
    """(text, kind, size, registers that are written, address)"""
    of = [("ldrb", "w", 1), ("ldrh", "w", 2), ("ldr", "w", 4), ("ldr", "x", 8), ("ldrsb", "w", 1), ("ldrsb", "x", 1),
          ("ldrsh", "w", 2), ("ldrsh", "x", 2), ("ldrsw", "x", 4), ("strb", "w", 1), ("strh", "w", 2), ("str", "w", 4),
          ("str", "x", 8)]
    of += [(op, reg, size) for op in ("ldr", "str") for reg, size in (("b", 1), ("h", 2), ("s", 4), ("d", 8), ("q", 16))]
    for op, reg, size in of:
        load = op[0] == "l"
        for text, where, changes in addresses(size):
            # writing back to the register that is transferred has no defined result
            rt = pick([t for t in TARGETS if t != where[0]])
            written = {rt} if load and reg in "wx" else set()
            yield f"{op} {reg}{rt}, {text}", "l" if load else "s", size, written | ({where[0]} if changes else set()), where
    unscaled = [(op.replace("ldr", "ldur").replace("str", "stur"), reg, size) for op, reg, size in of]
    unprivileged = [(op.replace("ldr", "ldtr").replace("str", "sttr"), reg, size) for op, reg, size in of if reg in "wx"]
    ordered = [("ldapur", "x", 8), ("ldapur", "w", 4), ("ldapurb", "w", 1), ("ldapurh", "w", 2), ("ldapursb", "x", 1),
               ("ldapursw", "x", 4), ("stlur", "x", 8), ("stlur", "w", 4), ("stlurb", "w", 1), ("stlurh", "w", 2)]
    for op, reg, size in unscaled + unprivileged + ordered:
        for text, where, _ in addresses(size, unscaled=True):
            rt = pick(TARGETS)
            yield f"{op} {reg}{rt}, {text}", "l" if op[0] == "l" else "s", size, {rt} if op[0] == "l" and reg in "wx" else set(), where


def pairs():
    for op, reg, size in (("ldp", "w", 4), ("ldp", "x", 8), ("ldpsw", "x", 4), ("stp", "w", 4), ("stp", "x", 8), ("ldp", "s", 4),
                          ("ldp", "d", 8), ("ldp", "q", 16), ("stp", "s", 4), ("stp", "d", 8), ("stp", "q", 16), ("ldnp", "x", 8),
                          ("stnp", "x", 8), ("ldnp", "q", 16), ("stnp", "q", 16)):
        forms = [0, 1] if "np" in op else [0, 1, 2, 3]
        for form in forms:
            base, a, b, disp = pick(BASES), pick([1, 4, 9]), pick([2, 5, 30]), pick([-64, -1, 1, 63]) * size
            text = [f"[{x(base)}]", f"[{x(base)}, #{disp}]", f"[{x(base)}, #{disp}]!", f"[{x(base)}], #{disp}"][form]
            written = {a, b} if op[0] == "l" and reg in "wx" else set()
            yield (f"{op} {reg}{a}, {reg}{b}, {text}", "l" if op[0] == "l" else "s", 2 * size,
                   written | ({base} if form > 1 else set()), mem(base, disp if form in (1, 2) else 0))


def exclusives():
    for suffix, reg, size in (("b", "w", 1), ("h", "w", 2), ("", "w", 4), ("", "x", 8)):
        for op in ("ldxr", "ldaxr", "ldar", "ldlar", "ldapr"):
            base, rt = pick(BASES), pick(TARGETS)
            yield f"{op}{suffix} {reg}{rt}, [{x(base)}]", "l", size, {rt}, mem(base)
        for op in ("stlr", "stllr"):
            base, rt = pick(BASES), pick(TARGETS)
            yield f"{op}{suffix} {reg}{rt}, [{x(base)}]", "s", size, set(), mem(base)
        for op in ("stxr", "stlxr"):
            base = pick(BASES)
            yield f"{op}{suffix} w7, {reg}5, [{x(base)}]", "s", size, {7}, mem(base)
        for op in ("cas", "casa", "casl", "casal"):
            base = pick(BASES)
            yield f"{op}{suffix} {reg}8, {reg}4, [{x(base)}]", "u", size, {8}, mem(base)
        for op in ("ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "swp"):
            for order in ("", "a", "l", "al"):
                base = pick(BASES)
                yield f"{op}{order}{suffix} {reg}6, {reg}14, [{x(base)}]", "u", size, {14}, mem(base)
        base = pick(BASES)
        yield f"stadd{suffix} {reg}6, [{x(base)}]", "u", size, set(), mem(base)
    for reg, size in (("w", 4), ("x", 8)):
        for op in ("ldxp", "ldaxp"):
            base = pick(BASES)
            yield f"{op} {reg}6, {reg}9, [{x(base)}]", "l", 2 * size, {6, 9}, mem(base)
        for op in ("stxp", "stlxp"):
            base = pick(BASES)
            yield f"{op} w7, {reg}6, {reg}9, [{x(base)}]", "s", 2 * size, {7}, mem(base)
        for op in ("casp", "caspa", "caspl", "caspal"):
            base = pick(BASES)
            yield f"{op} {reg}4, {reg}5, {reg}8, {reg}9, [{x(base)}]", "u", 2 * size, {4, 5}, mem(base)


def structures():
    for op, counts in (("1", (1, 2, 3, 4)), ("2", (2,)), ("3", (3,)), ("4", (4,))):
        for n in counts:
            for kind in "ls":
                for lane, size in (("8b", 8), ("16b", 16), ("4h", 8), ("8h", 16), ("2s", 8), ("4s", 16), ("2d", 16)):
                    base, first = pick(BASES), pick([0, 7, 30])
                    regs = ", ".join(f"v{(first + i) % 32}.{lane}" for i in range(n))
                    name = ("ld" if kind == "l" else "st") + op
                    yield f"{name} {{{regs}}}, [{x(base)}]", kind, n * size, set(), mem(base)
                    yield f"{name} {{{regs}}}, [{x(base)}], #{n * size}", kind, n * size, {base}, mem(base)
                    yield f"{name} {{{regs}}}, [{x(base)}], x13", kind, n * size, {base}, mem(base)
    for n in (1, 2, 3, 4):
        for lane, size, index in (("b", 1, 11), ("h", 2, 5), ("s", 4, 3), ("d", 8, 1)):
            base = pick(BASES)
            regs = ", ".join(f"v{i + 4}.{lane}" for i in range(n))
            for kind in "ls":
                yield f"{'ld' if kind == 'l' else 'st'}{n} {{{regs}}}[{index}], [{x(base)}]", kind, n * size, set(), mem(base)
            whole = ", ".join(f"v{i + 4}.{dict(b='16b', h='8h', s='4s', d='2d')[lane]}" for i in range(n))
            yield f"ld{n}r {{{whole}}}, [{x(base)}], #{n * size}", "l", n * size, {base}, mem(base)


def literals():
    for text, size, written in (("ldr w3", 4, {3}), ("ldr x4", 8, {4}), ("ldrsw x5", 4, {5}), ("ldr s3", 4, set()),
                                ("ldr d3", 8, set()), ("ldr q3", 16, set())):
        for disp in (-1048576, -64, 64, 1048572):
            yield f"{text}, . {'+' if disp >= 0 else '-'} {abs(disp)}", "l", size, written, mem(PC, disp - 4)


def without_memory():
    """(text, registers that are written)"""
    return [
        ("prfm pldl1keep, [x4, #64]", set()), ("prfm pstl1strm, [x4, x5, lsl #3]", set()), ("prfum pldl1keep, [x4, #-8]", set()),
        ("add x3, x4, #16", {3}), ("add sp, sp, #32", {SP}), ("sub sp, x9, #32", {SP}), ("cmp x3, #7", set()), ("cmn w3, #7", set()),
        ("adds x3, x4, #1", {3}), ("add x3, x4, x5, lsl #3", {3}), ("add sp, x4, w5, uxtw #2", {SP}), ("cmp sp, x5, uxtx", set()),
        ("sub w3, w4, w5", {3}), ("neg x6, x7", {6}), ("cmp x3, x4", set()), ("and x3, x4, #0xff", {3}), ("and sp, x4, #-16", {SP}),
        ("tst x3, #0xff", set()), ("orr x3, x4, x5", {3}), ("bics xzr, x4, x5", set()), ("mov x3, x4", {3}), ("mov w3, w4", {3}),
        ("mov sp, x4", {SP}), ("movz x3, #1, lsl #32", {3}), ("movn x3, #5", {3}), ("movk x3, #5, lsl #48", {3}),
        ("lsl x3, x4, #3", {3}), ("lsr x3, x4, #9", {3}), ("asr w3, w4, #2", {3}), ("sxtw x3, w4", {3}), ("ubfiz x3, x4, #3, #32", {3}),
        ("sbfiz x3, x4, #3, #32", {3}), ("bfi x3, x4, #3, #7", {3}), ("extr x3, x4, x5, #7", {3}), ("adr x3, . + 64", {3}),
        ("adrp x3, . + 8192", {3}), ("madd x3, x4, x5, x6", {3}), ("smulh x3, x4, x5", {3}), ("udiv w3, w4, w5", {3}),
        ("lslv x3, x4, x5", {3}), ("rbit x3, x4", {3}), ("clz w3, w4", {3}), ("csel x3, x4, x5, ne", {3}), ("cset w3, eq", {3}),
        ("ccmp x3, x4, #0, ne", set()), ("ccmp x3, #4, #0, ne", set()), ("adc x3, x4, x5", {3}), ("ngcs x3, x4", {3}),
        ("crc32cx w3, w4, x5", {3}), ("b . + 64", set()), ("b.ne . - 64", set()), ("cbz x3, . + 64", set()), ("tbnz x3, #40, . + 64", set()),
        ("bl . + 64", {30}), ("blr x3", {30}), ("br x3", set()), ("ret", set()), ("brk #1", set()), ("svc #0", set()), ("nop", set()),
        ("yield", set()), ("dmb ish", set()), ("isb", set()), ("mrs x3, cntvct_el0", {3}), ("msr fpcr, x3", set()), ("paciasp", {30, 17}),
        ("xpaclri", {30, 17}), ("fadd d3, d4, d5", set()), ("fmov x3, d4", {3}), ("fmov d3, x4", set()), ("fmov w3, s4", {3}),
        ("fmov s3, w4", set()), ("fmov d3, d4", set()), ("fmov d3, #1.0", set()), ("fcmp d3, d4", set()), ("fccmp d3, d4, #0, ne", set()),
        ("fcsel d3, d4, d5, ne", set()), ("fcvtzs x3, d4", {3}), ("fcvtzu w3, s4", {3}), ("scvtf d3, x4", set()), ("fcvtas x3, d4", {3}),
        ("fcvtzs x3, d4, #7", {3}), ("scvtf d3, x4, #7", set()), ("fjcvtzs w3, d4", {3}), ("umov w3, v4.b[2]", {3}),
        ("mov x3, v4.d[1]", {3}), ("smov x3, v4.h[2]", {3}), ("dup v3.4s, w4", set()), ("mov v3.d[1], x4", set()), ("add v3.4s, v4.4s, v5.4s", set()),
        ("addv b3, v4.16b", set()), ("cnt v3.8b, v4.8b", set()), ("aese v3.16b, v4.16b", set()), ("tbl v3.16b, {v4.16b}, v5.16b", set()),
        ("movi v3.2d, #0", set()), ("fmadd d3, d4, d5, d6", set()), ("sha1h s3, s4", set()), ("pmull v3.1q, v4.1d, v5.1d", set()),
    ]


def unknown():
    """(text, registers that are written)"""
    every = set(range(32))
    return [("dc zva, x3", set()), ("ld1w {z3.s}, p0/z, [x4]", every), ("st1d {z3.d}, p0, [x4, x5, lsl #3]", every),
            ("ldr z3, [x4]", every), ("ldraa x3, [x4]", every)]


def lines():
    for group in (one_register, pairs, exclusives, structures, literals):
        for text, kind, size, written, (base, index, scale, disp) in group():
            number = f"{'-' if disp < 0 else ''}{abs(disp):x}"
            yield text, written, f" {kind} {size} 0 {base} {index} {scale} {number}"
    for text, written in without_memory():
        yield text, written, ""
    for text, written in unknown():
        yield text, written, " ?"


def assemble(texts):
    """The bytes of each instruction; exits with what the assembler refuses."""
    with tempfile.TemporaryDirectory() as folder:
        source, objects, code = (os.path.join(folder, name) for name in ("forms.s", "forms.o", "forms.bin"))
        with open(source, "w") as f:
            f.write("\n".join(texts) + "\n")
        done = subprocess.run(["aarch64-linux-gnu-as", "-march=armv8.5-a+sve+crypto", "-o", objects, source], capture_output=True, text=True)
        if done.returncode:
            numbers = sorted({int(n) for n in re.findall(r":(\d+): Error", done.stderr)})
            sys.exit("the assembler refuses:\n  " + "\n  ".join(texts[n - 1] for n in numbers[:40]))
        subprocess.run(["aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", objects, code], check=True)
        with open(code, "rb") as f:
            whole = f.read()
    if len(whole) != 4 * len(texts):
        sys.exit(f"{len(texts)} instructions gave {len(whole)} bytes")
    return [whole[i:i + 4].hex() for i in range(0, len(whole), 4)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", action="store_true", help="with the assembler's text behind each line")
    options = parser.parse_args()
    of = list(lines())
    for (text, written, access), code in zip(of, assemble([i[0] for i in of])):
        print(f"{code} {sum(1 << n for n in written):x}{access}" + (f" # {text}" if options.text else ""))


if __name__ == "__main__":
    main()
