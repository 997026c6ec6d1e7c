# SPDX-License-Identifier: Apache-2.0
"""Every form of an instruction with an operand in memory that the JVM's compilers emit, and some others, with what is true of it.

A form is (text, kind, size, masked, written): the text as the GNU assembler reads it, with M where the operand in memory goes;
'load', 'store', 'update', 'none' (no memory is touched) or 'unknown'; bytes; whether a mask decides which of them are touched; the
general registers that are written. What is true is written down here by hand, from the manuals: no disassembler is asked.
"""

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


XY = [(16, 16), (32, 32)]
XYZ = [(16, 16), (32, 32), (64, 64)]
YZ = [(32, 32), (64, 64)]


def both(f, names, width, broadcast=0, shape="R, S, M", imm=None, mask="kz"):
    """SSE, VEX and EVEX forms of packed instructions; `names` without the v."""
    f.sse(names, width, imm=imm)
    v = " ".join("v" + n for n in names.split())
    f.vex(v, XY, shape=shape, imm=imm)
    f.evex(v, XYZ, shape=shape, imm=imm, broadcast=broadcast, mask=mask)


def moves(f):
    for op in "movups movupd movaps movapd movdqu movdqa".split():
        f.sse(op, 16)
        f.sse(op, 16, "store", "M, R")
        f.vex("v" + op, XY, shape="R, M")
        f.vex("v" + op, XY, "store", "M, R")
    for op in "vmovups vmovupd vmovaps vmovapd vmovdqu8 vmovdqu16 vmovdqu32 vmovdqu64 vmovdqa32 vmovdqa64".split():
        f.evex(op, XYZ, shape="R, M")
        f.evex(op, XYZ, "store", "M, R", mask="k")
    for op, size in ("movss", 4), ("movsd", 8):
        f.sse(op, size)
        f.sse(op, size, "store", "M, R")
        f.vex("v" + op, [(16, size)], shape="R, M")
        f.vex("v" + op, [(16, size)], "store", "M, R")
        f.evex("v" + op, [(16, size)], shape="R, M")
        f.evex("v" + op, [(16, size)], "store", "M, R", mask="k")
    for op in "movlps", "movhps", "movlpd", "movhpd":
        f.sse(op, 8)
        f.sse(op, 8, "store", "M, R")
        for of in f.vex, f.evex:
            more = {} if of == f.vex else {"mask": ""}
            of("v" + op, [(16, 8)], **more)
            of("v" + op, [(16, 8)], "store", "M, R", **more)
    for op, size in ("movd", 4), ("movq", 8):
        f.sse(op, size)
        f.sse(op, size, "store", "M, R")
        f.vex("v" + op, [(16, size)], shape="R, M")
        f.vex("v" + op, [(16, size)], "store", "M, R")
        f.evex("v" + op, [(16, size)], shape="R, M", mask="")
        f.evex("v" + op, [(16, size)], "store", "M, R", mask="")
    for op in "movntps", "movntpd", "movntdq":
        f.sse(op, 16, "store", "M, R")
        f.vex("v" + op, XY, "store", "M, R")
        f.evex("v" + op, XYZ, "store", "M, R", mask="")
    f.sse("movntdqa lddqu", 16)
    f.vex("vmovntdqa vlddqu", XY, shape="R, M")
    f.evex("vmovntdqa", XYZ, shape="R, M", mask="")
    f.sse("movddup", 8)
    f.vex("vmovddup", [(16, 8), (32, 32)], shape="R, M")
    f.evex("vmovddup", [(16, 8), (32, 32), (64, 64)], shape="R, M")
    f.sse("movshdup movsldup", 16)
    f.vex("vmovshdup vmovsldup", XY, shape="R, M")
    f.evex("vmovshdup vmovsldup", XYZ, shape="R, M")
    f.vex("vmaskmovps vmaskmovpd vpmaskmovd vpmaskmovq", XY, masked=True)
    f.vex("vmaskmovps vmaskmovpd vpmaskmovd vpmaskmovq", XY, "store", "M, S, R", masked=True)
    for op, size in ("kmovb", 1), ("kmovw", 2), ("kmovd", 4), ("kmovq", 8):
        f.add(f"{op} k3, {f.mem(size)}", "load", size)
        f.add(f"{op} {f.mem(size)}, k5", "store", size)


