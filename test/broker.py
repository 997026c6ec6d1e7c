#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attaches to a Kafka broker under load: once for a minute, then a hundred times, with an equal time without ojx after each.

    test/broker.py [--java HOME] [--times N] [--seconds S] [--long S] [--jvm OPTIONS] [--plain] KAFKA

KAFKA is a folder with a Kafka distribution, whose jars are in lib/ or libs/. It prints the throughput before, with ojx, in between
and after; memory, descriptors and threads of the broker; and the first findings of the last recording. Exit status 1: a
recording failed or is empty, the broker crashed or ended, or it keeps something of ojx. With --plain nothing is attached
in the same time: this is what the broker's own memory does.

On a machine whose processors are all busy, throughput falls with every percent of CPU time that anybody takes, ojx's own process
included. The broker's CPU time for a record depends less on what else runs. Each stretch with ojx is compared with those right before and after it, so that slow changes do not matter.
"""

import argparse
import glob
import math
import os
import shlex
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
OJX = os.environ.get("OJX", str(TOP / "ojx"))
SETS = [[], ["-e", "replica,locality"], ["-e", "replica,dead-store,silent-store,silent-load"], ["-e", "replica,lifetime"]]
WARM_S, PLAIN_S = 60, 20

PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={folder}/logs
num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.segment.bytes=16000000
log.retention.bytes=64000000
log.retention.check.interval.ms=5000
log.segment.delete.delay.ms=1000
"""


def free_ports(n):
    some = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in some]
    for s in some:
        s.close()
    return ports


# ---- what is measured ------------------------------------------------------------------------

class Load:
    """The program that keeps the broker busy, and what it says of its throughput."""

    def __init__(self, java, classes, server, folder, rate=None):
        self.said = Path(folder) / "load"
        self.process = subprocess.Popen([java, "-Xmx256m", "-cp", classes, "BrokerLoad", server, *([str(rate)] if rate else [])], stdin=subprocess.PIPE,
                                        stdout=open(self.said, "w", encoding="ascii"), stderr=subprocess.DEVNULL)

    def points(self):
        """(seconds, acknowledged, consumed)"""
        rows = [line.split() for line in self.said.read_text().splitlines()]
        return [(int(r[0]) / 1e9, int(r[1]), int(r[2])) for r in rows if len(r) == 3]

    def wait(self):
        """Until the broker has answered."""
        for _ in range(300):
            time.sleep(1)
            if any(p[1] for p in self.points()[-1:]):
                return
        raise TimeoutError("the broker does not answer")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def rate(points, begin, end):
    """Of the time between two moments: records acknowledged a second; microseconds of the broker's CPU time for each."""
    inside = [p for p in points if begin[0] <= p[0] <= end[0]]
    if len(inside) < 4 or inside[-1][1] == inside[0][1]:
        return math.nan, math.nan
    records = (inside[-1][1] - inside[0][1]) / (inside[-1][0] - inside[0][0])
    return records, 1e6 * (end[1] - begin[1]) / (end[0] - begin[0]) / records


