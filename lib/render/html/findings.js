// SPDX-License-Identifier: Apache-2.0
// findings.js - what was found beside contexts of replicas. Each analysis has a page of its own, a list of tables
// with the chosen row beside it; the recording has them or not. Words and columns come with the data.

// ---- tables -----------------------------------------------------------------------------------

// "TreeMap.put:826 in Shop.load:12": the innermost frame, and the line if that is another.
function placeOf(node) {
  if (node < 0) return 'not known';
  return frameSite(nodes.frame[node]) + (lineAt(node) > 0 ? ' in ' + frameSite(lineFrame(node)) : '');
}

// Distinguishes items whose titles read the same. Each gets the frame at which its stack leaves the most similar other stack
// of the same title. `nodes` gives the stacks of an item.
function tellApart(items, nodes) {
  const same = new Map(), title = (item) => nodes(item).map(placeOf).join('\n') + '\n' + item.values.filter((value) => typeof value === 'string').join('\n');
  for (const item of items) same.set(title(item), [...(same.get(title(item)) ?? []), item]);
  const via = (item, k) => {
    const stack = stackOf(nodes(item)[k]);
    const parts = same.get(title(item)).map((other) => {
      const theirs = stackOf(nodes(other)[k]), at = stack.findIndex((frame, i) => frame !== theirs[i]);
      return at < 0 ? 0 : at;
    });
    const most = Math.max(...parts);
    return most > 0 ? ` via ${frameSite(stack[most])}` : '';
  };
  return (item, k) => placeOf(nodes(item)[k]) + via(item, k);
}

// A name is cut where it matters least; other text at its end.
function cellText(text) { return /^(?:[\w$]+\.)+[\w$]+(?:\[\])*$/.test(text) ? nameText(text) : text; }

// Columns are [title, class, text of an item, more about it or nothing]; the first text opens the item.
function findingsTable(columns, items, numberOf, choose) {
  const head = make('tr', {}, ...columns.map(([title, kind]) => make('th', {scope: 'col', class: kind}, title)));
  const button = columns.findIndex(([, kind]) => kind === 'text');
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...items.map((item) => make('tr',
    {'data-item': numberOf(item), onclick: () => choose(numberOf(item))},
    ...columns.map(([, kind, text, more], k) => make('td', {class: kind, title: kind === 'text' ? text(item) : more?.(item) ?? null},
      k === button ? make('button', {type: 'button'}, cellText(text(item))) : kind === 'text' ? cellText(text(item)) : text(item)))))));
}

function leftOut(shown, total, noun) {
  return total > shown ? make('p', {class: 'note'}, `and ${plural(total - shown, noun)} more`) : null;
}

function ofJvm(item) { return severalJvms ? `, JVM ${item.pid}` : ''; }

// ---- findings ---------------------------------------------------------------------------------

const withSign = (unit, value) => inUnit(unit, value) + (unit === 'share' && value !== null ? ' %' : '');

// A number, and for a share its interval. If only one end of an interval is known, that end: "> 2 s".
function rangedText(unit, [value, low, high]) {
  if (unit === 'share') return `${withSign(unit, value)} ${interval(low, high)}`;
  if (value === null && low > 0 && high === null) return '> ' + inUnit(unit, low);
  if (value === 0 && low === 0 && high > 0) return '< ' + inUnit(unit, high);
  return inUnit(unit, value);
}

// The interval in words, for a tooltip; null for a share, whose interval is beside the number.
function rangeTitle(unit, [, low, high]) {
  return unit === 'share' || low === null || high === null ? null : `${inUnit(unit, low)} to ${inUnit(unit, high)}`;
}