def arithmetic(f):
    for suffix, element in ("ps", 4), ("pd", 8):
        names = "add sub mul div min max and andn or xor unpckl unpckh"
        both(f, " ".join(n + suffix for n in names.split()), 16, element)
        both(f, "sqrt" + suffix, 16, element, shape="R, M")
        both(f, "shuf" + suffix, 16, element, imm=0x1b)
        f.sse("cmp" + suffix, 16, imm=2)
        f.vex("vcmp" + suffix, XY, imm=2)
        f.evex("vcmp" + suffix, XYZ, shape="D, S, M", imm=2, broadcast=element, mask="k", dest="k2")
        f.sse(f"haddps hsub{suffix} addsub{suffix} blendv{suffix}"[0 if suffix == "ps" else 7:], 16)
        f.sse("round" + suffix, 16, imm=3)
        f.vex("vround" + suffix, XY, shape="R, M", imm=3)
        f.evex("vrndscale" + suffix, XYZ, shape="R, M", imm=3, broadcast=element)
        f.sse("blend" + suffix, 16, imm=5)
        f.vex("vblend" + suffix, XY, imm=5)
        f.vex(f"vhadd{suffix} vhsub{suffix} vaddsub{suffix}", XY)
        for order in "132", "213", "231":
            for op in "vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "vfmaddsub", "vfmsubadd":
                f.vex(op + order + suffix, XY)
                f.evex(op + order + suffix, XYZ, broadcast=element)
        f.evex(f"vscalef{suffix} vblendm{suffix} vpermt2{suffix} vpermi2{suffix}", XYZ, broadcast=element)
        f.evex(f"vgetexp{suffix} vrcp14{suffix} vrsqrt14{suffix}", XYZ, shape="R, M", broadcast=element)
        f.evex(f"vrange{suffix} vfixupimm{suffix}", XYZ, imm=4, broadcast=element)
        f.evex(f"vgetmant{suffix} vreduce{suffix}", XYZ, shape="R, M", imm=4, broadcast=element)
        for vector, letter in (16, "x"), (32, "y"), (64, "z"):
            f.evex("vfpclass" + suffix, [(vector, vector)], shape="D, M", imm=9, mask="k", dest="k4")
        f.evex("vperm" + suffix, YZ, broadcast=element)
    f.sse("rcpps rsqrtps", 16)
    f.vex("vrcpps vrsqrtps", XY, shape="R, M")
    f.vex("vpermps", [(32, 32)])
    f.vex("vtestps vtestpd vptest", XY, shape="R, M")
    f.sse("ptest", 16)
    f.vex("vblendvps vblendvpd vpblendvb", XY, shape="R, S, M, S")
    f.sse("pblendvb", 16)
    f.sse("dpps dppd", 16, imm=0x31)
    f.vex("vdpps", XY, imm=0x31)
    for suffix, size in ("ss", 4), ("sd", 8):
        for op in "add", "sub", "mul", "div", "min", "max", "sqrt":
            f.sse(op + suffix, size)
            f.vex("v" + op + suffix, [(16, size)])
            f.evex("v" + op + suffix, [(16, size)])
        for op in ("ucomiss", "comiss") if size == 4 else ("ucomisd", "comisd"):
            f.sse(op, size)
            f.vex("v" + op, [(16, size)], shape="R, M")
            f.evex("v" + op, [(16, size)], shape="R, M", mask="")
        f.sse("cmp" + suffix, size, imm=1)
        f.vex("vcmp" + suffix, [(16, size)], imm=1)
        f.evex("vcmp" + suffix, [(16, size)], shape="D, S, M", imm=1, mask="k", dest="k6")
        f.sse("round" + suffix, size, imm=3)
        f.vex("vround" + suffix, [(16, size)], imm=3)
        f.evex("vrndscale" + suffix, [(16, size)], imm=3)
        f.evex(f"vscalef{suffix} vgetexp{suffix} vrcp14{suffix} vrsqrt14{suffix}", [(16, size)])
        f.evex(f"vrange{suffix} vfixupimm{suffix} vgetmant{suffix} vreduce{suffix}", [(16, size)], imm=4)
        f.evex("vfpclass" + suffix, [(16, size)], shape="D, M", imm=9, mask="k", dest="k4")
        for order in "132", "213", "231":
            for op in "vfmadd", "vfmsub", "vfnmadd", "vfnmsub":
                f.vex(op + order + suffix, [(16, size)])
                f.evex(op + order + suffix, [(16, size)])
    f.sse("rcpss rsqrtss", 4)


