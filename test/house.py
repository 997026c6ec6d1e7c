#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the structure of the tree: prints a line for each fault of lib/, cmd/ and agent/, and exits with 1 if there is one.

    test/house.py [TREE]

up        a file includes, or calls, one of a floor that its own does not stand on (FLOORS, docs/architecture.md)
circle    files need each other, by their includes or, where build/ has their objects, by their calls
name      a file of a folder is included without the name of the folder
twice     lib/ and agent/ have a file of the same path, so that an include could mean either
memory    what records calls, itself or in what it calls, a function that ends the program where memory lacks (RECORDER)
alone     a header does not compile without others before it
long      a file has lines of more than 100 columns, other than those of a text that is written like that
subject   a file's first comment does not begin with its name: it says what the file is about
processor outside the folders of processors (PROCESSORS), a file knows one: it includes a processor's header or a file of such a
          folder, names registers or compilers' names of a processor, or has an instruction of the assembler
size      a source file has more than 500 lines, or a function in C more than 80
named     a page of docs/ or README.md names, in backticks or by a link, a file or a folder of the tree that is not there; or a
          comment in C names such a file
shared    a file of agent/ or lib/ shares memory by other means than C11's atomics: volatile, or a builtin of the compiler;
          or an atomic operation does not name its order
state     a variable of the agent is thread-local or outlives a recording and docs/architecture.md does not name it, or names one
          that there is not; or it lies where the end of a recording does not reset it
