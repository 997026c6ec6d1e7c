// SPDX-License-Identifier: Apache-2.0
// page.js - the page of a report: what the reader sees follows from its state (state.js).

const DEFAULTS = {page: rowCount === 0 && pageNames.length > 0 ? pageNames[0] : 'contexts', item: 0, row: -1, view: 'allocations',
  metric: ['avoidable', 'likely'].find((name) => contexts[name]?.some((value) => value > 0)) ?? 'bytes', inverted: 0, zoom: 0, box: 0, frame: -1,
  sort: data.key, reversed: 0, all: gainCount < rowCount ? 0 : 1, stats: 0, q: '', re: 0};
const elements = {};
for (const id of ['search', 'search-box', 'matches', 'regular', 'views', 'metric', 'inverted', 'unzoom', 'scale', 'cards', 'rows-shown',
  'statistics', 'detail', 'source', 'rest', 'side', 'help', 'help-button', 'theme-button', 'facts', 'splitter', 'table-pane', 'pages',
  'findings', 'findings-list', 'findings-detail', 'findings-source'])
  elements[id] = document.getElementById(id);

let shown = {}; // as last drawn
const graphs = new Map();

// ---- state ------------------------------------------------------------------------------------

function readState() {
  const read = givenState();
  if (!(read.row >= 0 && read.row < rowCount)) read.row = rowCount > 0 ? 0 : -1;
  if (!pageNames.includes(read.page)) read.page = 'contexts';
  if (read.page !== 'contexts' && !(read.item >= 0 && read.item < PAGES[read.page].items.length)) read.item = 0;
  if (!(read.frame >= 0 && read.frame < frames.class.length))
    read.frame = read.page !== 'contexts' ? itemFrame(read.page, read.item) : read.row >= 0 ? ownFrame(read.row) : -1;
  return read;
}

function hasUses(row) { return row >= 0 && detailsOf(row).accesses.some((access) => access.uses > 0 && access.node >= 0); }

// ---- drawing ----------------------------------------------------------------------------------

function remember(key, create) {
  if (!graphs.has(key)) {
    if (graphs.size > 12) graphs.delete(graphs.keys().next().value);
    graphs.set(key, create());
  }
  return graphs.get(key);
}

function currentView() { return state.view === 'uses' && hasUses(state.row) ? 'uses' : 'allocations'; }

function currentGraph() {
  if (currentView() === 'uses')
    return remember(`uses ${state.row} ${state.inverted}`, () => new AccessGraph(state.row, Boolean(state.inverted)));
  return allocations(state.metric, Boolean(state.inverted));
}

function allocations(metric, inverted) {
  return remember(`allocations ${metric} ${inverted}`, () => new AllocationGraph(metric, inverted));
}

// The boxes of the chosen context, in a graph of all.
function pathOf(graph) {
  const path = new Set();
  if (currentView() !== 'allocations' || state.inverted || state.row < 0) return path;
  for (let box = graph.length - 1; box > 0; box--) {
    if (graph.kind[box] !== BOX_ROW || graph.id[box] !== state.row) continue;
    for (let b = box; b > 0; b = graph.parent[b]) path.add(b);
  }
  return path;
}

function drawGraph(search) {
  const graph = currentGraph(), view = currentView();
  for (const input of elements.views.querySelectorAll('input')) {
    input.checked = input.value === view;
    if (input.value === 'uses') input.disabled = !hasUses(state.row);
  }
  elements.metric.value = graph.metric;
  elements.metric.disabled = view === 'uses';
  elements.inverted.checked = Boolean(state.inverted);
  elements.unzoom.hidden = state.zoom === 0;
  flame.show(graph, state.zoom, state.box, search, remember(`path ${state.row} ${view} ${state.metric} ${state.inverted}`,
    () => pathOf(graph)));
  return graph;
}