def packed_integers(f):
    both(f, "paddb paddw psubb psubw paddsb paddsw paddusb paddusw psubsb psubsw psubusb psubusw pavgb pavgw pmaxub pmaxsw "
            "pminub pminsw pmullw pmulhw pmulhuw pmaddwd pmaddubsw pmulhrsw pshufb packsswb packuswb punpcklbw "
            "punpcklwd punpckhbw punpckhwd pmaxsb pmaxuw pminsb pminuw", 16)
    both(f, "psadbw pclmulqdq"[:6], 16, mask="")
    both(f, "paddd psubd punpckldq punpckhdq packssdw packusdw pmulld pmaxsd pmaxud pminsd pminud", 16, 4)
    both(f, "paddq psubq pmuludq pmuldq punpcklqdq punpckhqdq", 16, 8)
    both(f, "pabsb pabsw", 16, shape="R, M")
    both(f, "pabsd", 16, 4, shape="R, M")
    both(f, "palignr", 16, imm=4)
    both(f, "pshufd", 16, 4, shape="R, M", imm=0x1b)
    both(f, "pshufhw pshuflw", 16, shape="R, M", imm=0x1b)
    f.sse("pand pandn por pxor phaddw phaddd phaddsw phsubw phsubd psignb psignw psignd", 16)
    f.vex("vpand vpandn vpor vpxor vphaddw vphaddd vphsubw vpsignb vpsignd", XY)
    f.sse("pcmpeqb pcmpeqw pcmpeqd pcmpeqq pcmpgtb pcmpgtw pcmpgtd pcmpgtq", 16)
    f.vex("vpcmpeqb vpcmpeqw vpcmpeqd vpcmpeqq vpcmpgtb vpcmpgtw vpcmpgtd vpcmpgtq", XY)
    for suffix, element in ("b", 0), ("w", 0), ("d", 4), ("q", 8):
        k = {"shape": "D, S, M", "broadcast": element, "mask": "k", "dest": "k2"}
        f.evex(f"vpcmpeq{suffix} vpcmpgt{suffix} vptestm{suffix} vptestnm{suffix}", XYZ, **k)
        f.evex(f"vpcmp{suffix} vpcmpu{suffix}", XYZ, imm=2, **k)
        f.evex(f"vpermt2{suffix} vpermi2{suffix} vpblendm{suffix}", XYZ, broadcast=element)
        f.evex(f"vpopcnt{suffix}", XYZ, shape="R, M", broadcast=element)
        if element:
            f.evex(f"vpand{suffix} vpandn{suffix} vpor{suffix} vpxor{suffix} vpsllv{suffix} vpsrlv{suffix} vpsrav{suffix} "
                   f"vprolv{suffix} vprorv{suffix} vpshldv{suffix} vpshrdv{suffix}", XYZ, broadcast=element)
            f.evex(f"vpternlog{suffix} valign{suffix} vpshld{suffix} vpshrd{suffix}", XYZ, imm=0x96, broadcast=element)
            f.evex(f"vpsll{suffix} vpsrl{suffix} vpsra{suffix} vprol{suffix} vpror{suffix}", XYZ, shape="R, M", imm=5,
                   broadcast=element)
            f.evex(f"vplzcnt{suffix} vpconflict{suffix}", XYZ, shape="R, M", broadcast=element)
            f.evex(f"vperm{suffix}", YZ, broadcast=element)
        else:
            f.evex(f"vperm{suffix}", XYZ)
    f.evex("vpmullq vpmaxsq vpmaxuq vpminsq vpminuq vpmultishiftqb vpmadd52luq vpmadd52huq", XYZ, broadcast=8)
    f.evex("vpdpbusd vpdpwssd", XYZ, broadcast=4)
    f.evex("vpabsq", XYZ, shape="R, M", broadcast=8)
    f.evex("vpsllvw vpsrlvw vpsravw vpshldvw vpshrdvw", XYZ)
    f.evex("vpsllw vpsrlw vpsraw", XYZ, shape="R, M", imm=3)
    f.evex("vpslldq vpsrldq", XYZ, shape="R, M", imm=3, mask="")
    f.evex("vpshldw vpshrdw vdbpsadbw", XYZ, imm=3)
    f.vex("vpsllvd vpsllvq vpsrlvd vpsrlvq vpsravd", XY)
    f.vex("vpermd", [(32, 32)])
    f.vex("vpermq vpermpd", [(32, 32)], shape="R, M", imm=0x4e)
    f.evex("vpermq vpermpd", YZ, shape="R, M", imm=0x4e, broadcast=8)
    for op in "psllw pslld psllq psrlw psrld psrlq psraw psrad".split():
        f.sse(op, 16)
        f.vex("v" + op, [(16, 16), (32, 16)])
        f.evex("v" + op, [(16, 16), (32, 16), (64, 16)])
    f.evex("vpsraq", [(16, 16), (32, 16), (64, 16)])
    f.sse("pblendw mpsadbw", 16, imm=3)
    f.vex("vpblendw vmpsadbw vpblendd", XY, imm=3)
    f.vex("vperm2i128 vperm2f128", [(32, 32)], imm=0x21)
    f.evex("vshuff32x4 vshufi32x4", YZ, imm=1, broadcast=4)
    f.evex("vshuff64x2 vshufi64x2", YZ, imm=1, broadcast=8)
    f.vex("vpermilps vpermilpd", XY)
    f.vex("vpermilps vpermilpd", XY, shape="R, M", imm=1)
    f.evex("vpermilps", XYZ, broadcast=4)
    f.evex("vpermilpd", XYZ, shape="R, M", imm=1, broadcast=8)
    f.sse("phminposuw", 16)
    f.sse("pcmpistrm pcmpestrm", 16, imm=0x0d)
    for op in "pcmpistri", "pcmpestri":
        f.add(f"{op} xmm12, {f.mem(16)}, 0x0d", "load", 16, written=[1])


