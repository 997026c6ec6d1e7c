#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a heap dump in a headless Chromium. Called by test/t_heap.sh:  t_heap.py PAGE CHANGE

PAGE is of a dump of test/jvm/Heaped.java, with contents; CHANGE compares two. Prints what is wrong; nothing if it is right.
"""

import sys
from pathlib import Path

from browser import Browser

ROWS = "[...document.querySelectorAll('#findings-list table')][%d].querySelectorAll('tbody tr')"


def same(title, got, want):
    if got != want:
        print(f"{title}: {got!r}, not {want!r}")


def column(browser, table, heading):
    """Texts of a column by its heading."""
    return browser.eval(f"""(() => {{
        const t = document.querySelectorAll('#findings-list table')[{table}];
        const k = [...t.querySelectorAll('th')].findIndex((h) => h.textContent === '{heading}');
        return [...t.querySelectorAll('tbody tr')].map((r) => r.cells[k].textContent);
    }})()""")


def click_head(browser, table, heading):
    browser.eval(f"[...document.querySelectorAll('#findings-list table')[{table}].querySelectorAll('th button')]"
                 f".find((b) => b.textContent === '{heading}').click()")


def search(browser, text):
    browser.eval(f"(() => {{ const s = document.getElementById('search'); s.value = '{text}'; s.dispatchEvent(new Event('input')); }})()")


def test_dump(browser, page):
    browser.open(page)
    tables = browser.eval("document.querySelectorAll('#findings-list table').length")
    same("tables: classes, holders, problems, what is kept, perhaps buffers", tables in (4, 5), True)
    same("cards: the sum", browser.eval("/^Equal objects: /.test(document.querySelector('#cards .sum h2').textContent)"), True)
    same("cards: the three largest", browser.eval("""[...document.querySelectorAll('#cards .finding')].map((c) => worthOf(ITEMS[c.dataset.row]))
        .every((worth, i, all) => worth > 0 && (i === 0 || worth <= all[i - 1]) && worth === ITEMS.filter(({table}) =>
            table.columns.some(([n]) => n === 'holder' || n === 'problem')).map(worthOf).sort((x, y) => y - x)[i])"""), True)
    browser.eval("document.querySelector('#cards .finding').click()")
    same("a click on a card shows its row", browser.eval("""[state.item === Number(document.querySelector('#cards .finding').dataset.row),
        document.querySelector('#findings-detail h2 bdi').textContent === textsOf(ITEMS[state.item].table, ITEMS[state.item].item)[0]]"""), [True, True])
    search(browser, "Heaped$Amount")
    same("a search of a class", column(browser, 0, "objects"), ["1.2\u00a0k"])
    search(browser, "heaped order.currency")
    same("a search of a holder, without tables that have no such row", column(browser, 0, "copies"), ["1.2\u00a0k"])
    browser.eval(ROWS % 0 + "[0].click()")
    same("the chosen row", browser.eval("document.querySelector('#findings-detail h2 bdi').textContent"), "Heaped$Order.currency")
    same("its contents", browser.eval("/\"currency-[012]\"/.test(document.querySelector('#findings-detail').textContent)"), True)
    same("what else there is of its class", browser.eval(
        "[...document.querySelectorAll('#findings-detail li button')].some((b) => b.textContent.startsWith('java.lang.String'))"), True)
    search(browser, "Heaped$")
    click_head(browser, 0, "objects")
    objects = browser.eval("[...document.querySelectorAll('#findings-list table')[0].querySelectorAll('tbody tr')]"
                           ".map((r) => ITEMS[r.dataset.item].item.values[table_objects])".replace(
                               "table_objects", "TABLES[0].columns.findIndex(([n]) => n === 'objects')"))
    same("a heading sorts", objects, sorted(objects, reverse=True))
    same("by more than one value", len(set(objects)) > 2, True)
    click_head(browser, 0, "objects")
    same("a second click reverses", column(browser, 0, "objects")[-1], "1.2\u00a0k")
    browser.eval("history.back()")
    same("back", browser.wait("document.querySelectorAll('#findings-list table')[0].querySelector('tbody tr td') &&"
                              "document.querySelector('th[aria-sort]').getAttribute('aria-sort') === 'descending'"), True)


def test_change(browser, page):
    browser.open(page)
    search(browser, "Heaped$Amount")
    same("what is more", column(browser, 0, "objects"), ["800"])
    same("both dumps are named", browser.eval("document.querySelectorAll('#facts .program').length"), 2)


def main():
    with Browser() as browser:
        test_dump(browser, Path(sys.argv[1]).as_uri())
        test_change(browser, Path(sys.argv[2]).as_uri())
        same("requests", [r for r in browser.requests if not r.startswith(("file:", "about:"))], [])
        same("errors on the console", browser.errors, [])


main()