"""
import concurrent.futures
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS = 100
FILE_LINES = 500
FUNCTION_LINES = 80
SOURCES = {".c", ".h", ".py", ".sh", ".js", ".css", ".html", ".java"}

# What a folder may include besides itself; a folder that is not listed may include everything.
BELOW_MODEL = ["lib/wire", "lib/insn", "lib/base", "lib/stats", "lib/file"]
BELOW_REPORT = BELOW_MODEL + ["lib/model", "lib/analyse"]
BELOW_RENDER = BELOW_REPORT + ["lib/report", "lib/fix", "lib/source", "lib/compare", "lib/heapdump"]
AGENT_BELOW = ["lib/wire", "lib/insn", "agent/arch", "agent/core", "agent/hotspot"]
FLOORS = {
    "lib/wire": [],
    "lib/insn": [],
    "lib/base": ["lib/wire"],
    "lib/stats": ["lib/wire", "lib/base"],
    "lib/file": ["lib/wire", "lib/base", "lib/stats"],
    "lib/model": BELOW_MODEL,
    "lib/analyse": BELOW_MODEL + ["lib/model"],
    "lib/report": BELOW_REPORT,
    "lib/fix": BELOW_REPORT + ["lib/report"],
    "lib/source": BELOW_REPORT + ["lib/report"],
    "lib/compare": BELOW_REPORT + ["lib/report", "lib/fix"],
    "lib/heapdump": BELOW_MODEL + ["lib/model"],
    "lib/render": BELOW_RENDER,
    "lib/live": BELOW_RENDER + ["lib/render"],
    "lib/merge": BELOW_MODEL + ["lib/model"],
    "lib/record": BELOW_MODEL + ["lib/model"],
    "lib/host": BELOW_MODEL + ["lib/model", "lib/record"],
    "lib/attach": BELOW_MODEL + ["lib/model", "lib/record", "lib/host"],
    "agent/arch": ["lib/insn"],
    "agent/core": ["lib/wire", "agent/arch"],
    "agent/hotspot": ["lib/wire", "agent/arch", "agent/core"],
    "agent/code": AGENT_BELOW,
    "agent/heap": AGENT_BELOW + ["agent/code"],
    "agent/perf": AGENT_BELOW + ["agent/code", "agent/heap"],
    "agent/analyse": AGENT_BELOW + ["agent/code", "agent/heap", "agent/perf"],
    "agent": AGENT_BELOW + ["agent/code", "agent/heap", "agent/perf", "agent/analyse"],
}
# Where a folder is a processor, and what no file elsewhere has. A directive of the assembler is no instruction.
PROCESSORS = ["agent/arch", "lib/insn", "lib/host"]
OF_A_PROCESSOR = re.compile(r"""
    \#include\s*<(?:cpuid|\w*intrin|arm_\w+|asm/[\w/]+|sys/(?:ucontext|reg|io))\.h>
    | \b(?:REG_R\w+|CONTEXT_R\w+|greg_t|gregs|fpregs|_xmm|uc_mcontext|CS_ARCH_\w+|CS_MODE_\w+)\b
    | \b__(?:x86_64|amd64|i386|aarch64|arm|riscv|powerpc64)(?:__)?\b
    | \b(?:__builtin_(?:ia32|aarch64|arm)_\w+|__rdtsc\w*|_mm\w*_\w+)
    | \b(?:asm|__asm__)\b[\w\s]*\((?!\s*"\.)""", re.X)
SETS = {"lib/insn/insn_sets.c"}  # the table of all processors' instructions
PROCESSOR = "agent/arch/" + os.environ.get("ARCH", platform.machine())  # where agent/arch/arch.h finds processor.h
# What runs in the process that records, with all of the library that it calls. The table of analyses leads to all of these,
# of which their stores alone run there; of the reports only what is told of a recording as a whole.
RECORDER = r"lib/(file|record|attach)/|cmd/record|lib/analyse/\w+/\w*_?store\.c"
NOT_FOLLOWED = r"cmd/|lib/analyse/analyses\.c|lib/report/(?!recording\.c)|lib/(?:fix|source|compare)/"
ENDS = "lib/base/xmalloc.c"
TREES = {"lib": ["lib"], "cmd": ["cmd", "lib"], "agent": ["agent", "lib"]}  # where includes are looked for


def floor_of(path):
    """'lib/model' of 'lib/model/model.c'; files of agent/ itself and of cmd/ are on top."""
    parts = Path(path).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def unit_of(path):
    """A header, its private part and the file that implements it are one."""
    return re.sub(r"_private$", "", os.path.splitext(path)[0])


def allowed(user, used):
    above, below = floor_of(user), floor_of(used)
    return above == below or above not in FLOORS or below in FLOORS[above]


def circles(edges):
    """The strongly connected components of more than one node: {node: set of nodes}."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def functions(lines):
    """(line of the head, lines) of each function in C; its braces are alone at the beginning of their lines."""
    head = opened = 0
    for number, line in enumerate(lines, 1):
        if line == "{":
            opened = head
        elif line == "}" and opened:
            yield opened, number - opened + 1
            opened = 0
        elif not opened and (not line or line.startswith("#") or line.endswith(("*/", "}", "};"))):
            head = number + 1


class House:
    def __init__(self, tree):
        self.tree = Path(tree)
        self.files = sorted(str(f.relative_to(self.tree)) for top in TREES
                            for f in (self.tree / top).rglob("*.[ch]"))
        self.faults = []

    def fault(self, kind, text):
        self.faults.append(f"{kind}: {text}")

    def needs(self, kind, edges, how):
        """edges: {file: set of files}"""
        for user in sorted(edges):
            for used in sorted(edges[user]):
                if not allowed(user, used):
                    self.fault("up", f"{user} {how} {used}")
        units = {}
        for user in edges:
            for used in edges[user]:
                if unit_of(user) != unit_of(used) or kind == "calls":
                    a, b = (user, used) if kind == "calls" else (unit_of(user), unit_of(used))
                    units.setdefault(a, set()).add(b)
        for circle in circles(units):
            self.fault("circle", f"by {kind}: " + ", ".join(circle))

    def check_includes(self):
        edges, there = {}, set(self.files)
        for user in self.files:
            edges[user] = set()
            for name in re.findall(r'^#include "(.*?)"', (self.tree / user).read_text(), re.M):
                beside = os.path.normpath(os.path.join(os.path.dirname(user), name))
                found = [f for f in (f"{d}/{name}" for d in TREES[user.split("/")[0]]) if f in there]
                if not found and beside in there:
                    self.fault("name", f'{user} includes "{name}"')
                    found = [beside]
                edges[user].update(found[:1])
        self.needs("includes", edges, "includes")
        agent = {f.split("/", 1)[1] for f in self.files if f.startswith("agent/")}
        for file in self.files:
            if file.startswith("lib/") and file.split("/", 1)[1] in agent:
                self.fault("twice", file.split("/", 1)[1])

    def check_calls(self):
        """Considers only objects whose source exists: an older build may have left others."""
        objects = [f for f in self.files if f.endswith(".c") and (self.tree / "build" / (f[:-2] + ".o")).exists()]
        if not objects:
            return
        home, wanted = {}, {}
        for top in TREES:
            some = [f for f in objects if f.startswith(top + "/")]
            if not some:
                continue
            out = subprocess.run(["nm", "-A", *(f"build/{f[:-2]}.o" for f in some)], cwd=self.tree,
                                 capture_output=True, text=True, check=True).stdout
            for file, kind, symbol in re.findall(r"^build/(.*?)\.o:[0-9a-f ]*([A-Za-z]) (\S+)$", out, re.M):
                if kind == "U":
                    wanted.setdefault(file + ".c", set()).add((top, symbol))
                elif kind.isupper():
                    home[top, symbol] = file + ".c"
        edges = {}
        for user, symbols in wanted.items():
            for top, symbol in symbols:
                used = home.get((top, symbol)) or home.get(("lib", symbol))
                if used and used != user:
                    edges.setdefault(user, set()).add(used)
        self.needs("calls", edges, "calls")
        self.check_memory(edges)

    def check_memory(self, edges):
        """From every object of the recorder, by calls, none of those that end the program is reached."""
        start = [f for f in edges if re.match(RECORDER, f)]
        by = dict.fromkeys(start)
        for user in start:  # which grows
            for used in sorted(edges.get(user, ())):
                if used == ENDS:
                    way = [user]
                    while by[way[-1]]:
                        way.append(by[way[-1]])
                    self.fault("memory", " calls ".join(way[::-1] + [used]))
                elif used not in by and not re.match(NOT_FOLLOWED, used):
                    by[used] = user
                    start.append(used)

    def check_headers(self):
        def command(*words):
            return subprocess.run(words, cwd=self.tree, capture_output=True, text=True).stdout.split()

        packages = command("pkg-config", "--cflags", "libcjson", "libelf", "libzip", "zlib")
        jdk = command("agent/jdks.sh") if (self.tree / "agent/jdks.sh").exists() else []
        jvmti = [f"-I{jdk[0]}/include", f"-I{jdk[0]}/include/linux"] if jdk else []
        other = re.compile(r"agent/arch/[^/]+/(?<!%s/)" % re.escape(PROCESSOR))  # only its own compiler knows it
        headers = [f for f in self.files if f.endswith(".h") and not other.match(f)]
        if not jdk:
            headers = [f for f in headers if not f.startswith("agent/")]

        def compile_alone(header):
            top = header.split("/")[0]
            with tempfile.NamedTemporaryFile("w", suffix=".c") as unit:
                unit.write(f'#include "{(self.tree / header).resolve()}"\n')
                unit.flush()
                cc = os.environ.get("CC", "cc").split()
                done = subprocess.run([*cc, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                       *(f"-I{d}" for d in [*TREES[top], PROCESSOR]), *packages,
                                       *(jvmti if top == "agent" else []), unit.name],
                                      cwd=self.tree, capture_output=True, text=True)
            return done.returncode and next((line for line in done.stderr.splitlines() if "error" in line), "?")

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for header, error in zip(headers, pool.map(compile_alone, headers)):
                if error:
                    self.fault("alone", f"{header}: {error}")

    def check_names(self):
        """NAME, GROUP and * stand for any text. A bare name is that of a source file in any folder."""
        paths = {"/" + str(f.relative_to(self.tree)) + ("/" if f.is_dir() else "")
                 for top in (*TREES, "test", "docs") for f in (self.tree / top).rglob("*")}
        paths |= {f"/{f.name}" + ("/" if f.is_dir() else "") for f in self.tree.glob("*")}
        everything = "\n".join(sorted(paths))

        def exists(name):
            pattern = re.sub(r"\\\*|[A-Z]{4,}", r"[^/\n]*", re.escape(name.rstrip("/")).replace(r"\[ch\]", "[ch]"))
            return re.search(f"/{pattern}/?$", everything, re.M)

        top, source = "|".join((*TREES, "test", "docs")), r"\.(?:c|h|py|sh|js|css)"
        named = re.compile(rf"(?:{top})/[\w/*-]*(?:{source}|\.(?:md|java|html|\[ch\]))?|[\w*]+{source}")
        for page in sorted((*(self.tree / "docs").glob("*.md"), *self.tree.glob("README.md"))):
            for number, line in enumerate(page.read_text().splitlines(), 1):
                names = [n for n in re.findall(r"`([^`]+)`", line) if named.fullmatch(n) and not exists(n)]
                names += [n for n in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line) if not (page.parent / n).exists()]
                for name in names:
                    self.fault("named", f"{page.relative_to(self.tree)}:{number}: {name}")
        for file in self.files:
            text = (self.tree / file).read_text()
            for comment in re.finditer(r"/\*.*?\*/", text, re.S):
                for name in re.findall(r"(?<![\w/.])(?!linux/)(?:\w+/)*[a-z]\w*\.[ch]\b(?![\w(.])", comment.group()):
                    if not exists(name):
                        self.fault("named", f"{file}:{text.count(chr(10), 0, comment.start()) + 1}: {name}")

    def check_state(self):
        library, page = self.tree / "libojx-agent.so", self.tree / "docs/architecture.md"
        if not library.exists():
            return

        def readelf(option):
            return subprocess.run(["readelf", option, library], capture_output=True, text=True, check=True).stdout

        sections = re.findall(r"^ *\[ *(\d+)\] (\S+) +\w+ +[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ [0-9a-f]+ +(\w*)", readelf("-SW"), re.M)
        for _, name, flags in sections:
            if "W" in flags and name not in WRITABLE | {OUTLIVES}:
                self.fault("state", f"section {name}")
        kept = {number for number, name, _ in sections if name == OUTLIVES}
        there = {name.split(".")[0] for kind, number, name in
                 re.findall(r"^ *\d+: [0-9a-f]+ +\w+ (OBJECT|TLS) +\w+ +\w+ +(\d+) (\S+)", readelf("-sW"), re.M)
                 if (kind == "TLS" or number in kept) and not name.startswith("__")}  # the linker's
        text = page.read_text().partition(STATE_HEADING)[2] if page.exists() else ""
        named = set(re.findall(r"^ *\| `(\w+)`", re.split(r"^#", text, maxsplit=1, flags=re.M)[0], re.M))
        for name in sorted(there ^ named):
            self.fault("state", f"{name} is not named" if name in there else f"there is no {name}")

    def check_lines(self):
        files = self.files + sorted(str(f.relative_to(self.tree)) for f in (self.tree / "test").rglob("*.[ch]"))
        for file in files:
            lines = (self.tree / file).read_text().expandtabs(8).splitlines()
            first = next((n for n, line in enumerate(lines, 1)
                          if len(line) > COLUMNS and not line.lstrip().startswith('"')), 0)
            if first:
                self.fault("long", f"{file}:{first}")

    def check_shared(self):
        """Volatile stays for what a debug register watches (WATCHED), for what a signal handler of one thread sets, and in assembly."""
        for file in self.files:
            code = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), (self.tree / file).read_text(), flags=re.S)
            for number, line in enumerate(code.splitlines(), 1):
                line = re.sub(r"__asm__ volatile|volatile sig_atomic_t", "", line)
                line = re.sub(r"\bvolatile uint64_t \*?(\w+)", lambda m: "" if m.group(1) in WATCHED else m.group(), line)
                if re.search(r"\bvolatile\b|\b__sync_|\b__atomic_|" + UNORDERED, line):
                    self.fault("shared", f"{file}:{number}")

    def check_subjects(self):
        for file in self.files:
            text = (self.tree / file).read_text()
            if not re.match(r"/\* SPDX[^*]*\*/\s*/\*[\s*]*" + re.escape(Path(file).name) + " - ", text):
                self.fault("subject", file)

    def check_processors(self):
        folders = {str(d.relative_to(self.tree)) for top in PROCESSORS for d in (self.tree / top).glob("*/")}
        for file in self.files:
            folder = "/".join(Path(file).parts[:3])
            if folder in folders:
                continue
            text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), (self.tree / file).read_text(), flags=re.S)
            for number, line in enumerate(text.splitlines(), 1):
                found = OF_A_PROCESSOR.search(line)
                known = re.match(r'#include "((?:\w+/)+)', line)
                into = known and {f"{d}/{known[1].rstrip('/')}" for d in TREES[file.split("/")[0]]} & folders
                if found or (into and file not in SETS):
                    self.fault("processor", f"{file}:{number}: {(found or known)[0].strip()}")

    def check_sizes(self):
        for top in (*TREES, "test"):
            for path in sorted(f for f in (self.tree / top).rglob("*") if f.suffix in SOURCES):
                lines = path.read_text(errors="replace").splitlines()
                name = path.relative_to(self.tree)
                if len(lines) > FILE_LINES:
                    self.fault("size", f"{name} has {len(lines)} lines")
                for first, count in functions(lines) if path.suffix == ".c" else ():
                    if count > FUNCTION_LINES:
                        self.fault("size", f"{name}:{first} has {count} lines")


# Variables that a debug register watches: each access has to be made as it is written.
# An operation of C11 that does not name its order. What has no such form is compilers' to find (`make lint`).
UNORDERED = r"\batomic_(?!init\b|is_lock_free\b|\w+_fence\b|\w+_explicit\b)\w+\("
WATCHED = {"watched", "probe"}

# Writable parts of the agent: those that the linker fills and then protects, those that the end of a recording resets, and
# that which outlives it.
WRITABLE = {".init_array", ".fini_array", ".data.rel.ro", ".dynamic", ".got", ".data", ".bss", ".tbss", ".tdata"}
OUTLIVES = "outlives_session"
STATE_HEADING = "### What outlives a recording"


def main():
    house = House(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    house.check_includes()
    house.check_calls()
    house.check_headers()
    house.check_lines()
    house.check_subjects()
    house.check_processors()
    house.check_shared()
    house.check_sizes()
    house.check_names()
    house.check_state()
    print("\n".join(house.faults), end="\n" if house.faults else "")
    return 1 if house.faults else 0


if __name__ == "__main__":
    sys.exit(main())
