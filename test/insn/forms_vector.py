# SPDX-License-Identifier: Apache-2.0
"""The forms of vector instructions; part of forms.py, which says what a form is. `f` is its Forms."""

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
            f.add(f"{{evex}} {op} {name}17, {f.mem(size)}", "load", size)
            f.add(f"{{evex}} {op} {name}29{{k1}}, {f.mem(size)}", "load", size, True)
            f.add(f"{{evex}} {op} {name}20, {f.mem(8)}{{1to{size // 8}}}", "load", 8)
            if size < 64 and op != "vcvtqq2ps":
                f.add(f"{{vex}} {op} {name}9, {f.mem(size)}", "load", size)
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
