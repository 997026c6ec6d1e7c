// SPDX-License-Identifier: Apache-2.0
// diff_page.js - the page of a comparison: what the reader sees follows from its state (state.js).

const DEFAULTS = {row: -1, metric: Object.keys(METRICS).find((name) => METRICS[name].total[FROM] > 0 || METRICS[name].total[TO] > 0) ?? 'bytes',
  inverted: 0, zoom: 0, box: 0, sort: 'rank', reversed: 0, all: shownRows.length > 0 && shownRows.length < rowCount ? 0 : 1, stats: 0, q: '', re: 0};
const elements = {};
for (const id of ['search', 'matches', 'regular', 'metric', 'inverted', 'unzoom', 'scale', 'cards', 'rows-shown', 'statistics', 'detail', 'rest',
  'side', 'help', 'help-button', 'theme-button', 'facts', 'splitter', 'table-pane'])
  elements[id] = document.getElementById(id);

let shown = {}; // as last drawn
const graphs = new Map();

function readState() {
  const read = givenState();
  if (!(read.row >= 0 && read.row < rowCount)) read.row = rowCount > 0 ? shownRows[0] ?? 0 : -1;
  return read;
}

// ---- cards ------------------------------------------------------------------------------------

const FIRST_FIXES = 3; // cards of their own; the others are a list that opens

// What changed by finding.
function fixesCard() {
  const [claim, ...rest] = data.fixes_sum.split(/(?<=\.) (?=\d+ finding)/).map(unbroken);
  const more = data.fixes.slice(FIRST_FIXES);
  return make('div', {class: 'card sum'}, make('h2', {}, claim), ...rest.map((text) => make('p', {}, text)),
    ...(data.lengths ? [make('p', {class: 'note'}, unbroken(data.lengths))] : []),
    ...(more.length ? [make('details', {}, make('summary', {}, `${more.length} more`), ...more.map((found) => make('p', {title: found.fix}, found.words)))] : []));
}

// A finding; the whole card chooses its row. Its words are the state, the place with the rule in parentheses, and the bytes.
function fixCard({state: name, words, problem, fix, row}) {
  const place = words.slice(name.length + 2, words.indexOf('): ') + 1), worse = name === 'new' || name === 'more';
  return make('button', {type: 'button', class: 'card finding', 'data-row': row, disabled: row < 0, onclick: () => chooseRow(row, true)},
    make('span', {class: 'title', title: words}, make('span', {class: 'state ' + name}, name), make('span', {class: 'place'}, place)),
    make('span', {class: 'saving'}, words.slice(words.indexOf('): ') + 3)),
    ...(worse ? [make('span', {class: 'problem', title: problem}, ...sentence(problem)), make('span', {class: 'fix', title: fix}, ...sentence(fix))] : []));
}

function totalLine({heading, unit, total}) {
  const relative = total[FROM] > 0 && total[TO] !== null ? total[TO] / total[FROM] - 1 : null;
  return make('p', {}, make('b', {}, `${heading}: ${valueText(unit, total[FROM])} → ${valueText(unit, total[TO])}`), ' ',
    make('b', {class: changeClass(total)}, changeText(unit, total)), relative === null ? '' : ` ${relative < 0 ? '−' : '+'}${Math.abs(relative * 100).toFixed(1)} %`);
}

function totalsCard() {
  const order = ['worse', 'better', 'new', 'gone', 'same', 'few'];
  return make('div', {class: 'card sum totals'}, make('h2', {}, `${plural(rowCount, rowNoun)} compared`), ...MEASURES.filter((measure) => measure.unit !== 'share').map(totalLine),
    make('p', {}, ...order.filter((name) => data.states[name] > 0).flatMap((name, i) => [i ? ', ' : '',
      make('span', {class: 'state ' + name, title: STATE_HELP[name]}, `${data.states[name]} ${{same: 'without change', few: 'with too few samples to tell'}[name] ?? name}`)])),
    ...data.found.map(([name, unit, change]) => make('p', {}, `${name} ${valueText(unit, change[FROM])} → ${valueText(unit, change[TO])}, `,
      make('b', {class: changeClass(change)}, changeText(unit, change)))),
    make('p', {class: 'note'}, unbroken(`in parentheses: no more than noise (${data.confidence * 100} % over all) and ${data.threshold * 100} %`)));
}

// ---- the chosen row ---------------------------------------------------------------------------