function drawMatches(search, graph) {
  const error = state.re && searchParts(state.q, true).error;
  elements.matches.classList.toggle('warning', Boolean(error));
  elements.matches.textContent = error ? 'not a regular expression' : !search ? '' :
    `${count(table.order.length)} of ${plural(rowCount, rowNoun)}, ${percent(graph.matched(search))} % of the graph`;
  elements.matches.title = error || elements.matches.textContent;
  elements.search.setAttribute('aria-invalid', String(Boolean(error)));
}

// The pages beside that of contexts: a list, what is chosen of it, and the source of a frame.
function drawFindings(changed) {
  const page = state.page, list = elements['findings-list'];
  if (changed('page')) showFindingsList(list, page, (item) => change({item, frame: itemFrame(page, item)}));
  if (changed('page', 'item')) {
    showFinding(elements['findings-detail'], page, state.item, (frame) => change({frame}));
    for (const row of list.querySelectorAll('tr[data-item]')) row.classList.toggle('chosen', Number(row.dataset.item) === state.item);
  }
  if (changed('page', 'frame')) showSource(elements['findings-source'], state.frame, allocations(state.metric, false));
  for (const button of elements['findings-detail'].querySelectorAll('.frame'))
    button.classList.toggle('chosen', Number(button.dataset.frame) === state.frame);
}

