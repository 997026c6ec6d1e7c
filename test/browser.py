# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over a pipe in its DevTools protocol; nothing but the standard library.

    with Browser() as browser:
        browser.open("file:///tmp/page.html")
        browser.eval("document.title")

What the page asks for over the network, says on its console and throws is collected.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Backspace": (8, ""), "Tab": (9, ""), "PageDown": (34, ""),
        "PageUp": (33, ""), "End": (35, ""), "Home": (36, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
        "ArrowRight": (39, ""), "ArrowDown": (40, "")}


def program():
    """The browser's path, or None."""
    return next((p for p in map(shutil.which, NAMES) if p), None)


class Browser:
    def __init__(self, width=1440, height=900, timeout=200):
        self.timeout = timeout
        self.size = (width, height)
        self.number = 0
        self.events = []
        self.requests, self.errors = [], []
        self.buffer = b""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="ojx-browser.")
        to_browser, self.write_fd = os.pipe()
        self.read_fd, from_browser = os.pipe()
        # The browser wants descriptors 3 and 4; a shell puts them there.
        command = [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                   "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={self.folder}",
                   "--window-size=%d,%d" % self.size, "about:blank"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(to_browser, from_browser), env={**os.environ, "HOME": self.folder})
        os.close(to_browser)
        os.close(from_browser)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.resize(*self.size)
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- protocol --------------------------------------------------------------------------

    session = None

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_fd, data):]
        number = self.number
        while True:
            answer = self.read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read_fd], [], [], self.timeout)[0]:
                raise RuntimeError(f"no answer within {self.timeout} s")
            data = os.read(self.read_fd, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(str([a.get("value") for a in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        else:
            self.events.append(method)

    # ---- what a reader does ------------------------------------------------------------------

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def open(self, url):
        """Opens a page; returns the seconds until its scripts had run."""
        self.events.clear()
        start = time.monotonic()
        answer = self.call("Page.navigate", url=url)
        if "loaderId" not in answer:  # only the part after the '#' is new
            self.call("Page.reload")
        while "Page.loadEventFired" not in self.events:
            self.note(self.read())
        self.settle()
        return time.monotonic() - start

    def settle(self):
        """Waits until the page is drawn."""
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def eval(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        """Returns whether the expression becomes true in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.eval(expression):
                return True
            time.sleep(0.05)
        return False

    def reopen(self, expression, seconds=60):
        """Opens the page again until the expression is true. What a page stores, a process of the browser's keeps:
        the page's next process may ask it before it has heard of it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.open(self.eval("location.href"))
            if self.eval(expression):
                return True
            time.sleep(0.2)
        return False

    def click_at(self, x, y, count=1):
        for n in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=n)
        self.settle()

    def click(self, selector):
        x, y = self.eval(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                         " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        self.click_at(x, y)

    def key(self, key):
        code, text = KEYS.get(key, (ord(key[0].upper()), key))
        params = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def back(self):
        self.eval("history.back()")

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(image))

    def print(self, path):
        document = self.call("Page.printToPDF", printBackground=True)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(document))
