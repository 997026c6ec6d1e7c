# SPDX-License-Identifier: Apache-2.0
"""Kinds of objects: the Java code that makes and uses one of a given key, and what is true of it.

A shape is asked for code with the names of Java variables: `key` (long) is the key, `state` what
the thread has of its own. Its truths are asked for with a Mix and the size of a reference.

The content of an object of most shapes is a function of its key that maps no two keys to the same
content, so that groups of keys are groups of objects.
"""

from dataclasses import dataclass, field

BYTES = {"boolean": 1, "byte": 1, "short": 2, "char": 2, "int": 4, "float": 4, "long": 8,
         "double": 8}
CONSTANTS = 64  # objects in the array K, which reference fields and elements refer to
WHOLE = 64 << 10  # bytes beyond which ojx does not hash a content as a whole
SLOTS = 32  # positions that a look remembers


@dataclass
class Truth:
    """What is true of the objects of one class that one place makes in one thread.

    None: not defined. See docs/method.md for the names."""
    cls: str
    objects: int
    largest: float
    identical: float
    merged: float
    theta: float  # share of pairs with the same value at a random position
    within: float  # share of pairs of one size
    size: float = None  # bytes of an object, on average
    deep: float = None  # largest group of objects that are equal with what they refer to
    fields: dict = field(default_factory=dict)  # name: that it is equal in two objects
    positions: int = 1  # of the widest content
    big: bool = False  # beyond what is hashed as a whole
    sizes: int = 1
    references: bool = False
    mix: object = None


def ints(text):
    return " + ".join(text) if text else "0"


# ---- fields --------------------------------------------------------------------------------

@dataclass
class Field:
    """A field, and how its value comes from the key."""
    name: str
    type: str
    kind: str  # const, full (as many values as the type has), mod (a few)
    modulus: int = 0
    constant: int = 7

    def bytes(self, reference):
        return BYTES.get(self.type, reference)

    def expression(self):
        if self.type == "Object":
            return (f"K[{self.constant}]" if self.kind == "const"
                    else f"K[(int) (key % {self.modulus})]")
        if self.type == "boolean":
            return "true" if self.kind == "const" else "(key & 1) != 0"
        if self.kind == "const":
            return f"({self.type}) {self.constant}"
        return (f"({self.type}) (key % {self.modulus} + 3)" if self.kind == "mod"
                else f"({self.type}) (key * {self.odd()} + 3)")

    def odd(self):
        """A factor that leaves different keys different: a float is exact up to 2^24."""
        return 1 if self.type == "float" else 1000003

    def tells_apart(self):
        return self.kind == "full" and BYTES.get(self.type, 0) >= 4

    def equal(self, mix):
        if self.kind == "const":
            return 1.0
        if self.kind == "mod":
            return mix.equal(lambda key: key % self.modulus, self.modulus)
        values = {"boolean": 2, "byte": 256, "short": 65536, "char": 65536}.get(self.type, 0)
        return mix.equal(lambda key: key % values if values else key, values)

    def load(self, record):
        name = "o." + self.name + ("()" if record else "")
        return {"boolean": f"({name} ? 1 : 2)", "float": f"(long) {name}",
                "double": f"(long) {name}",
                "Object": f"({name} == K[1] ? 1 : 2)"}.get(self.type, name)


def random_fields(random, types):
    """How the fields of these types come from the key; at least one tells all keys apart."""
    fields = []
    constants = random.choice([0.1, 0.5, 0.9])
    for number, kind in enumerate(types):
        f = Field("f" + str(number), kind, "full", constant=random.randint(1, CONSTANTS - 1))
        if random.random() < constants:
            f.kind = "const"
        elif kind == "Object" or (BYTES[kind] >= 2 and random.random() < 0.3):
            f.kind, f.modulus = "mod", random.randint(2, CONSTANTS)
        fields.append(f)
    if not any(f.tells_apart() for f in fields):
        random.choice([f for f in fields if f.type in ("int", "long", "double")]).kind = "full"
    return fields


