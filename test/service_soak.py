#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much ojx and the JVM grow while a service is recorded for long.

    test/service_soak.py [--minutes 30] [--rotate 1m] [--java JAVA] [--options OPTIONS]

test/jvm/ComeAndGo.java makes classes, lambdas, threads and stacks that come and go. It runs twice at the same time, plain
and recorded by `ojx record --wait --rotate`. A line tells now and then what both JVMs and the processes of ojx have in
memory (resident; of JVMs after a full collection, which lets go of classes, and with the heap, which is touched from the beginning
on). At the end: growth from a third of the time on, per million classes and threads, of the recorded JVM beside the plain one, and
how often the agent has begun anew. OPTIONS are further ones of ojx: --budget 20 fills the tables faster. It fails if a file cannot be read, or if ojx or the agent grow by more than 16 MB per million.
"""

import argparse
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
OJX = TOP / "ojx"
MOST = 16  # MB per million


def resident(pid):
    """MB."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) / 1024 if found else 0.0


def settled(pid, java):
    """The same of a JVM, once it has let go of what it can: otherwise it differs by 20 MB from look to look."""
    jcmd = Path(java).resolve().parent / "jcmd"
    subprocess.run([jcmd, str(pid), "GC.run"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return resident(pid)


def children(pid):
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def progress(output):
    """Classes and threads so far."""
    lines = re.findall(r"classes (\d+) threads (\d+)", output.read_text())
    return tuple(map(int, lines[-1])) if lines else (0, 0)


def begun_anew(place):
    return (place / "ojx.err").read_text().count("begins anew")


def slope(points):
    """Growth by least squares, of (x, y)."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    below = sum((x - mx) ** 2 for x, _ in points)
    return sum((x - mx) * (y - my) for x, y in points) / below if below else 0.0


def begin_jvm(java, classes, place, name):
    options = ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:MaxMetaspaceSize=96m"]
    with open(place / f"{name}.out", "w") as out:
        return subprocess.Popen([java, *options, "-Dsoak=" + name, "-cp", classes, "ComeAndGo", place / "stop"], stdout=out)


def watch(minutes, place, java, plain, recorded, service):
    points, end = [], time.monotonic() + 60 * minutes
    while time.monotonic() < end and plain.poll() is None and recorded.poll() is None and service.poll() is None:
        time.sleep(min(20, 60 * minutes / 40))
        count = progress(place / "recorded.out")
        tool = resident(service.pid) + sum(resident(p) for p in children(service.pid))
        points.append((sum(count), progress(place / "plain.out"), settled(plain.pid, java), settled(recorded.pid, java), tool))
        files = len(list(place.glob("*.data")))
        print(f"classes {count[0]} threads {count[1]}: JVM plain {points[-1][2]:.1f} recorded {points[-1][3]:.1f} MB, "
              f"ojx {tool:.1f} MB, {files} files, anew {begun_anew(place)} times", flush=True)
    return points


def judge(points):
    if len(points) < 6:
        print("too few looks:", len(points))
        return False
    later = points[len(points) // 3:]
    million = 1e6
    plain = slope([(sum(p[1]) / million, p[2]) for p in later])
    recorded = slope([(p[0] / million, p[3]) for p in later])
    tool = slope([(p[0] / million, p[4]) for p in later])
    print(f"growth per million classes and threads: JVM plain {plain:.1f}, recorded {recorded:.1f}, ojx {tool:.1f} MB; "
          f"{(later[-1][0] - later[0][0]) / million:.2f} million were seen")
    return recorded - plain < MOST and tool < MOST


def unreadable(place):
    files = sorted(place.glob("*.data*"))
    bad = [f.name for f in files if subprocess.run([OJX, "dump", "-i", f], stdout=subprocess.DEVNULL, check=False).returncode]
    print(f"{len(files)} files of {sum(f.stat().st_size for f in files) / 1e6:.1f} MB; not to be read: {bad or 'none'}")
    return bad or not files


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rotate", default="1m")
    parser.add_argument("--java", default=shutil.which("java"))
    parser.add_argument("--options", default="")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        javac = Path(a.java).resolve().parent / "javac"
        subprocess.run([javac, "-g", "-d", place, TOP / "test/jvm/ComeAndGo.java"], check=True)
        jvms = [begin_jvm(a.java, place, place, n) for n in ("plain", "recorded")]
        with open(place / "ojx.err", "w") as err:
            service = subprocess.Popen([OJX, "record", "-v", "-p", str(jvms[1].pid), "--wait", "--rotate", a.rotate, *shlex.split(a.options), "-o",
                                        place / "a-%Y%m%dT%H%M%S.data"], stderr=err)
        points = watch(a.minutes, place, a.java, *jvms, service)
        alive = all(p.poll() is None for p in (*jvms, service))
        service.send_signal(signal.SIGTERM)
        service.wait()
        (place / "stop").touch()
        for jvm in jvms:
            jvm.wait()
        print((place / "ojx.err").read_text()[-2000:] + f"the agent has begun anew {begun_anew(place)} times")
        good = judge(points) and alive
        return 0 if not unreadable(place) and good else 1


if __name__ == "__main__":
    sys.exit(main())