function drawPage() {
  const contextsShown = state.page === 'contexts';
  document.querySelector('main').hidden = elements['search-box'].hidden = !contextsShown;
  elements.findings.hidden = contextsShown;
  for (const button of elements.pages.children) {
    if (button.value === state.page) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
}

// The rows that the page does not have.
function leftNote() {
  const left = data.rows - data.shown;
  return left > 0 ? `${plural(left, 'more ' + rowNoun)}, which allocate ${bytes(data.left_bytes)}, ${left === 1 ? 'is' : 'are'} not in this page: ` +
    '--limit 0 writes all.' : '';
}

function tableNote(most) {
  const others = most < rowCount && data.others ? data.others + '.' : '';
  return [others, leftNote()].filter((note) => note).join(' ');
}

// During a search the chosen row is kept; when the search ends, it is shown again.
function drawTable(changed) {
  if (changed('q', 're', 'sort', 'reversed', 'all', 'stats')) {
    const most = state.all || shown.search ? rowCount : gainCount; // a search looks at all rows
    table.show(rowsThat(shown.search, most), {search: shown.search, statistics: Boolean(state.stats), sort: state.sort,
      reversed: Boolean(state.reversed), note: tableNote(most)});
    elements.statistics.checked = Boolean(state.stats);
    for (const input of elements['rows-shown'].querySelectorAll('input')) input.checked = Number(input.value) === state.all;
  }
  if (changed('row', 'q', 're', 'sort', 'reversed', 'all', 'stats')) table.mark(state.row);
  if (changed('row')) {
    for (const card of elements.cards.querySelectorAll('.finding')) card.classList.toggle('chosen', Number(card.dataset.row) === state.row);
  }
}

function draw() {
  const changed = (...names) => names.some((name) => shown[name] !== state[name]);
  if (changed('page')) drawPage();
  if (state.page !== 'contexts') {
    drawFindings(changed);
    shown = {page: state.page, item: state.item, frame: state.frame};
    return;
  }
  if (changed('q', 're')) {
    const search = searchFor(state.q, Boolean(state.re));
    shown.search = search?.error ? null : search;
    elements.regular.setAttribute('aria-pressed', String(Boolean(state.re)));
    if (elements.search.value !== state.q) elements.search.value = state.q;
  }
  drawTable(changed);
  if (changed('row')) showDetail(elements.detail, elements.rest, state.row, (frame) => change({frame}));
  if (changed('row', 'view', 'metric', 'inverted', 'zoom', 'box', 'q', 're')) {
    const graph = drawGraph(shown.search);
    if (changed('view', 'metric', 'inverted')) drawScale(graph);
    if (changed('row', 'view', 'metric', 'inverted', 'q', 're')) drawMatches(shown.search, graph);
  }
  if (changed('frame', 'metric')) showSource(elements.source, state.frame, allocations(state.metric, false));
  for (const button of elements.rest.querySelectorAll('.frame'))
    button.classList.toggle('chosen', Number(button.dataset.frame) === state.frame);
  shown = {...state, search: shown.search};
}

// ---- what the reader does ---------------------------------------------------------------------

function chooseRow(row, lasting) {
  change({row, zoom: state.view === 'uses' ? 0 : state.zoom, box: 0, frame: ownFrame(row)}, lasting);
}

// Chooses a row; if the panes are one below the other, scrolls to the row's pane.
function chooseAndShow(row, lasting) {
  chooseRow(row, lasting);
  if (lasting && matchMedia('screen and (max-width: 900px)').matches) elements.side.scrollIntoView();
}

const table = new RowTable(ALL_COLUMNS, {choose: chooseAndShow, sorted: (sort, reversed) => change({sort, reversed: reversed ? 1 : 0}),
  tie: tieOfRows});

// The box of a frame shows its source, the box of a row shows the row. A click zooms into a box that has children.
function chooseBox(box, lasting) {
  const graph = flame.graph;
  const changes = lasting && graph.kind[box] !== BOX_ROW ? {box, zoom: box} : {box};
  if (graph.kind[box] === BOX_FRAME) changes.frame = graph.id[box];
  if (graph.kind[box] === BOX_ROW) Object.assign(changes, {row: graph.id[box], frame: ownFrame(graph.id[box])});
  change(changes, lasting);
}

const flame = new Flame({
  choose: (box) => chooseBox(box, true),
  move: (box) => chooseBox(box, false),
  zoom: (box) => change({zoom: box, box: Math.max(0, box)}),
});

function makeControls() {
  const view = (value, title) => make('label', {}, make('input', {type: 'radio', name: 'view', value,
    onchange: () => change({view: value, zoom: 0, box: 0})}), title);
  elements.views.append(view('allocations', 'all allocations'), view('uses', `uses of this ${rowNoun}`));
  const rows = (all, title) => make('label', {}, make('input', {type: 'radio', name: 'rows', value: all,
    onchange: () => change({all})}), title);
  if (gainCount < rowCount)
    elements['rows-shown'].append(rows(0, `${plural(gainCount, rowNoun)} worth a look`), rows(1, `all ${rowCount}`));
  else elements['rows-shown'].append(plural(rowCount, rowNoun));
  elements.statistics.addEventListener('change', () => change({stats: elements.statistics.checked ? 1 : 0}));
  for (const [name, metric] of Object.entries(METRICS)) if (name !== 'accesses' || contexts.uses.some((uses) => uses > 0)) elements.metric.append(make('option', {value: name}, metric.title));
  elements.metric.addEventListener('change', () => change({metric: elements.metric.value, zoom: 0, box: 0}));
  elements.inverted.addEventListener('change', () => change({inverted: elements.inverted.checked ? 1 : 0, zoom: 0, box: 0}));
  elements.unzoom.addEventListener('click', () => change({zoom: 0}));
  elements['help-button'].addEventListener('click', showHelp);
  elements.regular.addEventListener('click', () => change({re: state.re ? 0 : 1}));
  let timer = 0;
  elements.search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => change({q: elements.search.value}, shown.q === '' || elements.search.value === ''), 150);
  });
}

// What the recording has beside contexts, if anything.
function makePages() {
  if (pageNames.length === 0) return;
  const button = (name, title, frame) => make('button', {type: 'button', value: name,
    onclick: () => change({page: name, item: 0, frame: frame()})}, title);
  elements.pages.hidden = false;
  elements.pages.append(button('contexts', 'Replicas', () => state.row >= 0 ? ownFrame(state.row) : -1),
    ...pageNames.map((name) => button(name, PAGES[name].title, () => itemFrame(name, 0))));
}