def of_process(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    kb = {line.split()[0]: int(line.split()[1]) for line in status.splitlines() if line.startswith("Rss")}
    return {"anonymous kB": kb["RssAnon:"], "mapped files kB": kb["RssFile:"], "shared kB": kb["RssShmem:"],
            "descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": len(os.listdir(f"/proc/{pid}/task"))}


def moment(pid):
    """The time, and the CPU time that the process has used, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return time.monotonic(), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Broker:
    """A broker and its load. `main`: the name of a class of its own that starts it."""

    def __init__(self, args, folder, main="kafka.Kafka", rate=None):
        self.folder = folder
        self.java = args.java + "/bin/java"
        jars = ":".join(f"{args.kafka}/{d}/*" for d in ("lib", "libs") if glob.glob(f"{args.kafka}/{d}/*.jar"))
        port, controller = free_ports(2)
        properties = f"{folder}/server.properties"
        Path(properties).write_text(PROPERTIES.format(port=port, controller=controller, folder=folder))
        sources = [str(TOP / "test/apps/BrokerLoad.java")]
        if main != "kafka.Kafka":
            sources.append(f"{folder}/{main}.java")
            Path(sources[-1]).write_text(f"class {main} {{ public static void main(String[] a) {{ kafka.Kafka.main(a); }} }}")
        subprocess.run([args.javac, "--release", "11", "-nowarn", "-d", folder, "-cp", jars, *sources], check=True)
        subprocess.run([self.java, "-cp", jars, "kafka.tools.StorageTool", "format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", properties],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.command = [self.java, "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", f"-XX:ErrorFile={folder}/hs_err",
                        *shlex.split(args.jvm), "-cp", f"{folder}:{jars}", main, properties]
        self.start()
        self.load = Load(self.java, f"{folder}:{jars}", f"127.0.0.1:{port}", folder, rate)

    def start(self):
        with open(f"{self.folder}/said", "a", encoding="ascii") as said:
            self.process = subprocess.Popen(self.command, stdout=said, stderr=said)

    def stop(self):
        """What is wrong with its end; nothing if all is well."""
        faults = []
        if self.process.poll() is not None:
            faults.append(f"the broker has ended: {self.process.returncode}: {Path(self.folder, 'said').read_text()[-500:]}")
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(120) != 143:
            faults.append(f"the broker's exit status is {self.process.returncode}, not 143")
        if Path(self.folder, "hs_err").exists():
            faults.append("the JVM has crashed: " + Path(self.folder, "hs_err").read_text()[:2000])
        return faults

    def pid(self):
        return self.process.pid

    def end(self):
        """The same, of broker and load."""
        self.load.end()
        return self.stop()


# ---- what is done ----------------------------------------------------------------------------

def attach(broker, seconds, options, data):
    """(begin, end, what is wrong or None). Nothing is attached if there are no options to do it with."""
    begin = moment(broker.pid())
    if options is None:
        time.sleep(seconds)
        return begin, moment(broker.pid()), None
    run = subprocess.run([OJX, "record", "-q", "-o", data, "--duration", str(seconds), *options, "-p", str(broker.pid())],
                         capture_output=True, text=True, check=False, timeout=300)
    end = moment(broker.pid())
    if run.returncode:
        return begin, end, f"{' '.join(options)}: exit status {run.returncode}: {run.stderr.strip()[-300:]}"
    report = subprocess.run([OJX, "report", "--stdio", "--all", "-i", data], capture_output=True, text=True, check=False)
    if report.returncode or ".java" not in report.stdout:
        return begin, end, f"{' '.join(options)}: the report is empty: {report.stderr.strip()[-300:]}"
    return begin, end, None


def change(title, pairs):
    """Prints what is with ojx over what is without: throughput, CPU time a record."""
    text = ""
    for k in 0, 1:
        ratios = [math.log(a[k] / b[k]) for a, b in pairs if a[k] > 0 and b[k] > 0]
        if len(ratios) < 2:
            return
        mean, error = statistics.fmean(ratios), statistics.stdev(ratios) / math.sqrt(len(ratios))
        text += f" {100 * math.expm1(mean):+8.1f} % ± {100 * 1.96 * error:<5.1f}"
    print(f"  {title:46} {text} ({len(ratios)} pairs)")


def measure(args, broker, folder):
    """Returns what is wrong."""
    data, faults, marks, pairs = f"{folder}/ojx.data", [], [], []
    broker.load.wait()
    time.sleep(WARM_S)
    begin = moment(broker.pid())
    time.sleep(PLAIN_S)
    before = begin, moment(broker.pid())
    of_before = of_process(broker.pid())
    marks.append(("before", *before))
    begin, end, fault = attach(broker, args.long, None if args.plain else [], f"{folder}/long.data")
    faults += [f"{args.long} s: {fault}"] if fault else []
    marks.append((f"attached for {args.long} s", begin, end))
    time.sleep(PLAIN_S)
    marks.append(("after it", end, moment(broker.pid())))
    of_first = around = None
    for i in range(args.times):
        options = None if args.plain else SETS[i % len(SETS)]
        begin, end, fault = attach(broker, args.seconds, options, data)
        faults += [f"time {i + 1}: {fault}"] if fault else []
        rest = moment(broker.pid())
        time.sleep(args.seconds + 0.5)
        before_it, around = around, (rest, moment(broker.pid()))
        if before_it:
            pairs.append((i % len(SETS), (begin, end), before_it, around))
        if i == 2 * len(SETS) - 1 or args.times < 2 * len(SETS):
            of_first = of_process(broker.pid())
    begin = moment(broker.pid())
    time.sleep(PLAIN_S)
    marks.append(("after all", begin, moment(broker.pid())))
    say(args, broker.load.points(), marks, pairs)
    compare(of_before, of_first, of_process(broker.pid()))
    return faults


def say(args, points, marks, pairs):
    print("records acknowledged a second; CPU time of the broker for each, us:")
    for title, begin, end in marks:
        print("  {:42} {:8.0f} {:8.1f}".format(title, *rate(points, begin, end)))
    print(f"with ojx, {args.times} times for {args.seconds} s, over the time right before and after each:")
    rates = [(k, (rate(points, *a), [math.sqrt(x * y) for x, y in zip(rate(points, *b), rate(points, *c))]))
             for k, a, b, c in pairs]
    change("all", [r for _, r in rates])
    for k, options in enumerate(SETS):
        change(" ".join(options) or "-e replica", [r for n, r in rates if n == k])


def compare(before, first, last):
    """Not judged: the broker's own memory, threads and descriptors vary with what it does."""
    for what in before:
        print(f"{what}: {before[what]} before, {first[what]} after the first times, {last[what]} in the end")


def kept(pid, folder):
    """What the process has of ojx after the recordings."""
    names = [Path(t).read_text().strip() for t in glob.glob(f"/proc/{pid}/task/*/comm")]
    files = [os.readlink(f) for f in glob.glob(f"/proc/{pid}/fd/*") if os.path.islink(f)]
    return [f"the broker still has the thread {n}" for n in names if n.startswith("ojx")] + \
        [f"the broker still has {f} open" for f in files if "ojx" in f and not f.startswith(folder) or "perf_event" in f]


def main():
    parser = argparse.ArgumentParser(description="attach to a Kafka broker under load")
    parser.add_argument("--java", help="a JDK or a runtime; the preferred one")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--long", type=float, default=60)
    parser.add_argument("--jvm", default="", help="options of the broker's JVM")
    parser.add_argument("--plain", action="store_true", help="attach nothing")
    parser.add_argument("kafka")
    args = parser.parse_args()
    jdk = subprocess.run([TOP / "agent" / "jdks.sh"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    args.java, args.javac = args.java or jdk, jdk + "/bin/javac"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the broker ends, too
    with tempfile.TemporaryDirectory(prefix="ojx-broker.") as folder:
        broker = Broker(args, folder)
        try:
            faults = measure(args, broker, folder)
            faults += kept(broker.pid(), folder)
        finally:
            ended = broker.end()
        faults += ended
        if not args.plain:
            out = subprocess.run([OJX, "report", "--stdio", "--limit=10", "-i", f"{folder}/long.data"], capture_output=True, text=True, check=False)
            print(out.stdout)
    for fault in faults:
        print("# " + fault)
    print("nothing is wrong" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
