# SPDX-License-Identifier: Apache-2.0
"""Every form of an instruction with an operand in memory that the JVM's compilers emit, and some others, with what is true of it.

A form is (text, kind, size, masked, written): the text as the GNU assembler reads it, with M where the operand in memory goes;
'load', 'store', 'update', 'none' (no memory is touched) or 'unknown'; bytes; whether a mask decides which of them are touched; the
general registers that are written. What is true is written down here by hand, from the manuals: no disassembler is asked.
"""

import forms_vector

WORD = {1: "byte ptr", 2: "word ptr", 4: "dword ptr", 8: "qword ptr", 10: "tbyte ptr", 16: "xmmword ptr",
        32: "ymmword ptr", 64: "zmmword ptr"}
VECTOR = {16: "xmm", 32: "ymm", 64: "zmm"}

REG64 = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
REG32 = "eax ecx edx ebx esp ebp esi edi r8d r9d r10d r11d r12d r13d r14d r15d".split()
REG16 = "ax cx dx bx sp bp si di r8w r9w r10w r11w r12w r13w r14w r15w".split()
REG8 = "al cl dl bl spl bpl sil dil r8b r9b r10b r11b r12b r13b r14b r15b".split()
REGS = {1: REG8, 2: REG16, 4: REG32, 8: REG64}


