#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command as a container engine would, in namespaces of its own; needs root.

    test/container.py [OPTION]... COMMAND [ARG]...

--pid         a pid namespace, in which the command is number 1
--net         a network namespace
--user UID    a user namespace: its users from 0 on are 100000 and so on outside; the command is UID
--tmp HOW     what /tmp is: `tmpfs` (default), `noexec`, `ro` (ours, read-only), `ours`, or a size such as 64k
--hide DIR    there is an empty directory instead; noexec if /tmp is, and as small
--bind DIR AT the directory is to be found at AT, too, which exists

The command ends when this program does, which has its exit status.
"""
import argparse
import ctypes
import os
import signal
import sys

NEWNS, NEWUSER, NEWPID, NEWNET = 0x20000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 8, 32, 4096, 16384, 1 << 18
PR_SET_PDEATHSIG = 1
FIRST, COUNT = 100000, 65536

libc = ctypes.CDLL(None, use_errno=True)


def call(result):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def mount(source, target, kind, flags, data=None):
    call(libc.mount(source and source.encode(), target.encode(), kind and kind.encode(),
                    ctypes.c_ulong(flags), data and data.encode()))


def die_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def size_of(tmp):
    return tmp if tmp[0].isdigit() else "16m"


def make_tmp(how):
    if how == "ro":
        mount("/tmp", "/tmp", None, MS_BIND)
        mount(None, "/tmp", None, MS_BIND | MS_REMOUNT | MS_RDONLY)
    elif how != "ours":
        mount("tmpfs", "/tmp", "tmpfs", MS_NOEXEC if how == "noexec" else 0, f"mode=1777,size={size_of(how)}")


def furnish(options):
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    for source, target in options.bind:
        mount(source, target, None, MS_BIND)
    for hidden in options.hide:
        mount("tmpfs", hidden, "tmpfs", MS_NOEXEC if options.tmp == "noexec" else 0, f"mode=1777,size={size_of(options.tmp)}")
    make_tmp(options.tmp)
    if options.pid:
        mount("proc", "/proc", "proc", 0)


def run(options):
    """In the new namespaces, but the pid one, which the next child is in."""
    child = os.fork()
    if child:
        return child
    die_with_parent()
    furnish(options)
    if options.user:
        os.setgid(int(options.user))
        os.setuid(int(options.user))
    os.execvp(options.command[0], options.command)


def contain(options, begin, ready):
    die_with_parent()
    flags = (NEWNS | (NEWPID if options.pid else 0) | (NEWNET if options.net else 0) |
             (NEWUSER if options.user is not None else 0))
    call(libc.unshare(flags))
    os.write(ready, b"x")
    os.read(begin, 1)
    if options.user is not None:
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    child = run(options)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pid", action="store_true")
    parser.add_argument("--net", action="store_true")
    parser.add_argument("--user")
    parser.add_argument("--tmp", default="tmpfs")
    parser.add_argument("--hide", action="append", default=[])
    parser.add_argument("--bind", action="append", nargs=2, default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    begin, begun = os.pipe()
    read, ready = os.pipe()
    child = os.fork()
    if child == 0:
        contain(options, begin, ready)
    os.close(ready)
    if os.read(read, 1) and options.user is not None:
        for kind in "uid", "gid":
            with open(f"/proc/{child}/{kind}_map", "w", encoding="ascii") as out:
                out.write(f"0 {FIRST} {COUNT}")
    os.write(begun, b"x")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)


main()