@dataclass
class JavaClass:
    """A class of some fields: plain, inheriting, or a record."""
    name: str
    types: list
    kind: str

    def declare(self):
        params = [f"{t} f{i}" for i, t in enumerate(self.types)]
        of = (f"static {self.name} of({', '.join(params)}) {{ return new {self.name}("
              f"{', '.join('f' + str(i) for i in range(len(params)))}); }}")
        if self.kind == "record":
            return f"    record {self.name}({', '.join(params)}) {{ {of} }}\n"
        # Two levels of inheritance: each class declares and sets its part of the fields.
        cuts = [len(params)] if self.kind == "plain" else [1, len(params) // 2, len(params)]
        text, parent, start = "", None, 0
        for level, end in enumerate(cuts):
            name = self.name if end == len(params) else f"{self.name}Base{level}"
            text += (f"    static class {name}{' extends ' + parent if parent else ''} {{\n"
                     + "".join(f"        {p};\n" for p in params[start:end])
                     + f"        {name}({', '.join(params[:end])}) {{ "
                     + (f"super({', '.join('f' + str(i) for i in range(start))}); "
                        if parent else "")
                     + " ".join(f"this.f{i} = f{i};" for i in range(start, end)) + " }\n"
                     + (f"        {of}\n" if end == len(params) else "") + "    }\n")
            parent, start = name, end
        return text


class Fields:
    """An object of some fields, made directly or by a factory that other places call as well."""

    def __init__(self, program, cls, fields, factory):
        self.program, self.cls, self.fields, self.factory = program, cls, fields, factory
        self.java = cls.name
        self.bytes = 16 + sum(f.bytes(4) for f in fields)

    def make(self):
        arguments = ", ".join(f.expression() for f in self.fields)
        return (f"{self.java}.of({arguments})" if self.factory
                else f"new {self.java}({arguments})")

    def use(self):
        record = self.cls.kind == "record"
        return ints([f.load(record) for f in self.fields])

    def truths(self, mix, objects, reference):
        equal = {f.name: f.equal(mix) for f in self.fields}
        total = sum(f.bytes(reference) for f in self.fields)
        theta = sum(f.bytes(reference) * equal[f.name] for f in self.fields) / total
        references = "Object" in self.cls.types
        return [Truth(f"{self.program}${self.java}", objects, mix.largest(objects),
                      mix.identical(objects), mix.merged(objects), theta, 1.0, fields=equal,
                      positions=len(self.fields), mix=mix, references=references,
                      deep=mix.largest(objects) if references else None)]


class Boxed:
    """A number in a box, beyond the boxes that the JDK keeps."""

    def __init__(self, kind):
        self.java = {"int": "Integer", "long": "Long", "double": "Double"}[kind]
        self.kind = kind
        self.bytes = 16 if kind == "int" else 24

    def make(self):
        return f"{self.java}.valueOf(({self.kind}) (1000 + key))"

    def use(self):
        return f"(long) o.{self.kind}Value()"

    def truths(self, mix, objects, reference):
        a = mix.identical(objects)
        return [Truth("java.lang." + self.java, objects, mix.largest(objects), a,
                      mix.merged(objects), a, 1.0, mix=mix)]


# ---- arrays --------------------------------------------------------------------------------

BITS = {"boolean": 1, "byte": 8, "short": 16, "char": 16, "float": 16, "int": 32, "long": 32,
        "double": 32, "Object": 6}


class Array:
    """Elements from `start` on, `varying` of them, hold the digits of the key; the rest is constant."""

    def __init__(self, element, length, lengths, start, varying):
        self.element, self.length, self.lengths = element, length, lengths
        self.start, self.varying = start, varying
        self.digits = 32 // BITS[element]
        self.java = element + "[]"
        self.bytes = 16 + (length + lengths / 2) * BYTES.get(element, 4)

    def value(self, h):
        """Element of this type from the bits of the int `h`."""
        return {"boolean": f"(({h}) & 1) != 0", "byte": f"(byte) ({h})", "short": f"(short) ({h})",
                "char": f"(char) ({h})", "float": f"(({h}) & 0xffff)", "Object": f"K[({h}) & 63]"
                }.get(self.element, h)

    def make(self):
        raise NotImplementedError  # it takes a method of its own, see helper

    def helper(self, name):
        bits = BITS[self.element]
        return (f"    static {self.java} {name}(long key) {{\n"
                f"        {self.java} a = new {self.element}[{self.length}"
                + (f" + (int) (key % {self.lengths})" if self.lengths > 1 else "") + "];\n"
                f"        for (int j = 0; j < a.length; j++) {{ a[j] = {self.value('j * 7 + 1')}; }}\n"
                "        int h = (int) key * 0x9e3779b1;\n"
                f"        for (int r = 0; r < {self.varying}; r++) {{ a[{self.start} + r] = "
                f"{self.value(f'h >>> r % {self.digits} * {bits}')}; }}\n"
                "        return a;\n    }\n")

    def use(self):
        return f"sum{self.element}(o)"

    def digit(self, key, d):
        h = key * 0x9e3779b1 & 0xffffffff
        return h >> d * BITS[self.element] & (1 << BITS[self.element]) - 1

    def pair_equal(self, mix, d):
        """(length class -> that two objects are both of it and agree in digit d.)"""
        unique = mix.unique_share() / self.lengths
        values = 0 if BITS[self.element] == 32 else 1 << BITS[self.element]
        mass = {}
        for key, share in enumerate(mix.shares()):
            by = mass.setdefault(key % self.lengths, {})
            by[self.digit(key, d)] = by.get(self.digit(key, d), 0) + share
        result = {}
        for c in range(self.lengths):
            groups = mass.get(c, {}).values()
            result[c] = sum(m * m for m in groups)
            if values:
                result[c] += unique * (unique + 2 * sum(groups)) / values
        return result

    def truths(self, mix, objects, reference):
        unique = mix.unique_share() / self.lengths
        weight = dict.fromkeys(range(self.lengths), unique)
        for key, share in enumerate(mix.shares()):
            weight[key % self.lengths] += share
        theta = sum(w * w * (self.length + c - self.varying) / (self.length + c)
                    for c, w in weight.items())
        for d in range(self.digits):
            positions = (self.varying - d + self.digits - 1) // self.digits
            theta += sum(e * positions / (self.length + c)
                         for c, e in self.pair_equal(mix, d).items())
        size = BYTES.get(self.element, reference)
        references = self.element == "Object"
        body = sum(w * ((self.length + c) * size) for c, w in weight.items())
        return [Truth("java.lang.Object[]" if references else self.java, objects,
                      mix.largest(objects), mix.identical(objects), mix.merged(objects),
                      theta, sum(w * w for w in weight.values()),
                      size=16 + body, positions=self.length + self.lengths - 1,
                      big=(self.length + self.lengths) * size > WHOLE, sizes=self.lengths,
                      references=references, mix=mix,
                      deep=mix.largest(objects) if references else None)]


# ---- what refers to other objects ----------------------------------------------------------

class String:
    """A string of one length: of its own, as far as one looks at it alone; equal with its bytes."""

    def __init__(self, length, wide):
        self.length, self.wide = length, wide
        self.java = "String"
        self.bytes = 24 + 16 + length * (2 if wide else 1)

    def make(self):
        return f"new String(text(state.text, key, {'true' if self.wide else 'false'}), 0, {self.length})"

    def use(self):
        return "letters(o)"

    def truths(self, mix, objects, reference):
        largest, a, merged = mix.largest(objects), mix.identical(objects), mix.merged(objects)
        shallow = Truth("java.lang.String", objects, 1 / objects, 0, 0, None, 1.0, deep=largest,
                        references=True, mix=mix)
        # The JDK tries first whether wide letters fit into bytes: that makes further arrays.
        return [shallow] if self.wide else [shallow, Truth(
            "byte[]", objects, largest, a, merged, None, 1.0, positions=self.length, mix=mix)]


class Nested:
    """An object with a constant and a part of its own that holds the key."""

    def __init__(self, program, part):
        self.program, self.part = program, part
        self.java = "Outer" if part == "Inner" else "Holder"
        self.bytes = 24 + (24 if part == "Inner" else 48)

    def make(self):
        return ("new Outer(5, new Inner(key))" if self.part == "Inner"
                else "new Holder(5, new long[] {1, key, 3, 4})")

    def use(self):
        return ("o.number + o.part.key" if self.part == "Inner"
                else "o.number + o.part[0] + o.part[1] + o.part[2] + o.part[3]")

    def truths(self, mix, objects, reference):
        largest, a, merged = mix.largest(objects), mix.identical(objects), mix.merged(objects)
        outer = Truth(f"{self.program}${self.java}", objects, 1 / objects, 0, 0,
                      4 / (4 + reference), 1.0, deep=largest, fields={"number": 1.0, "part": 0.0},
                      positions=2, references=True, mix=mix)
        if self.part == "Inner":
            return [outer, Truth(f"{self.program}$Inner", objects, largest, a, merged, a, 1.0,
                                 fields={"key": a}, mix=mix)]
        return [outer, Truth("long[]", objects, largest, a, merged, 0.75 + a / 4, 1.0,
                             size=48, positions=4, mix=mix)]
