// SPDX-License-Identifier: Apache-2.0
// heap_page.js - the page of a heap dump, or of how two differ: tables of one analysis, the chosen row, and what else there is of its
// class. What the reader sees follows from its state (state.js).

const severalJvms = false;
const METRICS = {};
const page = pageNames[0], ITEMS = PAGES[page].items;
const TABLES = PAGES[page].findings.flatMap((finding) => finding.tables);
const DEFAULTS = {item: 0, q: '', sort: ''};
const elements = {};
for (const id of ['cards', 'facts', 'search', 'matches', 'theme-button', 'findings-list', 'findings-detail']) elements[id] = document.getElementById(id);
const numbers = new Map(ITEMS.map(({item}, i) => [item, i]));
let shown = {}; // as last drawn

// 'sort' is "TABLE COLUMN DIRECTION" of the table that is sorted by another column than the report's; 1: the largest first.
function readState() {
  const read = givenState();
  if (!(read.item >= 0 && read.item < ITEMS.length)) read.item = 0;
  const [table, column] = read.sort.split(' ').map(Number);
  if (!TABLES[table]?.columns[column]) read.sort = '';
  return read;
}

function textsOf(table, row) { return table.columns.flatMap(([, unit], k) => unit === 'text' && row.values[k] ? [row.values[k]] : []); }
function classIn(table, row) { return row.values[table.columns.findIndex(([name]) => name === 'class')] ?? null; }

// ---- the list ---------------------------------------------------------------------------------

function byColumn(column, direction) {
  const rank = (value) => value === null ? -Infinity : value;
  return (x, y) => {
    const [a, b] = [x.values[column], y.values[column]];
    return direction * (typeof a === 'string' || typeof b === 'string' ? (a ?? '').localeCompare(b ?? '') : Math.sign(rank(b) - rank(a)) || 0);
  };
}

// The rows of a table that match, in the order that the reader wants.
function rowsOf(table, k, parts) {
  const match = (row) => parts.every((part) => textsOf(table, row).some((text) => part(text, 0)));
  const [sorted, column, direction] = state.sort.split(' ').map(Number);
  const rows = parts.length ? table.rows.filter(match) : [...table.rows];
  return state.sort && sorted === k ? rows.sort(byColumn(column, direction)) : rows;
}

function makeSortable(section, table, k) {
  const [sorted, column, direction] = state.sort ? state.sort.split(' ').map(Number) : [];
  section.querySelectorAll('th').forEach((head, c) => {
    const isSorted = sorted === k && column === c;
    if (isSorted) head.setAttribute('aria-sort', direction > 0 ? 'descending' : 'ascending');
    head.replaceChildren(make('button', {type: 'button', title: table.columns[c][3] || null,
      onclick: () => change({sort: `${k} ${c} ${isSorted ? -direction : 1}`})}, head.textContent));
  });
}

function drawList() {
  const {parts} = searchParts(state.q, false), children = [];
  let matches = 0, k = 0;
  for (const finding of PAGES[page].findings) {
    const [title, ...told] = finding.told;
    children.push(make('h2', {}, capital(title)), ...told.map((line) => make('p', {class: 'note'}, line)));
    for (const table of finding.tables) {
      const rows = rowsOf(table, k, parts), all = table.rows.length;
      const section = make('div', {}, ...tableSection({...table, rows, total: table.total - all + rows.length}, (item) => numbers.get(item),
        (item) => change({item})).filter(Boolean));
      makeSortable(section, table, k++);
      matches += rows.length;
      children.push(section);
    }
  }
  elements['findings-list'].replaceChildren(...children);
  elements.matches.textContent = parts.length ? `${count(matches)} of ${plural(ITEMS.length, 'row')}` : '';
  if (elements.search.value !== state.q) elements.search.value = state.q;
}

// ---- the chosen row ---------------------------------------------------------------------------

function figureList({columns}, row) {
  return make('dl', {class: 'figures'}, ...columns.flatMap(([name, unit, , help], k) => unit === 'text' ? [] :
    [make('dt', {}, name.replace('_bytes', '').replaceAll('_', ' ')), make('dd', {}, withSign(unit, row.values[k])),
      make('small', {}, help ?? '')]));
}

// Rows of other tables about the same class.
function relatives({item: row, table}) {
  const name = classIn(table, row);
  return TABLES.filter((other) => other !== table && name !== null).flatMap((other) => {
    const rows = other.rows.filter((it) => classIn(other, it) === name).slice(0, 12);
    const amount = other.columns.findIndex(([, unit]) => unit === 'bytes');
    const label = (it) => `${textsOf(other, it)[0]}: ${bytes(it.values[amount])}`;
    return rows.length === 0 ? [] : [make('h3', {}, capital(other.title ?? other.many)), make('ul', {}, ...rows.map((it) =>
      make('li', {}, make('button', {type: 'button', onclick: () => change({item: numbers.get(it)})}, label(it)))))];
  });
}