def widths(f):
    """Conversions, extensions, truncations."""
    extensions = ((("bw", "wd", "dq"), 2), (("bd", "wq"), 4), (("bq",), 8))
    for suffixes, part in extensions:
        for suffix in suffixes:
            for sign in "s", "z":
                op = f"pmov{sign}x{suffix}"
                f.sse(op, 16 // part)
                f.vex("v" + op, [(v, v // part) for v in (16, 32)], shape="R, M")
                f.evex("v" + op, [(v, v // part) for v in (16, 32, 64)], shape="R, M")
            back = suffix[::-1]
            for sign in "", "s", "us":
                f.evex(f"vpmov{sign}{back}", [(v, v // part) for v in (16, 32, 64)], "store", "M, R", mask="k")
    f.sse("cvtdq2ps cvtps2dq cvttps2dq", 16)
    f.vex("vcvtdq2ps vcvtps2dq vcvttps2dq", XY, shape="R, M")
    f.evex("vcvtdq2ps vcvtps2dq vcvttps2dq vcvtudq2ps vcvtps2udq vcvttps2udq", XYZ, shape="R, M", broadcast=4)
    f.evex("vcvtqq2pd vcvtuqq2pd vcvtpd2qq vcvttpd2qq vcvtpd2uqq vcvttpd2uqq", XYZ, shape="R, M", broadcast=8)
    f.sse("cvtdq2pd cvtps2pd", 8)
    half = [(16, 8), (32, 16), (64, 32)]
    f.vex("vcvtdq2pd vcvtps2pd", half[:2], shape="R, M")
    f.evex("vcvtdq2pd vcvtps2pd vcvtudq2pd vcvtps2qq vcvttps2qq vcvtps2uqq vcvttps2uqq", half, shape="R, M", broadcast=4)
    f.vex("vcvtph2ps", half[:2], shape="R, M")
    f.evex("vcvtph2ps", half, shape="R, M")
    f.vex("vcvtps2ph", half[:2], "store", "M, R", imm=4)
    f.evex("vcvtps2ph", half, "store", "M, R", imm=4, mask="k")
    f.sse("cvtpd2ps cvtpd2dq cvttpd2dq", 16)
    for size, name in (16, "xmm"), (32, "xmm"), (64, "ymm"):
        for op in "vcvtpd2ps", "vcvtpd2dq", "vcvttpd2dq", "vcvtqq2ps":
            f.add(f"{{evex}} {op} {name}17, {WORD[size]} M", "load", size)
            f.add(f"{{evex}} {op} {name}29{{k1}}, {WORD[size]} M", "load", size, True)
            f.add(f"{{evex}} {op} {name}20, {WORD[8]} M{{1to{size // 8}}}", "load", 8)
            if size < 64 and op != "vcvtqq2ps":
                f.add(f"{{vex}} {op} {name}9, {WORD[size]} M", "load", size)
    f.sse("cvtss2sd", 4)
    f.sse("cvtsd2ss", 8)
    for of in f.vex, f.evex:
        of("vcvtss2sd", [(16, 4)])
        of("vcvtsd2ss", [(16, 8)])
    for size in 4, 8:
        for op in "cvtsi2ss", "cvtsi2sd":
            f.sse(op, size)
            f.vex("v" + op, [(16, size)])
            f.evex("v" + op, [(16, size)], mask="")
        f.evex("vcvtusi2ss vcvtusi2sd", [(16, size)], mask="")
        for op, of in ("cvtss2si", 4), ("cvttss2si", 4), ("cvtsd2si", 8), ("cvttsd2si", 8):
            for pre in "", "{vex} v", "{evex} v":
                r, n = f.reg(size)
                f.add(f"{pre}{op} {r}, {f.mem(of)}", "load", of, written=[n])
            r, n = f.reg(size)
            f.add("{evex} v" + op.replace("2si", "2usi") + f" {r}, {f.mem(of)}", "load", of, written=[n])


def pieces(f):
    """Broadcasts, inserts and extracts; what a mask sizes; AES and the like."""
    for op, size, vectors in (("vbroadcastss", 4, (16, 32, 64)), ("vbroadcastsd", 8, (32, 64)),
                              ("vpbroadcastb", 1, (16, 32, 64)), ("vpbroadcastw", 2, (16, 32, 64)),
                              ("vpbroadcastd", 4, (16, 32, 64)), ("vpbroadcastq", 8, (16, 32, 64))):
        f.vex(op, [(v, size) for v in vectors if v < 64], shape="R, M")
        f.evex(op, [(v, size) for v in vectors], shape="R, M")
    f.vex("vbroadcastf128 vbroadcasti128", [(32, 16)], shape="R, M")
    f.evex("vbroadcastf32x2 vbroadcasti32x2", [(32, 8), (64, 8)], shape="R, M")
    f.evex("vbroadcastf32x4 vbroadcastf64x2 vbroadcasti32x4 vbroadcasti64x2", [(32, 16), (64, 16)], shape="R, M")
    f.evex("vbroadcastf32x8 vbroadcastf64x4 vbroadcasti32x8 vbroadcasti64x4", [(64, 32)], shape="R, M")
    f.vex("vinsertf128 vinserti128", [(32, 16)], imm=1)
    f.vex("vextractf128 vextracti128", [(32, 16)], "store", "M, R", imm=1)
    for kind in "f", "i":
        f.evex(f"vinsert{kind}32x4 vinsert{kind}64x2", [(32, 16), (64, 16)], imm=1)
        f.evex(f"vinsert{kind}32x8 vinsert{kind}64x4", [(64, 32)], imm=1)
        f.evex(f"vextract{kind}32x4 vextract{kind}64x2", [(32, 16), (64, 16)], "store", "M, R", imm=1, mask="k")
        f.evex(f"vextract{kind}32x8 vextract{kind}64x4", [(64, 32)], "store", "M, R", imm=1, mask="k")
    for suffix, size in ("b", 1), ("w", 2), ("d", 4), ("q", 8):
        f.sse("pinsr" + suffix, size, imm=1)
        f.sse("pextr" + suffix, size, "store", "M, R", imm=1)
        for of in f.vex, f.evex:
            more = {} if of == f.vex else {"mask": ""}
            of("vpinsr" + suffix, [(16, size)], imm=1, **more)
            of("vpextr" + suffix, [(16, size)], "store", "M, R", imm=1, **more)
    f.sse("insertps", 4, imm=0x10)
    f.sse("extractps", 4, "store", "M, R", imm=1)
    for of in f.vex, f.evex:
        more = {} if of == f.vex else {"mask": ""}
        of("vinsertps", [(16, 4)], imm=0x10, **more)
        of("vextractps", [(16, 4)], "store", "M, R", imm=1, **more)
    f.sse("aesenc aesenclast aesdec aesdeclast aesimc gf2p8mulb sha1nexte sha1msg1 sha1msg2 sha256msg1 sha256msg2", 16)
    f.sse("pclmulqdq aeskeygenassist gf2p8affineqb sha1rnds4", 16, imm=1)
    f.vex("vaesenc vaesdec vgf2p8mulb", XY)
    f.evex("vaesenc vaesenclast vaesdec vaesdeclast", XYZ, mask="")
    f.vex("vpclmulqdq vgf2p8affineqb", XY, imm=1)
    f.evex("vpclmulqdq", XYZ, imm=1, mask="")
    f.evex("vgf2p8affineqb", XYZ, imm=1, broadcast=8)
    for op in "vpcompressb", "vpcompressw", "vpcompressd", "vpcompressq", "vcompressps", "vcompresspd":
        f.add(f"{op} zmmword ptr M{{k2}}, zmm21", "unknown", 0)
    for op in "vpexpandb", "vpexpandw", "vpexpandd", "vpexpandq", "vexpandps", "vexpandpd":
        f.add(f"{op} ymm18{{k2}}, ymmword ptr M", "unknown", 0)


def fp16(f):
    f.evex("vaddph vsubph vmulph vdivph vminph vmaxph vscalefph vfmadd132ph vfmadd213ph vfmadd231ph vfnmadd231ph vfmsub213ph",
           XYZ, broadcast=2)
    f.evex("vsqrtph vgetexpph vrcpph vrsqrtph vcvtph2w vcvttph2w vcvtw2ph vcvtuw2ph vcvtph2uw", XYZ, shape="R, M", broadcast=2)
    f.evex("vrndscaleph vreduceph vgetmantph", XYZ, shape="R, M", imm=3, broadcast=2)
    f.evex("vaddsh vsubsh vmulsh vdivsh vminsh vmaxsh vsqrtsh vfmadd231sh vcvtsh2ss vcvtsh2sd", [(16, 2)])
    f.evex("vucomish vcomish", [(16, 2)], shape="R, M", mask="")
    f.evex("vmovsh", [(16, 2)], shape="R, M")
    f.evex("vmovsh", [(16, 2)], "store", "M, R", mask="k")
    f.evex("vmovw", [(16, 2)], shape="R, M", mask="")
    f.evex("vmovw", [(16, 2)], "store", "M, R", mask="")
    f.evex("vcmpph", XYZ, shape="D, S, M", imm=1, broadcast=2, mask="k", dest="k3")
    f.evex("vcmpsh", [(16, 2)], shape="D, S, M", imm=1, mask="k", dest="k3")
    f.evex("vcvtph2dq vcvttph2dq vcvtph2psx vcvtph2udq", [(16, 8), (32, 16), (64, 32)], shape="R, M", broadcast=2)
    f.evex("vcvtph2qq vcvttph2qq vcvtph2pd vcvttph2uqq", [(16, 4), (32, 8), (64, 16)], shape="R, M", broadcast=2)
    f.evex("vcvtss2sh", [(16, 4)])
    f.evex("vcvtsd2sh", [(16, 8)])
    f.evex("vfmaddcph vfmulcph vfcmaddcph", XYZ, broadcast=4)
    for size in 4, 8:
        r, n = f.reg(size)
        f.add(f"vcvttsh2si {r}, word ptr M", "load", 2, written=[n])
        f.evex("vcvtsi2sh vcvtusi2sh", [(16, size)], mask="")


def forms():
    f = Forms()
    f.integers()
    f.x87()
    moves(f)
    arithmetic(f)
    packed_integers(f)
    widths(f)
    pieces(f)
    fp16(f)
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