class Forms:
    def __init__(self):
        self.all = []
        self.turn = 0

    def add(self, text, kind, size, masked=False, written=()):
        self.all.append((text, kind, size, masked, frozenset(written)))

    def pick(self, of):
        self.turn += 1
        return of[self.turn * 7 % len(of)]

    # ---- integers ----------------------------------------------------------------------

    def reg(self, size):
        """A register's name and number; never rsp."""
        self.turn += 1
        n = [0, 3, 8, 6, 13, 2, 15, 7, 10, 1, 5, 12][self.turn % 12]
        return REGS[size][n], n

    def mem(self, size):
        return WORD[size] + " M"

    def integers(self):
        for size in 1, 2, 4, 8:
            m = self.mem(size)
            imm = {1: "0x12", 2: "0x1234", 4: "0x12345678", 8: "0x12345678"}[size]
            for _ in range(3):
                r, n = self.reg(size)
                self.add(f"mov {r}, {m}", "load", size, written=[n])
                self.add(f"mov {m}, {r}", "store", size)
                for op in "add", "or", "adc", "sbb", "and", "sub", "xor":
                    self.add(f"{op} {m}, {r}", "update", size)
                    self.add(f"{op} {r}, {m}", "load", size, written=[n])
                self.add(f"cmp {m}, {r}", "load", size)
                self.add(f"cmp {r}, {m}", "load", size)
                self.add(f"test {m}, {r}", "load", size)
                self.add(f"xchg {m}, {r}", "update", size, written=[n])
                self.add(f"xadd {m}, {r}", "update", size, written=[n])
                self.add(f"lock xadd {m}, {r}", "update", size, written=[n])
                self.add(f"lock cmpxchg {m}, {r}", "update", size, written=[0])
                self.add(f"cmpxchg {m}, {r}", "update", size, written=[0])
                self.add(f"lock add {m}, {r}", "update", size)
            for i in imm, "1", "-1":
                self.add(f"mov {m}, {i}", "store", size)
                for op in "add", "or", "adc", "sbb", "and", "sub", "xor":
                    self.add(f"{op} {m}, {i}", "update", size)
                self.add(f"cmp {m}, {i}", "load", size)
                self.add(f"test {m}, {i}", "load", size)
                self.add(f"lock or {m}, {i}", "update", size)
            for op in "inc", "dec", "neg", "not":
                self.add(f"{op} {m}", "update", size)
                self.add(f"lock {op} {m}", "update", size)
            for op in "mul", "imul", "div", "idiv":
                self.add(f"{op} {m}", "load", size, written=[0] if size == 1 else [0, 2])
            for op in "shl", "shr", "sar", "rol", "ror", "rcl", "rcr":
                for count in "1", "3", "cl":
                    self.add(f"{op} {m}, {count}", "update", size)
        self.wider()
        self.odd_integers()
        self.bits()

    def wider(self):
        """Operands of 2, 4 and 8 bytes, and extensions."""
        for size in 2, 4, 8:
            m = self.mem(size)
            for _ in range(2):
                r, n = self.reg(size)
                self.add(f"imul {r}, {m}", "load", size, written=[n])
                self.add(f"imul {r}, {m}, 3", "load", size, written=[n])
                self.add(f"imul {r}, {m}, 0x1234", "load", size, written=[n])
                for cc in "o", "b", "ae", "e", "ne", "be", "a", "s", "p", "l", "ge", "le", "g":
                    self.add(f"cmov{cc} {r}, {m}", "load", size, written=[n])
                for op in "popcnt", "lzcnt", "tzcnt", "bsf", "bsr", "movbe":
                    self.add(f"{op} {r}, {m}", "load", size, written=[n])
                self.add(f"movbe {m}, {r}", "store", size)
                for small in 1, 2:
                    if small < size:
                        self.add(f"movzx {r}, {self.mem(small)}", "load", small, written=[n])
                        self.add(f"movsx {r}, {self.mem(small)}", "load", small, written=[n])
                self.add(f"shld {m}, {r}, 5", "update", size)
                self.add(f"shrd {m}, {r}, cl", "update", size)
                self.add(f"lea {r}, [M]", "none", 0, written=[n])
        for _ in range(4):
            r, n = self.reg(8)
            self.add(f"movsxd {r}, {self.mem(4)}", "load", 4, written=[n])

    def odd_integers(self):
        for cc in "o", "b", "e", "ne", "be", "s", "l", "ge", "g":
            self.add(f"set{cc} {self.mem(1)}", "store", 1)
        for size in 4, 8:
            for _ in range(2):
                r, n = self.reg(size)
                s, k = self.reg(size)
                m = self.mem(size)
                self.add(f"movnti {m}, {r}", "store", size)
                self.add(f"movdiri {m}, {r}", "store", size)
                self.add(f"andn {r}, {s}, {m}", "load", size, written=[n])
                for op in "bextr", "bzhi", "shlx", "shrx", "sarx":
                    self.add(f"{op} {r}, {m}, {s}", "load", size, written=[n])
                for op in "pdep", "pext":
                    self.add(f"{op} {r}, {s}, {m}", "load", size, written=[n])
                for op in "blsi", "blsr", "blsmsk":
                    self.add(f"{op} {r}, {m}", "load", size, written=[n])
                self.add(f"mulx {r}, {s}, {m}", "load", size, written=[n, k])
                self.add(f"rorx {r}, {m}, 7", "load", size, written=[n])
                self.add(f"adcx {r}, {m}", "load", size, written=[n])
                self.add(f"adox {r}, {m}", "load", size, written=[n])
                for of in (1, 2, 4) if size == 4 else (1, 8):
                    self.add(f"crc32 {r}, {self.mem(of)}", "load", of, written=[n])
        self.add("cmpxchg8b " + self.mem(8), "update", 8, written=[0, 2])
        self.add("lock cmpxchg16b " + self.mem(16), "update", 16, written=[0, 2])
        self.add("push " + self.mem(8), "load", 8, written=[4])
        self.add("pop " + self.mem(8), "store", 8, written=[4])
        self.add("jmp " + self.mem(8), "load", 8)
        self.add("call " + self.mem(8), "load", 8, written=range(16))
        self.add("ldmxcsr " + self.mem(4), "load", 4)
        self.add("stmxcsr " + self.mem(4), "store", 4)
        for op in "prefetcht0", "prefetcht1", "prefetchnta", "prefetchw", "clflush", "clflushopt", "clwb":
            self.add(f"{op} byte ptr M", "none", 0)
        self.add("nop dword ptr M", "none", 0)
        self.add("nop word ptr M", "none", 0)
        for op in "xsave", "xrstor", "xsavec", "xsaveopt", "xsaves", "fxsave", "fxrstor":
            self.add(f"{op} [M]", "unknown", 0)

    def bits(self):
        """With a number the bit is in the operand; with a register anywhere."""
        for op in "bt", "bts", "btr", "btc":
            for size in 2, 4, 8:
                r, _ = self.reg(size)
                self.add(f"{op} {self.mem(size)}, {r}", "unknown", 0)
                self.add(f"{op} {self.mem(size)}, 5", "load" if op == "bt" else "update", size)
                if op != "bt":
                    self.add(f"lock {op} {self.mem(size)}, 5", "update", size)

    def x87(self):
        for op, sizes, kind in (("fld", (4, 8, 10), "load"), ("fst", (4, 8), "store"), ("fstp", (4, 8, 10), "store"),
                                ("fild", (2, 4, 8), "load"), ("fist", (2, 4), "store"), ("fistp", (2, 4, 8), "store"),
                                ("fisttp", (2, 4, 8), "store"), ("fadd", (4, 8), "load"), ("fmul", (4, 8), "load"),
                                ("fcom", (4, 8), "load"), ("fcomp", (4, 8), "load"), ("fsub", (4, 8), "load"),
                                ("fdiv", (4, 8), "load"), ("fidiv", (2, 4), "load"), ("fldcw", (2,), "load"),
                                ("fnstcw", (2,), "store"), ("fnstsw", (2,), "store")):
            for size in sizes:
                self.add(f"{op} {self.mem(size)}", kind, size)
        for op in "fnstenv", "fldenv", "fnsave", "frstor":
            self.add(f"{op} [M]", "unknown", 0)

    # ---- vectors -----------------------------------------------------------------------

    def v(self, size, evex=False):
        self.turn += 1
        n = self.turn * 5 % 16 + (16 if evex else 0)
        return f"{VECTOR[max(size, 16)]}{n}"

    def sse(self, names, size, kind="load", shape="R, M", imm=None):
        """Of xmm registers, without VEX."""
        for op in names.split():
            for _ in range(2):
                text = shape.replace("M", "#").replace("R", self.v(16)).replace("#", self.mem(size))
                self.add(f"{op} {text}" + (f", {imm}" if imm is not None else ""), kind, size)

    def vex(self, names, sizes, kind="load", shape="R, S, M", imm=None, masked=False):
        """`sizes`: of the vector and of memory."""
        for op in names.split():
            for vector, size in sizes:
                text = shape.replace("M", "#").replace("R", self.v(vector)).replace("S", self.v(vector))
                text = text.replace("#", self.mem(size))
                self.add(f"{{vex}} {op} {text}" + (f", {imm}" if imm is not None else ""), kind, size, masked)

    def evex(self, names, sizes, kind="load", shape="R, S, M", imm=None, broadcast=0, mask="kz", dest=None):
        """`mask`: k, and z for zeroing, where it may have one; `broadcast`: bytes of the element; `dest`: of a comparison."""
        tail = f", {imm}" if imm is not None else ""
        for op in names.split():
            for vector, size in sizes:
                for how in ["", "k"] * ("k" in mask) + ["z"] * ("z" in mask) or [""]:
                    k = {"": "", "k": "{k3}", "z": "{k5}{z}"}[how]
                    text = shape.replace("M", "#")
                    if kind == "store":
                        text = text.replace("#", "#" + k)
                    else:
                        text = text.replace("R", "R" + k, 1).replace("D", "D" + k, 1)
                    text = text.replace("D", dest or "").replace("S", self.v(vector, True))
                    text = text.replace("R", self.v(vector, True))
                    self.add(f"{{evex}} {op} {text.replace('#', self.mem(size))}{tail}", kind, size, how != "")
                    if broadcast and how != "z":
                        times = size // broadcast
                        self.add(f"{{evex}} {op} " + text.replace("#", f"{WORD[broadcast]} M{{1to{times}}}") + tail,
                                 kind, broadcast, how != "")