function drawScale(graph) {
  elements.scale.replaceChildren('0', ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const box = make('i');
    box.style.background = shareColor(share).fill;
    return box;
  }), graph instanceof AccessGraph ? '100 % equal values' : graph.metric === 'avoidable' ? '100 % avoidable' : '100 % saved', make('i', {class: 'none'}), 'not measured',
  graph instanceof AccessGraph ? '' : leftNote());
}

function drawFacts() {
  const r = data.recording, jvm = r.jvms[0], program = data.program ?? 'a program';
  const facts = [
    severalJvms ? plural(r.jvms.length, 'JVM') : jvm ? `JVM ${(jvm.version || '').split(/[-+]/)[0]} ${jvm.gc || ''}`.trim() : 'no JVM',
    seconds(r.duration_s) + (r.ended ? '' : ', has not ended'),
    r.whole_cost_percent === null ? null : `cost about ${r.whole_cost_percent.toPrecision(2)} %`,
    `${count(r.objects_sampled)} objects, ${count(r.pairs)} pairs`,
    r.lost_events ? `${plural(r.lost_events, 'event')} lost` : null,
  ].filter((fact) => fact !== null);
  document.title = `ojx: ${program}`;
  elements.facts.replaceChildren(make('span', {class: 'program', title: commandOf(r)}, program), ...facts.map((fact) => make('span', {}, fact)));
  for (const { notes, pid } of r.jvms)
    for (const note of notes || []) elements.facts.append(make('span', {class: 'warning'}, `JVM ${pid}: ${note}`));
}

// ---- keys and layout --------------------------------------------------------------------------

const COLOURS = [['avoidable bytes', 'the part of the bytes in or below a box that findings avoid, certain and likely ones'],
['other allocations', 'the part of the bytes in or below a box that merging saves for sure; of hatched boxes less than half ' +
  'of the bytes was looked at'], ['uses of a row', 'the share of compared pairs with an equal value'],
['grey', 'boxes that are too narrow to be drawn alone']];

function recordingFacts() {
  const r = data.recording;
  return [['command', commandOf(r)],
    ...r.jvms.map((jvm) => [`JVM ${jvm.pid}`, `${jvm.name ?? ''} ${jvm.version ?? ''} ${jvm.gc ?? ''}`.trim()]),
    ['time', seconds(r.duration_s) + (r.ended ? '' : ', has not ended')],
    ['cost', r.cost_percent === null ? DASH : `${r.cost_percent.toPrecision(2)} % measured, about ${r.whole_cost_percent.toPrecision(2)} % with what it does to caches`],
    ['samples', `${count(r.objects_sampled)} objects, ${count(r.pairs)} pairs`],
    ['lost', r.lost_events ? plural(r.lost_events, 'event') : 'nothing']];
}

function showHelp() {
  toggleHelp(elements.help, () => fillHelp(elements.help, COLOURS, ALL_COLUMNS.filter((c) => c.name !== 'rank')
    .map((c) => [c.title.replace(/ [[].*/, ''), c.help]), recordingFacts()));
}

function recolor() {
  readPalette();
  if (flame.graph) drawScale(flame.graph);
  flame.draw();
  table.draw(true);
}

// Draws everything again, in other colours.
function retheme() {
  recolor();
  shown = {search: shown.search, page: shown.page, q: shown.q, re: shown.re};
  draw();
}

function start() {
  readPalette();
  showCards(elements.cards, (row) => chooseAndShow(row, true));
  makeControls();
  makePages();
  makeSplitter(elements.splitter, elements['table-pane']);
  makeThemeButton(elements['theme-button'], retheme);
  drawFacts();
  state = readState();
  retheme();
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);
  makeGlobalKeys(elements, table, showHelp);
  makeFullScreen(flame);
  makePrintable(recolor, table, flame);
}

start();