function drawDetail() {
  const chosen = ITEMS[state.item], pane = elements['findings-detail'];
  for (const card of elements.cards.querySelectorAll('.finding')) card.classList.toggle('chosen', Number(card.dataset.row) === state.item);
  for (const row of elements['findings-list'].querySelectorAll('tr[data-item]')) row.classList.toggle('chosen', Number(row.dataset.item) === state.item);
  if (!chosen) {
    pane.replaceChildren(make('p', {class: 'note'}, 'Nothing was found.'));
    return;
  }
  const [name, ...more] = textsOf(chosen.table, chosen.item);
  pane.replaceChildren(make('h2', {}, make('bdi', {}, name ?? ''), ' ', copyButton(name ?? '')), ...more.map((text) => make('p', {class: 'judgement'}, text)),
    figureList(chosen.table, chosen.item), ...relatives(chosen));
}

// ---- the cards ----------------------------------------------------------------------------------

// A row by the names of its columns.
function named(table, row) { return Object.fromEntries(table.columns.map(([name], k) => [name, row.values[k]])); }

// A field of the application that holds copies, or a class whose objects hold little: [place, saving, lines].
function cardOf({item, table}) {
  const it = named(table, item), share = `${percent(it.share)} %`;
  if ('copies' in it)
    return [it.holder, `holds ${count(it.copies)} of ${it.class}, with ${plural(it.distinct, 'content')}: merging frees ${bytes(it.freed_bytes)} (${share})`,
      [['also', it.path && `Through: ${it.path}`], ['also', it.value && `The most frequent: ${it.value}`]]];
  const what = it.wasted_bytes === undefined ? `${bytes(it.freed_bytes)} (${share}) are kept for nothing` : `${bytes(it.wasted_bytes)} (${share}) hold nothing`;
  return [it.holder ?? it.class ?? 'not known', `${plural(it.objects, 'object')}, ${bytes(it.bytes)}: ${what}`, [['problem', it.problem]]];
}

const CARDS = 3;
const worthOf = ({item, table}) => named(table, item).freed_bytes ?? named(table, item).wasted_bytes ?? 0;

// What a dump comes to, and the fields and classes where most can be had.
function showCards(pane) {
  const first = ITEMS.map((found, i) => ({...found, i})).filter(({table}) => table.columns.some(([name]) => name === 'holder' || name === 'problem'))
    .filter((found) => worthOf(found) > 0).sort((x, y) => worthOf(y) - worthOf(x)).slice(0, CARDS);
  pane.hidden = data.dumps.length > 1 || first.length === 0;
  if (pane.hidden) return;
  const told = PAGES[page].findings.map((finding) => finding.told[0]).filter(Boolean);
  pane.replaceChildren(make('div', {class: 'card sum'}, ...told.map((line, k) => make(k === 0 ? 'h2' : 'p', {}, unbroken(capital(line))))),
    ...first.map((found, k) => numberedCard(k + 1, found.i, ...cardOf(found), (item) => change({item}))));
}

// ---- the page ---------------------------------------------------------------------------------

function draw() {
  const changed = (...names) => names.some((name) => shown[name] !== state[name]);
  if (changed('q', 'sort')) drawList();
  if (changed('q', 'sort', 'item')) drawDetail();
  shown = {...state};
}

function drawFacts() {
  const about = (dump) => `${dump.file}: ${count(dump.objects)} objects, ${bytes(dump.bytes)}`;
  document.title = `ojx heap: ${data.dumps.map((dump) => dump.file).join(', ')}`;
  elements.facts.replaceChildren(...data.dumps.flatMap((dump) => [make('span', {class: 'program', title:
    `headers of ${dump.header_bytes} bytes, references of ${dump.reference_bytes}`}, about(dump)),
  ...dump.notes.map((note) => make('span', {class: 'note'}, note))]));
}

function start() {
  drawFacts();
  showCards(elements.cards);
  state = readState();
  draw();
  elements.search.addEventListener('input', () => change({q: elements.search.value}, shown.q === '' || elements.search.value === ''));
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && event.target === elements.search) change({q: ''});
    else if (event.key === '/' && event.target !== elements.search) {
      elements.search.focus();
      event.preventDefault();
    }
  });
  makeThemeButton(elements['theme-button'], () => {});
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);
}

start();