def forms():
    f = Forms()
    f.integers()
    f.x87()
    forms_vector.moves(f)
    forms_vector.arithmetic(f)
    forms_vector.packed_integers(f)
    forms_vector.widths(f)
    forms_vector.pieces(f)
    forms_vector.fp16(f)
    return f.all


# Whole instructions: text, kind of each operand with its address, written registers.
STRINGS = [
    ("movsb", [("store", 1, "rdi"), ("load", 1, "rsi")], [6, 7]),
    ("rep movsb", [("store", 1, "rdi"), ("load", 1, "rsi")], [1, 6, 7]),
    ("rep movsq", [("store", 8, "rdi"), ("load", 8, "rsi")], [1, 6, 7]),
    ("movsd", [("store", 4, "rdi"), ("load", 4, "rsi")], [6, 7]),
    ("rep stosb", [("store", 1, "rdi")], [1, 7]),
    ("rep stosd", [("store", 4, "rdi")], [1, 7]),
    ("rep stosq", [("store", 8, "rdi")], [1, 7]),
    ("stosw", [("store", 2, "rdi")], [7]),
    ("lodsb", [("load", 1, "rsi")], [0, 6]),
    ("lodsq", [("load", 8, "rsi")], [0, 6]),
    ("repne scasw", [("load", 2, "rdi")], [1, 7]),
    ("repe cmpsb", [("load", 1, "rdi"), ("load", 1, "rsi")], [1, 6, 7]),
]

GATHERS = [
    "vpgatherdd xmm1, [rax+xmm2*4], xmm3", "vpgatherdd ymm1, [rax+ymm2*4+0x10], ymm3",
    "vgatherdps ymm1, [rax+ymm2*4], ymm3", "vgatherdpd ymm1, [r9+xmm2*8], ymm3",
    "vpgatherqq ymm8, [rax+ymm12*8], ymm3", "vpgatherdd zmm1{k1}, [rax+zmm2*4+0x40]",
    "vgatherdpd zmm17{k1}, [r8+ymm20*8+0x10]", "vpgatherqq zmm1{k1}, [rax+zmm30*8]",
    "vpscatterdd [rax+zmm2*4+0x10]{k1}, zmm1", "vscatterdpd [r13+ymm20*8]{k2}, zmm19",
    "vpscatterqq [rax+zmm2*8]{k1}, zmm31",
]
