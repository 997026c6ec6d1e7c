#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `ojx heap --format=json` with the VM's own count, GC.class_histogram, class by class.

    test/heap_truth.py REPORT HISTOGRAM

Both are of one VM, at moments that lie close together. A class that has as many objects in both must have as many bytes.
Prints what differs; nothing if all is well.
"""

import json
import re
import sys

ARRAYS = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}
LEAST = 100  # classes that must have as many objects in both


def java_name(name):
    """[[I and [Ljava.lang.String; as in Java."""
    dimensions = len(name) - len(name.lstrip("["))
    if dimensions:
        name = name[dimensions:]
        name = ARRAYS.get(name) or name[1:].rstrip(";")
    return name + "[]" * dimensions


def main():
    report = json.load(open(sys.argv[1]))
    truth = {}  # classes of several loaders may have one name
    for objects, size, name in re.findall(r"^ *\d+: +(\d+) +(\d+) +(\S+)", open(sys.argv[2]).read(), re.M):
        before = truth.get(java_name(name), (0, 0))
        truth[java_name(name)] = before[0] + int(objects), before[1] + int(size)
    same = {c["class"]: c for c in report["equal"]["classes"] if truth.get(c["class"], (0,))[0] == c["objects"]}
    for name, c in same.items():
        if c["bytes"] != truth[name][1]:
            print(f"{name}: {c['objects']} objects of {c['bytes']} bytes, in truth {truth[name][1]}")
    if len(same) < LEAST or "java.lang.Thread" not in same:
        print(f"only {len(same)} classes have as many objects")


main()