function measuresTable(row) {
  const cells = (texts, tag) => texts.map((text) => make(tag, {}, text));
  return make('table', {class: 'measures'}, make('thead', {}, make('tr', {}, ...cells(['', 'old', 'new', 'change', 'between'], 'th'))),
    make('tbody', {}, ...MEASURES.map(({name, heading, unit}) => {
      const change = contexts[name][row], end = (value) => (value < 0 ? '−' : '+') + valueText(unit, Math.abs(value));
      return make('tr', {}, make('td', {}, heading + (unit === 'share' ? ' %' : '')), ...cells([valueText(unit, change[FROM]), valueText(unit, change[TO])], 'td'),
        make('td', {class: changeClass(change)}, changeText(unit, change)),
        make('td', {class: 'no'}, change[LOW] === null || change[HIGH] === null ? DASH : `${end(change[LOW])} … ${end(change[HIGH])}`));
    })));
}

function showRow(row) {
  if (row < 0) {
    elements.detail.replaceChildren(make('p', {class: 'note'}, 'Nothing to compare.'));
    return;
  }
  const name = placeName(row), frame = ownFrame(row), how = contexts.match[row];
  elements.detail.replaceChildren(make('h2', {}, make('bdi', {title: frame < 0 ? name : frameText(frame)}, name), ' ', copyButton(name), ' ',
    make('small', {}, classOf(row))),
  make('p', {class: 'judgement'}, make('span', {class: 'badge ' + contexts.state[row]}, contexts.state[row]), ' ' + STATE_HELP[contexts.state[row]] +
    (how && how !== 'lines' ? `; recognised by its ${how === 'methods' ? 'methods' : 'site'}` : '')), measuresTable(row));
  elements.rest.replaceChildren(make('h3', {}, 'Allocated at'), frameList(contexts.node[row], SHOWN_FRAMES));
}

// ---- drawing ----------------------------------------------------------------------------------

function currentGraph() {
  const key = `${state.metric} ${state.inverted}`;
  if (!graphs.has(key)) graphs.set(key, new DiffGraph(state.metric, Boolean(state.inverted)));
  return graphs.get(key);
}

function pathOf(graph) {
  const path = new Set();
  for (let box = graph.length - 1; box > 0 && !state.inverted; box--)
    if (graph.kind[box] === BOX_ROW && graph.id[box] === state.row) for (let b = box; b > 0; b = graph.parent[b]) path.add(b);
  return path;
}

function drawSearch() {
  const search = searchFor(state.q, Boolean(state.re)), error = search?.error;
  shown.search = error ? null : search;
  elements.regular.setAttribute('aria-pressed', String(Boolean(state.re)));
  if (elements.search.value !== state.q) elements.search.value = state.q;
  elements.search.setAttribute('aria-invalid', String(Boolean(error)));
  elements.matches.classList.toggle('warning', Boolean(error));
  elements.matches.textContent = error ? 'not a regular expression' :
    search ? `${rowsThat(search, rowCount).length} of ${plural(rowCount, rowNoun)}` : '';
}

function drawTable() {
  const rows = state.all || shown.search ? rowsThat(shown.search, rowCount) : shownRows;
  table.show(rows, {search: shown.search, statistics: Boolean(state.stats), sort: state.sort, reversed: Boolean(state.reversed),
    note: shownRows.length === 0 ? 'No change.' : 'in parentheses: no change beyond noise'});
  elements.statistics.checked = Boolean(state.stats);
  for (const input of elements['rows-shown'].querySelectorAll('input')) input.checked = Number(input.value) === state.all;
}

function draw() {
  const changed = (...names) => names.some((name) => shown[name] !== state[name]);
  if (changed('q', 're')) drawSearch();
  if (changed('q', 're', 'sort', 'reversed', 'all', 'stats')) drawTable();
  if (changed('row', 'q', 're', 'sort', 'reversed', 'all', 'stats')) table.mark(state.row);
  if (changed('row')) showRow(state.row);
  if (changed('row', 'metric', 'inverted', 'zoom', 'box', 'q', 're')) {
    const graph = currentGraph();
    elements.metric.value = state.metric;
    elements.inverted.checked = Boolean(state.inverted);
    elements.unzoom.hidden = state.zoom === 0;
    flame.show(graph, state.zoom, state.box, shown.search, pathOf(graph));
  }
  shown = {...state, search: shown.search};
}

