#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""As fills.py, of the collections of Scala, Kotlin, Guava, fastutil and Eclipse Collections, in three versions of each.

    test/fills_libraries.py [JAVA_HOME...]

The libraries come from Maven Central, once, into build/libraries; so `make test` does not run this. How full an object is must be what its own method
size() says. Prints what is wrong, then how many classes and states were tried on each JDK. A class of the agent's table that no version has
is told, too.
"""

import re
import subprocess
import sys
import tempfile

import fills
from planted import jdks

fills.SHARE = 0.4  # clone() of some makes another one of the class on the way
fills.PATIENCE = 1800
LIBRARIES = fills.TOP / "build/libraries"
SCALA, KOTLIN, GUAVA = "org.scala-lang:scala-library", "org.jetbrains.kotlin:kotlin-stdlib", "com.google.guava:guava"
FAST, ECLIPSE, ECLIPSE_API = "it.unimi.dsi:fastutil", "org.eclipse.collections:eclipse-collections", "org.eclipse.collections:eclipse-collections-api"
SETS = [  # the second one of Scala and Kotlin has other fields than the first
    {SCALA: "2.13.16", KOTLIN: "2.4.20", GUAVA: "33.7.2-jre", "com.google.guava:failureaccess": "1.0.3", FAST: "8.5.18", ECLIPSE: "12.0.0",
     ECLIPSE_API: "12.0.0"},
    {SCALA: "2.12.19", KOTLIN: "1.9.24", GUAVA: "25.1-jre", FAST: "7.2.1", ECLIPSE: "9.2.0", ECLIPSE_API: "9.2.0"},
    {SCALA: "2.11.12", KOTLIN: "1.5.32", GUAVA: "19.0"},
]


def jar(artifact, version):
    """The path of a library, fetched if it is not there yet."""
    path = LIBRARIES / f"{artifact.partition(':')[2]}-{version}.jar"
    if not path.exists():
        subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}:{version}", f"-DoutputDirectory={LIBRARIES}"],
                       check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=120)
    return str(path)


PACKAGES = {"SCALA": "scala.collection.mutable.", "KOTLIN": "kotlin.collections.", "GUAVA": "com.google.common.collect.",
            "FAST": "it.unimi.dsi.fastutil.", "ECLIPSE": "org.eclipse.collections.impl."}
MACROS = {"FAST_LIST": ("FAST", "", "ArrayList"), "FAST_SET": ("FAST", "", "OpenHashSet"), "FAST_MAP": ("FAST", "", "OpenHashMap"),
          "ECLIPSE_LIST": ("ECLIPSE", "list/mutable/primitive/", "ArrayList")}


def rows():
    """The classes of the agent's table that are no JDK's."""
    table = (fills.TOP / "lib/wire/wire_collections.c").read_text()
    names = [PACKAGES[package] + name for package, name in re.findall(r'^\t\{ ([A-Z]+) "([A-Za-z/]+);"', table, re.M) if package in PACKAGES]
    names += [PACKAGES[MACROS[m][0]] + MACROS[m][1] + name + MACROS[m][2] for m, name in re.findall(r'^\t([A-Z]+_[A-Z]+)\("([A-Za-z0-9/]+)"', table, re.M)
              if m in MACROS]
    return {name.replace("/", ".") for name in names}


def main():
    homes = sys.argv[1:] or [home for _, home in jdks()]
    tried, wrong = set(), []
    with tempfile.TemporaryDirectory(prefix="ojx-fills.") as folder:
        subprocess.run([jdks()[0][1] + "/bin/javac", "--release", "11", "-nowarn", "-g", "-d", folder,
                        *(str(fills.TOP / "test/jvm" / name) for name in ("Fills.java", "FillsLibraries.java"))], check=True)
        for home in homes:
            for number, libraries in enumerate(SETS):
                path = ":".join([folder, *(jar(*library) for library in libraries.items())])
                found, states = fills.check(home, "G1", path, "FillsLibraries")
                wrong += found
                print(*found, sep="\n", end="\n" if found else "")
                classes = {cls for cls, *_ in states.values()}
                tried |= classes
                print(f"{home}, set {number + 1}: {len(classes)} classes, {len(states)} states, {len(found)} of them wrong", flush=True)
    missing = sorted(rows() - tried)
    print(*(f"{name}: no version has it" for name in missing), sep="\n", end="\n" if missing else "")
    sys.exit(1 if wrong or missing else 0)


if __name__ == "__main__":
    main()
