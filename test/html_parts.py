# SPDX-License-Identifier: Apache-2.0
"""Functions of the page's scripts, called one by one. Part of t_html.py, whose checks they get."""


# Frames that all stacks begin with are left out, but for the last one.
def test_trunk(browser, same, check):
    same("the root frames of all", browser.eval("""((graph) => {
        const box = (parent, id) => { const b = graph.append(parent, BOX_FRAME, id); return b; };
        const last = box(box(box(0, 0), 0), 0), leaves = [box(last, 0), box(last, 1)];
        leaves.forEach((leaf) => graph.add(leaf, 1));
        return graph.finish().trunk(); })(new Graph(true, []))"""), [1, 2])
    same("none, if the first branches", browser.eval("""((graph) => {
        [0, 1].forEach((id) => graph.add(graph.append(0, BOX_FRAME, id), 1));
        return graph.finish().trunk(); })(new Graph(true, []))"""), [])
    check("the graph begins below them", browser.eval("""(() => {
        const whole = flame.trunk; flame.trunk = flame.levels[1].length === 1 ? [flame.levels[1][0].box] : [];
        flame.layout(); const below = flame.levels[1].every((i) => !flame.trunk.includes(i.box));
        flame.trunk = whole; flame.layout(); return below; })()"""))


# Marks are whole names, also across the pieces of a cell.
def test_marks(browser, same):
    marks = """((text, words, from, to) => [...make('p', {}, marked(text, searchFor(words, false), from, to)).querySelectorAll('mark')]
        .map((mark) => mark.textContent))"""
    same("a part of a name marks all of it", browser.eval(marks + "('com.acme.ShopList.load:12', 'shop')"), ["ShopList"])
    same("names beside each other", browser.eval(marks + "('com.acme.Shop', 'acme.Shop', 0, 9)"), ["acme."])
    same("the rest of it", browser.eval(marks + "('com.acme.Shop', 'acme.Shop', 9)"), ["Shop"])
    same("a number is no part of a name", browser.eval(marks + "('Shop.java:12', 'java')"), ["java"])


# What is cut keeps what tells names apart.
def test_cut(browser, same, check):
    cut = browser.eval("['Formatter$FormatSpecifier.print:3161', 'Formatter$FormatSpecifier.print:2898'].map((t) => flame.fitted(t, 120))")
    check("names that begin alike are cut to different texts", cut[0] != cut[1] and all("\u2026" in text for text in cut), cut)
    check("and fit", browser.eval("flame.ink.measureText(flame.fitted('Formatter$FormatSpecifier.print:3161', 120)).width <= 120"))
    same("what fits is whole", browser.eval("flame.fitted('Shop.load:20', 400)"), "Shop.load:20")
    pieces = "((name) => [...nameText(name).querySelectorAll('span')].map((span) => span.textContent))"
    same("a class", browser.eval(pieces + "('com.acme.Outer$Inner[]')"), ["com.acme.", "Outer$", "Inner[]"])
    same("a field", browser.eval(pieces + "('com.acme.Shop.byName')"), ["com.acme.", "Shop.", "byName"])
    same("no package", browser.eval(pieces + "('byte[]')"), ["", "", "byte[]"])


def test_full_screen(browser, same, check):
    browser.click("#full")
    same("full screen: the graph has the whole window", browser.eval(
        "(({x, y, width, height}) => [x, y, width, height])(document.getElementById('graph-pane').getBoundingClientRect())"),
         browser.eval("[0, 0, innerWidth, innerHeight]"))
    check("and is as wide", browser.wait("flame.levels[0][0].width > innerWidth - 40"), browser.eval("flame.levels[0][0].width"))
    browser.key("Escape")
    check("Escape: with the rest again", browser.wait("document.getElementById('graph-pane').getBoundingClientRect().width < innerWidth"))


def test_sum(browser, check):
    check("the graph is as wide as what the cards say", browser.eval("""Math.abs(allocations('avoidable', false).value[0] /
        data.fixes.reduce((sum, found) => sum + found.avoidable, 0) - 1) < 1e-6"""), browser.eval("data.fixes"))


def run(browser, same, check):
    test_sum(browser, check)
    test_full_screen(browser, same, check)
    test_trunk(browser, same, check)
    test_marks(browser, same)
    test_cut(browser, same, check)
