#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What signal handlers and GC pauses can reach: prints a line for each fault of agent/, and exits with 1 if there is one.

    test/handlers.py INCLUDE... [--tree TREE]       folders of the JDK's headers; needs GCC

root      a function is a handler or a callback of a pause, and not marked [handler] or [pause]
unmarked  a marked function calls one of agent/ that is not marked (agent/core/state.h tells what the markers mean)
unsafe    a marked function calls, directly or through lib/, a function of libc that is not known to be safe there
"""
import argparse
import collections
import concurrent.futures
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# System calls, and what works on memory alone. Neither allocates nor locks.
SAFE = set("""
    __errno_location __popcountdi2 clock_gettime close fcntl getpid getrlimit gettid ioctl madvise memcmp memcpy memmove memset
    mprotect pthread_sigmask open pread prctl process_vm_readv raise read sched_getcpu sigaction strcmp strlen syscall fabs
""".split())

# Patterns of places where function pointers that handlers and pauses call are set; a group names each function. Each pattern must match.
ROOTS = [
    r"struct listener \w+ = \{[^}]*\.handler = (\w+)",
    r"\bsignals_set_user\((\w+)\)",
    r"\.trapped = (\w+)",
    r"\.in_handlers = true(?:[^}]*)\.harvest = (\w+)",
    r"\[WIRE_SAMPLER_\w+\] = \{[^}]*?(\w+)\s*\}",
    r"\bstruct sampler_user \w+ = (.*?);",
    r"\bstruct ring_pool \w+ = (.*?);",
    r"\.gc_start = (\w+)",
    r"\.gc_finish = (\w+)",
    r"\.GarbageCollectionStart = (\w+)",
    r"\.GarbageCollectionFinish = (\w+)",
]

NODE = re.compile(r'node: \{ title: "(.*?)" label: ".*?\\n(.*?):\d+:\d+" \}')
EDGE = re.compile(r'edge: \{ sourcename: "(.*?)" targetname: "(.*?)"')
MARKER = re.compile(r"\[(?:handler|pause)\]")


def call_graph(tree, includes):
    """Which function calls which, and in which file each is defined. Static ones are called file.c:name."""
    calls, home = collections.defaultdict(set), {}
    files = [p for d in ("agent", "lib/insn", "lib/wire") for p in sorted((tree / d).rglob("*.c"))
             if p.parent.parent != tree / "agent/arch" or p.parent.name == platform.machine()]
    flags = ["-O0", "-std=gnu11", "-DOJX_VERSION=\"\"", "-Ilib", "-Iagent", "-Iagent/arch/" + platform.machine(), *("-I" + i for i in includes)]

    def one(path, folder):
        out = Path(folder) / str(path.relative_to(tree)).replace("/", "_")
        subprocess.run([os.environ.get("CC", "cc"), *flags, "-fcallgraph-info", "-c", "-o", out.with_suffix(".o"),
                        str(path.relative_to(tree))], cwd=tree, check=True, env=os.environ | {"CCACHE_DISABLE": "1"})  # it keeps no graphs
        return out.with_suffix(".ci").read_text()

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for text in pool.map(lambda p: one(p, folder), files):
            home.update(NODE.findall(text))
            for caller, callee in EDGE.findall(text):
                calls[caller].add(callee)
    return calls, home


def marked_functions(tree):
    """(file, name) of each function with a marker in the comment above it, or above the group of declarations it is in."""
    found = set()
    for path in sorted((tree / "agent").rglob("*.[ch]")):
        marked = comment = False
        for line in path.read_text().split("\n"):
            if comment or line.startswith("/*"):
                marked = MARKER.search(line) is not None or (comment and marked)
                comment = "*/" not in line
            elif not line.strip():
                marked = False
            elif marked and (m := re.match(r"(?:[a-z_][\w \*]*?\b)?(\w+)\(", line)):
                found.add((str(path.relative_to(tree)), m.group(1)))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("includes", nargs="+")
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parent.parent)
    args = parser.parse_args()
    calls, home = call_graph(args.tree, args.includes)
    marks = marked_functions(args.tree)
    in_headers = {name for path, name in marks if path.endswith(".h")}
    faults = set()

    def is_marked(function):
        name = function.split(":")[-1]
        return name in in_headers or (home.get(function), name) in marks

    sources = {str(p.relative_to(args.tree)): p.read_text() for p in sorted((args.tree / "agent").rglob("*.c"))}
    for pattern in ROOTS:
        words = {(path, n) for path, s in sources.items() for group in re.findall(pattern, s, re.S) for n in re.findall(r"\w+", group)}
        roots = {f"{path}:{n}" if f"{path}:{n}" in home else n for path, n in words} & set(home)
        if not roots:
            faults.add(f"root: nothing is found by {pattern}")
        faults |= {f"root: {function}" for function in roots if not is_marked(function)}

    reached, todo = {}, [f for f, path in home.items() if path.startswith("agent/") and is_marked(f)]
    while todo:
        function = todo.pop()
        for callee in calls[function]:
            if callee in home and home[callee].startswith("agent/"):
                if not is_marked(callee):
                    faults.add(f"unmarked: {function} calls {callee}")
            elif callee in home:
                if callee not in reached:
                    reached[callee] = function
                    todo.append(callee)
            elif callee not in SAFE and callee != "__indirect_call":
                faults.add(f"unsafe: {function} calls {callee}")
    print("\n".join(sorted(faults)), end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