function capital(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

// Columns of a table as findingsTable takes them. A figure with an interval has three values.
function columnsOf(table) {
  const place = tellApart(table.rows, (row) => row.nodes);
  let at = 0;
  const columns = table.columns.map(([name, unit, ranged]) => {
    const k = at;
    at += ranged ? 3 : 1;
    if (unit === 'text') return [name, 'text', (row) => (row.values[k] ?? (name === 'class' ? 'not known' : '')) + (name === 'class' ? ofJvm(row) : '')];
    if (!ranged) return [name, 'figure', (row) => withSign(unit, row.values[k])];
    const three = (row) => row.values.slice(k, k + 3);
    return [name, unit === 'share' ? 'wide' : unit === 'bytes per minute' ? 'rate' : 'figure', (row) => row.weak ? 'too few' : rangedText(unit, three(row)),
      (row) => row.weak ? null : rangeTitle(unit, three(row))];
  });
  const jvm = table.columns.some(([, unit]) => unit === 'text') ? () => '' : ofJvm;
  return [...columns, ...table.stacks.map((title, k) => [title, 'text', (row) => place(row, k) + (k === 0 ? jvm(row) : '')])];
}

function tableSection(table, numberOf, choose) {
  if (table.title && table.rows.length === 0) return [];
  const [title, note] = (table.title ?? '').split(/: (.*)/s);
  return [title ? make('h2', {}, capital(title)) : null, note ? make('p', {class: 'note'}, capital(note)) : null,
    findingsTable(columnsOf(table), table.rows, numberOf, choose),
    table.minor ? make('p', {class: 'note'}, `${table.minor} ${table.minor === 1 ? table.one : table.many}${table.minor_text ?? ''}`) : null,
    table.total > table.rows.length ? make('p', {class: 'note'},
      `${table.total - table.rows.length} more ${table.total - table.rows.length === 1 ? table.one : table.many}`) : null];
}

// What is to be done about a finding, as cards; `items` are its rows.
function advisedCards(finding, items, choose) {
  const card = (found) => make('button', {type: 'button', class: 'card finding', disabled: found.row < 0, onclick: () => choose(items[found.row])},
    make('span', {class: 'title', title: found.amounts}, make('span', {class: 'number'}, String(found.rank)), placeText(found.place)),
    make('span', {class: 'saving'}, unbroken(found.amounts.slice(found.place.length + 1))),
    ...[['problem', found.problem], ['fix', found.fix], ['also', found.made], ['also', found.callers && `Called by ${found.callers}`]]
      .filter(([, text]) => text).map(([style, text]) => make('span', {class: style, title: text}, ...sentence(text))));
  return finding.advised.flatMap(({sum, cards}) => [make('p', {class: 'sum'}, capital(unbroken(sum))),
    make('div', {class: 'advised'}, ...cards.map(card))]);
}

function findingSection(finding, numberOf, choose) {
  const [title, ...told] = finding.told, items = finding.tables.flatMap((table) => table.rows);
  return [make('h2', {}, capital(title)), ...told.map((line) => make('p', {class: 'note'}, line)),
    ...advisedCards(finding, items, (item) => choose(numberOf(item))),
    ...finding.tables.flatMap((table) => tableSection(table, numberOf, choose))];
}

function rowDetail(row, table, finding, open) {
  return [make('h2', {}, make('bdi', {}, row.head.join(' ')), make('small', {}, ofJvm(row))),
    ...row.lines.map((line) => make('p', {class: 'judgement'}, line)),
    ...row.curves.flatMap((points, k) => points.length > 1 ? [curveFigure(table.curves[k], points)] : []),
    ...table.stacks.flatMap((title, k) => [make('h3', {}, capital(title)), frameList(row.nodes[k], SHOWN_FRAMES, open)]),
    ...(table.paths_title ? [make('h3', {}, capital(table.paths_title))] : []),
    ...row.paths.flatMap(([node, share, seen]) => [make('p', {class: 'use'}, make('b', {}, percent(share) + ' %'),
      ` of these accesses, ${count(seen)} ${finding.counted}`), frameList(node, SHOWN_FRAMES, open)]),
    leftOut(row.paths.length, row.total, 'place')];
}

// ---- pages ------------------------------------------------------------------------------------

// The rows of each page in one list; each with its table and its finding.
const PAGES = Object.fromEntries(data.analyses.map((analysis) => [analysis.key, {
  title: analysis.title, findings: analysis.findings,
  items: analysis.findings.flatMap((finding) => finding.tables.flatMap((table) =>
    table.rows.map((item) => ({item, table, finding})))),
}]));
const pageNames = Object.keys(PAGES);

// The stack that stands for a row.
function nodeOf(row) {
  const node = row.nodes[0] ?? -1;
  return node >= 0 ? node : row.paths[0]?.[0] ?? -1;
}

// The frame whose source is shown for an item: its line.
function itemFrame(page, item) {
  const found = PAGES[page].items[item];
  return found ? lineFrame(nodeOf(found.item)) : -1;
}

function showFindingsList(pane, page, choose) {
  const numbers = new Map(PAGES[page].items.map(({item}, i) => [item, i]));
  pane.replaceChildren(...PAGES[page].findings.flatMap((finding) =>
    findingSection(finding, (item) => numbers.get(item), choose)).filter(Boolean));
}

function showFinding(pane, page, item, open) {
  const found = PAGES[page].items[item];
  pane.replaceChildren(...(found ? rowDetail(found.item, found.table, found.finding, open).filter(Boolean) :
    [make('p', {class: 'note'}, 'Nothing was found.')]));
}
