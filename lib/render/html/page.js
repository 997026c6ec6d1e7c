// SPDX-License-Identifier: Apache-2.0
// page.js - what the reader looks at is a state, and the state is in the address behind '#': so the
// back button goes back, and an address can be handed on. Everything shown follows from it.

const DEFAULTS = {page: rowCount === 0 && pageNames.length > 0 ? pageNames[0] : 'contexts', item: 0, row: -1, view: 'allocations', metric: 'bytes', inverted: 0, zoom: 0, box: 0, frame: -1,
  sort: data.key, reversed: 0, q: ''};
const elements = {};
for (const id of ['search', 'matches', 'views', 'metric', 'inverted', 'unzoom', 'scale', 'detail', 'source', 'help',
  'help-button', 'facts', 'splitter', 'table-pane', 'pages', 'findings', 'findings-list', 'findings-detail', 'findings-source',
  'search-label'])
  elements[id] = document.getElementById(id);

let state = {};
let shown = {}; // as last drawn
const graphs = new Map();

// ---- state ------------------------------------------------------------------------------------

function readState() {
  const given = new URLSearchParams(location.hash.slice(1)), read = {};
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const text = given.get(name);
    const number = Number.parseInt(text, 10);
    read[name] = text === null ? value : typeof value === 'string' ? text : Number.isSafeInteger(number) ? number : value;
  }
  if (!(read.row >= 0 && read.row < rowCount)) read.row = rowCount > 0 ? 0 : -1;
  if (!pageNames.includes(read.page)) read.page = 'contexts';
  if (read.page !== 'contexts' && !(read.item >= 0 && read.item < PAGES[read.page].items.length)) read.item = 0;
  if (!(read.frame >= 0 && read.frame < frames.class.length))
    read.frame = read.page !== 'contexts' ? itemFrame(read.page, read.item) : read.row >= 0 ? firstFrame(read.row) : -1;
  if (!Object.hasOwn(METRICS, read.metric)) read.metric = DEFAULTS.metric;
  read.zoom = Math.max(0, read.zoom);
  read.box = Math.max(0, read.box);
  return read;
}

function address() {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS))
    if (state[name] !== value) given.set(name, state[name]);
  return '#' + given;
}

// Changes the state: for good (the back button returns to what was before), or in passing.
function change(changes, lasting = true) {
  Object.assign(state, changes);
  const hash = address();
  if (hash !== (location.hash || '#')) {
    // Some browsers refuse this to pages out of files; then there is the plain way.
    try {
      if (lasting) history.pushState(null, '', hash);
      else history.replaceState(null, '', hash);
    } catch {
      if (lasting) location.hash = hash;
      else location.replace(hash);
    }
  }
  draw();
}

function restore() {
  state = readState();
  draw();
}

// The frame whose source is shown for a row: the innermost of the reader's own.
function firstFrame(row) {
  const stack = stackOf(contexts.node[row]).filter((frame) => !isFolded(frame));
  return stack.find((frame) => !inJdk(strings[frames.class[frame]])) ?? stack[0] ?? -1;
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
    return remember(`uses ${state.row} ${state.inverted}`, () => accessGraph(state.row, Boolean(state.inverted)));
  return allocations(state.metric, Boolean(state.inverted));
}

