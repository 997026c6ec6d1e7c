#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records Kafka brokers as a service: what it costs, what it keeps in memory, and whether many short files tell what long ones do.

    test/broker_service.py [--java HOME] [--minutes 30] [--restarts 2] [--rate 200] [--keep FOLDER]
                           [--only ROLES] [--options OPTIONS] KAFKA

KAFKA is a folder with a Kafka distribution, as for test/broker.py. Four brokers of the same load run side by side, and restart
at the same moments: one is not recorded, one is recorded with --rotate 1m, one into one file for each of its JVMs, and one
with --budget 0.5 and --rotate 10m. Each has a load of --rate records a second. It prints the resident memory of ojx and of
the JVMs now and then; the CPU time of each broker for a record beside the plain one's, and that of ojx; and what
test/compare_recordings.py says of the short files beside the long ones, and of the small budget beside these. Exit status 1: a
broker crashed or ended, or a file cannot be read. --only chooses some of plain,short,long,small, and --options adds options of ojx.
"""

import argparse
import glob
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from broker import OJX, TOP, Broker, moment, of_process

STEADY_S = 60  # of each JVM's time are not its steady state
TICK = os.sysconf("SC_CLK_TCK")
ROLES = {
    "plain": None,
    "short": ["--rotate", "1m", "--keep", "24h"],
    "long": [],
    "small": ["--rotate", "10m", "--keep", "24h", "--budget", "0.5"],
}


def children(pid):
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


class Service:
    """ojx record --wait for the JVMs of one broker."""

    def __init__(self, name, main, options, place):
        self.folder = Path(place, name + ".files")
        self.folder.mkdir()
        self.said = Path(place, name + ".ojx")
        with open(self.said, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen([OJX, "record", "-p", main, "--wait", *options, "--label", "role=" + name, "-o",
                                             f"{self.folder}/%Y%m%dT%H%M%S-%p.data"], stderr=said)

    def cpu(self):
        """Seconds, those of recorders that have ended included."""
        total = 0
        for pid in [self.process.pid, *children(self.process.pid)]:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(map(int, fields[11:15] if pid == self.process.pid else fields[11:13]))
        return total / TICK

    def resident_kb(self):
        def of(pid):
            try:
                return sum(v for k, v in of_process(pid).items() if k.endswith("kB"))
            except (OSError, KeyError):
                return 0
        return sum(of(p) for p in [self.process.pid, *children(self.process.pid)])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(120)


def state(broker, service):
    """What is measured of a role."""
    t, cpu = moment(broker.pid())
    points = broker.load.points()
    of = of_process(broker.pid())
    return {"t": t, "cpu": cpu, "records": points[-1][1] if points else 0, "jvm_kb": sum(v for k, v in of.items() if k.endswith("kB")),
            "threads": of["threads"], "ojx_cpu": service.cpu() if service else 0, "ojx_kb": service.resident_kb() if service else 0,
            "files": len(glob.glob(f"{service.folder}/*.data")) if service else 0}


def look(brokers, services):
    return {name: state(b, services.get(name)) for name, b in brokers.items()}


def run_phase(until, brokers, services, log):
    """From the brokers' start until they are stopped: (the first look of the steady state, the last one)."""
    begun, first, now = time.monotonic(), None, None
    while time.monotonic() < until:
        time.sleep(10)
        now = look(brokers, services)
        log.write(json.dumps(now) + "\n")
        log.flush()
        print(f"{time.monotonic() - begun:6.0f} s: " + "; ".join(
            f"{n}: JVM {s['jvm_kb'] / 1024:.1f} MB, ojx {s['ojx_kb'] / 1024:.1f} MB, {s['files']} files" for n, s in now.items()), flush=True)
        if not first and time.monotonic() - begun > STEADY_S:
            first = now
    return first or now, now


def say_cost(phases):
    for n, (first, last) in enumerate(phases):
        print(f"JVM {n + 1}: records a second, CPU time for each in us, over the plain broker's; ojx's CPU time in percent of the broker's")
        plain = None
        for name in first:
            d = {k: last[name][k] - first[name][k] for k in ("t", "cpu", "records", "ojx_cpu")}
            each = 1e6 * d["cpu"] / max(d["records"], 1)
            plain = plain or each
            print(f"  {name:6} {d['records'] / d['t']:8.1f} {each:8.1f} {100 * (each / plain - 1):+7.1f} % "
                  f"{100 * d['ojx_cpu'] / max(d['cpu'], 1e-9):6.2f} %", flush=True)


def record(args, place):
    """What is wrong."""
    roles = {name: options for name, options in ROLES.items() if name in args.only.split(",")}
    names = {name: f"Broker_{name}" for name in roles}
    services = {name: Service(name, names[name], [*options, *shlex.split(args.options)], place)
                for name, options in roles.items() if options is not None}
    brokers, faults, phases = {}, [], []
    try:
        for name in roles:
            os.mkdir(f"{place}/{name}")
            brokers[name] = Broker(args, f"{place}/{name}", names[name], args.rate)
        begun = time.monotonic()
        with open(f"{place}/log.json", "w", encoding="ascii") as log:
            for n in range(args.restarts + 1):
                phases.append(run_phase(begun + 60 * args.minutes * (n + 1) / (args.restarts + 1), brokers, services, log))
                if n < args.restarts:
                    for b in brokers.values():
                        faults += b.stop()
                        b.start()
    finally:
        for b in brokers.values():
            faults += b.end()
        faults += [f"ojx of {n}: exit status {s.process.returncode}" for n, s in services.items() if s.end()]
    for n, s in services.items():
        print(f"ojx of {n} said:\n{s.said.read_text()}")
        files = sorted(s.folder.iterdir())
        faults += [f"{n}: '{f.name}' cannot be read" for f in files
                   if subprocess.run([OJX, "dump", "-i", f], stdout=subprocess.DEVNULL, check=False).returncode]
        faults += [] if files else [f"{n}: nothing was recorded"]
        print(f"{n}: {len(files)} files, {sum(f.stat().st_size for f in files) / 1e6:.1f} MB")
    say_cost(phases)
    for a, b in (("short", "long"), ("small", "long")):
        if a in services and b in services and not faults:
            print(f"{a} beside {b}:", flush=True)
            subprocess.run([TOP / "test/compare_recordings.py", *services[a].folder.iterdir(), "--", *services[b].folder.iterdir()], check=True)
    return faults


def main():
    parser = argparse.ArgumentParser(description="record Kafka brokers as a service")
    parser.add_argument("--java", help="a JDK or a runtime; the preferred one")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--restarts", type=int, default=2)
    parser.add_argument("--rate", type=int, default=200, help="records a second for each broker")
    parser.add_argument("--jvm", default="", help="options of the brokers' JVMs")
    parser.add_argument("--keep", help="a folder for the recordings, which stay")
    parser.add_argument("--only", default=",".join(ROLES), help="some of them")
    parser.add_argument("--options", default="", help="further options of ojx")
    parser.add_argument("kafka")
    args = parser.parse_args()
    jdk = subprocess.run([TOP / "agent" / "jdks.sh"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    args.java, args.javac = args.java or jdk, jdk + "/bin/javac"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the brokers end, too
    with tempfile.TemporaryDirectory(prefix="ojx-broker.") as folder:
        faults = record(args, args.keep or folder)
    for fault in faults:
        print("# " + fault)
    print("nothing is wrong" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