function drawScale() {
  const swatch = (color) => make('i', {style: `background:${color.fill}`});
  elements.scale.replaceChildren('less', ...[1, 0.6, 0.2].map((part) => swatch(blend(['shrunk-low', 'shrunk-high'], part))), swatch(blend(['same', 'same'], 0)),
    ...[0.2, 0.6, 1].map((part) => swatch(blend(['grown-low', 'grown-high'], part))), 'more', make('i', {class: 'none'}), 'too few samples');
}

function retheme() {
  readPalette();
  drawScale();
  flame.draw();
  table.draw(true);
}

// ---- what the reader does ---------------------------------------------------------------------

function chooseRow(row, lasting) {
  change({row, box: 0}, lasting);
  if (lasting && matchMedia('screen and (max-width: 900px)').matches) elements.side.scrollIntoView();
}

const table = new RowTable(DIFF_COLUMNS, {choose: chooseRow, sorted: (sort, reversed) => change({sort, reversed: reversed ? 1 : 0}), tie: (x, y) => x - y});

function chooseBox(box, lasting) {
  const graph = flame.graph, changes = lasting && graph.kind[box] !== BOX_ROW ? {box, zoom: box} : {box};
  if (graph.kind[box] === BOX_ROW) changes.row = graph.id[box];
  change(changes, lasting);
}

const flame = new Flame({
  choose: (box) => chooseBox(box, true),
  move: (box) => chooseBox(box, false),
  zoom: (box) => change({zoom: box, box: Math.max(0, box)}),
});

const COLOURS = [['red, blue', 'the part of a box that has grown or shrunk beyond noise'], ['grey', 'no such change; or boxes too narrow to be drawn alone'],
  ['hatched', 'too few samples to tell of most of the box']];

function showHelp() {
  const side = (name) => [[`${name} recording`, data[name === 'old' ? 'from' : 'to'].file], ['command', commandOf(data[name === 'old' ? 'from' : 'to'])]];
  toggleHelp(elements.help, () => fillHelp(elements.help, COLOURS, DIFF_COLUMNS.filter((c) => c.name !== 'rank').map((c) => [c.title, c.help]),
    [...side('old'), ...side('new')]));
}

function drawFacts() {
  const side = ({file, duration_s: time, sampled}) => [make('span', {class: 'program', title: file}, file.slice(file.lastIndexOf('/') + 1)),
    make('span', {}, `${seconds(time)}, ${count(sampled)} samples`)];
  const warning = {program: `the programs are different: ${data.from.program} before, ${data.to.program} now`,
    arguments: 'the command lines are different'}[data.commands];
  document.title = `ojx: ${data.to.program ?? 'comparison'}`;
  elements.facts.replaceChildren(...side(data.from), make('span', {class: 'arrow'}, '→'), ...side(data.to),
    ...(warning ? [make('span', {class: 'warning'}, warning)] : []));
}

function makeControls() {
  const rows = (all, title) => make('label', {}, make('input', {type: 'radio', name: 'rows', value: all, onchange: () => change({all})}), title);
  if (shownRows.length > 0 && shownRows.length < rowCount)
    elements['rows-shown'].append(rows(0, `${plural(shownRows.length, rowNoun)} changed`), rows(1, `all ${rowCount}`));
  else elements['rows-shown'].append(plural(rowCount, rowNoun));
  for (const name of Object.keys(METRICS)) elements.metric.append(make('option', {value: name}, METRICS[name].heading));
  elements.statistics.addEventListener('change', () => change({stats: elements.statistics.checked ? 1 : 0}));
  elements.metric.addEventListener('change', () => change({metric: elements.metric.value, zoom: 0, box: 0}));
  elements.inverted.addEventListener('change', () => change({inverted: elements.inverted.checked ? 1 : 0, zoom: 0, box: 0}));
  elements.unzoom.addEventListener('click', () => change({zoom: 0}));
  elements.regular.addEventListener('click', () => change({re: state.re ? 0 : 1}));
  elements['help-button'].addEventListener('click', showHelp);
  elements.search.addEventListener('input', () => change({q: elements.search.value}, false));
}

function start() {
  readPalette();
  elements.cards.replaceChildren(fixesCard(), ...data.fixes.slice(0, FIRST_FIXES).map(fixCard), totalsCard());
  makeControls();
  makeSplitter(elements.splitter, elements['table-pane']);
  makeThemeButton(elements['theme-button'], retheme);
  makeGlobalKeys(elements, table, showHelp);
  drawFacts();
  drawScale();
  restore();
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);
  makeFullScreen(flame);
  makePrintable(retheme, table, flame);
}

start();