function allocations(metric, inverted) {
  return remember(`allocations ${metric} ${inverted}`, () => allocationGraph(metric, inverted));
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
  elements.matches.textContent = !search ? '' :
    `${count(table.order.length)} of ${plural(rowCount, 'context')}, ${percent(graph.matched(search))} % of the graph`;
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
  document.querySelector('main').hidden = elements['search-label'].hidden = elements.matches.hidden = !contextsShown;
  elements.findings.hidden = contextsShown;
  for (const button of elements.pages.children) {
    if (button.value === state.page) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
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
  if (changed('q')) {
    shown.search = searchFor(state.q);
    if (elements.search.value !== state.q) elements.search.value = state.q;
  }
  if (changed('q', 'sort', 'reversed')) table.show(shown.search, state.sort, Boolean(state.reversed));
  if (changed('row', 'q', 'sort', 'reversed')) table.mark(state.row);
  if (changed('row')) showDetail(elements.detail, state.row, (frame) => change({frame}));
  if (changed('row', 'view', 'metric', 'inverted', 'zoom', 'box', 'q')) {
    const graph = drawGraph(shown.search);
    if (changed('row', 'view', 'metric', 'inverted', 'q')) drawMatches(shown.search, graph);
  }
  if (changed('frame', 'metric')) showSource(elements.source, state.frame, allocations(state.metric, false));
  for (const button of elements.detail.querySelectorAll('.frame'))
    button.classList.toggle('chosen', Number(button.dataset.frame) === state.frame);
  shown = {...state, search: shown.search};
}

// ---- what the reader does ---------------------------------------------------------------------

function chooseRow(row, lasting) {
  change({row, view: hasUses(row) ? 'uses' : 'allocations', zoom: 0, box: 0, frame: firstFrame(row)}, lasting);
}

const table = new ContextTable(chooseRow, (sort, reversed) => change({sort, reversed: reversed ? 1 : 0}));

// A frame's box shows its source, a context's box the context.
function chooseBox(box, lasting) {
  const graph = flame.graph;
  const changes = {box};
  if (graph.kind[box] === BOX_FRAME) changes.frame = graph.id[box];
  if (graph.kind[box] === BOX_ROW) Object.assign(changes, {row: graph.id[box], frame: firstFrame(graph.id[box])});
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
  elements.views.append(view('allocations', 'all allocations'), view('uses', 'uses of the chosen context'));
  for (const [name, metric] of Object.entries(METRICS)) elements.metric.append(make('option', {value: name}, metric.title));
  elements.metric.addEventListener('change', () => change({metric: elements.metric.value, zoom: 0, box: 0}));
  elements.inverted.addEventListener('change', () => change({inverted: elements.inverted.checked ? 1 : 0, zoom: 0, box: 0}));
  elements.unzoom.addEventListener('click', () => change({zoom: 0}));
  elements['help-button'].addEventListener('click', () => toggleHelp());
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
  elements.pages.append(button('contexts', 'Contexts', () => state.row >= 0 ? firstFrame(state.row) : -1),
    ...pageNames.map((name) => button(name, PAGES[name].title, () => itemFrame(name, 0))));
}

function drawScale() {
  elements.scale.replaceChildren('θ 0', ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((theta) => {
    const box = make('i');
    box.style.background = thetaColor(theta).fill;
    return box;
  }), '100 %', make('i', {class: 'none'}), 'not measured');
}

function drawFacts() {
  const r = data.recording, jvm = r.jvms[0];
  const facts = [
    ['command', r.command.join(' ') || 'not recorded'],
    ['JVM', severalJvms ? plural(r.jvms.length, 'JVM') : jvm ? `${jvm.version || ''} ${jvm.gc || ''}`.trim() : 'none'],
    ['time', seconds(r.duration_s) + (r.ended ? '' : ', has not ended')],
    ['cost', r.cost_percent === null ? DASH : r.cost_percent.toPrecision(2) + ' %'],
    ['samples', `${count(r.objects_sampled)} objects, ${count(r.pairs)} pairs`],
    ['lost', r.lost_events ? plural(r.lost_events, 'event') : null],
  ].filter(([, value]) => value !== null);
  document.title = `ojx: ${r.command.join(' ').slice(0, 80)}`;
  elements.facts.replaceChildren(...facts.map(([name, value]) =>
    make('span', {class: name === 'command' ? 'command' : null, title: value}, make('i', {}, name + ' '), value)));
  for (const { notes, pid } of r.jvms)
    for (const note of notes || []) elements.facts.append(make('span', {class: 'warning'}, `JVM ${pid}: ${note}`));
}

// ---- keys and layout --------------------------------------------------------------------------

const KEYS = [['/', 'search'], ['t, g, s', 'to the table, the graph, the source'], ['↑ ↓ PgUp PgDn', 'another context, in the table'],
  ['← → ↑ ↓', 'another box, in the graph'], ['Enter', 'zoom into the box (or double click)'],
  ['Backspace, Esc', 'zoom out, by one or wholly'], ['?', 'this help'], ['Alt+←', 'back to what was shown before']];

function toggleHelp() {
  const help = elements.help;
  if (!help.firstChild) {
    help.append(make('h2', {}, 'Keys'), make('dl', {}, ...KEYS.flatMap(([key, text]) => [make('dt', {}, key), make('dd', {}, text)])),
      make('h2', {}, 'Columns'), make('dl', {}, ...COLUMNS.filter((c) => c.name !== 'rank')
        .flatMap((c) => [make('dt', {}, c.title.split(' ')[0]), make('dd', {}, c.help)])),
      make('p', {class: 'note'}, `ojx ${data.version}. Shares of fewer than ${data.min_pairs} pairs or objects are not shown. ` +
        'The graph has the outermost frame on top; boxes are coloured by θ, the share of pairs with an equal value.'));
  }
  help.hidden = !help.hidden;
  elements['help-button'].setAttribute('aria-expanded', String(!help.hidden));
}

function globalKey(event) {
  const typing = event.target === elements.search || event.target === elements.metric;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const focus = {'/': '#search', t: '#scroller', g: '#graph', s: '.code-scroller'}[event.key];
  if (event.key === 'Escape' && event.target === elements.search) {
    change({q: ''});
    table.scroller.focus();
  } else if (event.key === 'Escape' && !elements.help.hidden) {
    toggleHelp();
  } else if (typing) {
    return;
  } else if (focus) {
    const element = document.querySelector(focus);
    if (element) element.focus();
    if (element === elements.search) element.select();
  } else if (event.key === '?') {
    toggleHelp();
  } else {
    return;
  }
  event.preventDefault();
}

// The table's height is the reader's to choose.
function makeSplitter() {
  const set = (height) => document.documentElement.style.setProperty('--table-height',
    Math.round(Math.min(Math.max(height, 90), innerHeight - 200)) + 'px');
  const height = () => elements['table-pane'].getBoundingClientRect().height;
  elements.splitter.addEventListener('pointerdown', (down) => {
    const begin = height() - down.clientY;
    const move = (event) => set(begin + event.clientY);
    elements.splitter.setPointerCapture(down.pointerId);
    elements.splitter.addEventListener('pointermove', move);
    elements.splitter.addEventListener('pointerup', () => elements.splitter.removeEventListener('pointermove', move), {once: true});
  });
  elements.splitter.addEventListener('keydown', (event) => {
    const step = {ArrowUp: -ROW_HEIGHT, ArrowDown: ROW_HEIGHT}[event.key];
    if (!step) return;
    set(height() + step);
    event.preventDefault();
  });
}

function recolor() {
  readPalette();
  drawScale();
  flame.draw();
  table.draw(true);
}

function start() {
  readPalette();
  makeControls();
  makePages();
  makeSplitter();
  drawFacts();
  drawScale();
  restore();
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);
  document.addEventListener('keydown', globalKey);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { recolor(); shown = {search: shown.search}; draw(); });
  const paper = (on) => {
    document.documentElement.classList.toggle('printing', on);
    recolor();
    flame.layout();
    table.print(on);
  };
  window.addEventListener('beforeprint', () => paper(true));
  window.addEventListener('afterprint', () => paper(false));
}

start();
