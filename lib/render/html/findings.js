// SPDX-License-Identifier: Apache-2.0
// findings.js - what was found beside contexts of replicas: wasted accesses, and whose objects accesses go to.
// Each is a page of its own, a list of tables with the chosen finding beside it; the recording has them or not.

const WASTE = {
  'dead-store': {title: 'Dead stores', done: 'stored', means: 'stored again before any load',
    first: 'Stored at', second: 'and stored again, unread, at'},
  'silent-store': {title: 'Silent stores', done: 'stored', means: 'the next store writes the same value',
    first: 'Stored at', second: 'and the same value again at'},
  'silent-load': {title: 'Silent loads', done: 'loaded', means: 'the next load finds the same value',
    first: 'Loaded at', second: 'and the same value again at'},
};
const WAYS = {
  time: {of: 'the time at accesses to the heap', means: 'sampled by CPU time in front of accesses: a slow one counts for more'},
  access: {of: 'the sampled accesses to the heap', means: 'sampled by the processor'},
  'page-fault': {of: 'the page faults in the heap', means: 'sampled by the kernel'},
};
const LEAST_SAMPLES = 5; // fewer give no share by which anybody should act

// ---- tables -----------------------------------------------------------------------------------

// "TreeMap.put:826 in Shop.load:12": the innermost frame, and the reader's own if that is another.
function placeOf(node) {
  const stack = stackOf(node).filter((frame) => !isFolded(frame));
  if (stack.length === 0) return 'not known';
  const own = stack.find((frame) => !inJdk(strings[frames.class[frame]]));
  return frameSite(stack[0]) + (own === undefined || own === stack[0] ? '' : ' in ' + frameSite(own));
}

// What tells items apart whose places read the same: of each, the frame at which its stack parts from that other one which it
// has most in common with. `nodes` are those of an item, by which its title is made.
function tellApart(items, nodes) {
  const same = new Map(), title = (item) => nodes(item).map(placeOf).join('\n') + '\n' + (item.class ?? '');
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

// Columns are [title, class, text of an item]; the first text opens the item.
function findingsTable(columns, items, numberOf, choose) {
  const head = make('tr', {}, ...columns.map(([title, kind]) => make('th', {scope: 'col', class: kind}, title)));
  const button = columns.findIndex(([, kind]) => kind === 'text');
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...items.map((item) => make('tr',
    {'data-item': numberOf(item), onclick: () => choose(numberOf(item))},
    ...columns.map(([, kind, text], k) => make('td', {class: kind, title: kind === 'text' ? text(item) : null},
      k === button ? make('button', {type: 'button'}, text(item)) : text(item)))))));
}

function leftOut(shown, total, noun) {
  return total > shown ? make('p', {class: 'note'}, `and ${plural(total - shown, noun)} more`) : null;
}

function ofJvm(item) { return severalJvms ? `, JVM ${item.pid}` : ''; }

// ---- wasted accesses --------------------------------------------------------------------------

function wasteSection(waste, numberOf, choose) {
  const words = WASTE[waste.kind], few = waste.count < data.min_pairs;
  const place = tellApart(waste.pairs, (pair) => pair.nodes);
  return [make('h2', {}, words.title, ': ', few ? 'too few pairs of accesses were seen' :
    `${percent(waste.fraction)} % ${interval(waste.low, waste.high)} of ${bytes(waste.bytes)} ${words.done}`),
  make('p', {class: 'note'}, `${plural(waste.count, 'pair')} of accesses seen; wasted: ${words.means}`),
  few || waste.content === waste.count ? null : make('p', {class: 'note'}, headersOf(waste)),
  few ? null : findingsTable([
    ['share', 'figure', (pair) => percent(pair.share) + ' %'],
    ['pairs', 'figure', (pair) => count(pair.count)],
    [words.first.toLowerCase(), 'text', (pair) => place(pair, 0) + ofJvm(pair)],
    [words.second, 'text', (pair) => place(pair, 1)],
  ], waste.pairs, numberOf, choose),
  few ? null : leftOut(waste.pairs.length, waste.total, 'more pair of places')];
}

// Class words, lengths of arrays and mark words are loaded where the compiler wants it.
function headersOf(waste) {
  const rest = waste.content ? `; of the others ${percent(waste.content_fraction)} % ${interval(waste.content_low, waste.content_high)}` : '';
  const hidden = waste.headers ? `; ${plural(waste.headers, 'pair')} of places left out, which --headers shows` : '';
  return `${plural(waste.count - waste.content, 'pair')} of object headers, and so mostly the compiler\u2019s${rest}${hidden}`;
}

function wasteDetail(pair, waste, open) {
  const words = WASTE[waste.kind];
  return [make('h2', {}, `${percent(pair.share)} % of the bytes ${words.done}`, make('small', {}, ofJvm(pair))),
    make('p', {class: 'judgement'}, `${bytes(pair.wasted)} wasted in ${plural(pair.count, 'pair')} of accesses${pair.header ? `, of the object\u2019s header: ${pair.header}` : ''}`),
    ...[words.first, words.second].flatMap((title, k) => [make('h3', {}, title),
      make('p', {class: 'instruction'}, pair.instructions[k] === '?' ? 'instruction not known' : pair.instructions[k]),
      frameList(stackOf(pair.nodes[k]), SHOWN_FRAMES, open)])];
}

// ---- locality ---------------------------------------------------------------------------------

function shareText(object, way) {
  return object.effective < LEAST_SAMPLES ? 'too few samples for a share' : `${shareOf(object)} of ${WAYS[way.metric].of}`;
}

function shareOf(object) {
  return object.effective < LEAST_SAMPLES ? 'too few' : `${percent(object.share)} % ${interval(object.low, object.high)}`;
}

function localitySection(way, numberOf, choose) {
  const words = WAYS[way.metric], known = way.local + way.remote;
  const place = tellApart(way.objects, (object) => [object.node]);
  const share = ['share', 'wide', shareOf], samples = ['samples', 'figure', (object) => count(object.samples)];
  const name = ['class', 'text', (object) => (object.class ?? 'not known') + ofJvm(object)];
  return [make('h2', {}, `Locality: shares of ${words.of}`),
    make('p', {class: 'note'}, `${plural(way.samples, 'sample')}, ${words.means}. ${percent(way.followed)} % to objects that were ` +
      `followed from their allocation on${way.unplaced ? `; ${plural(way.unplaced, 'more sample')} when objects were just being moved` : ''}` +
      `${known ? `; ${percent(way.remote / known)} % to another node's memory` : ''}.`),
    findingsTable([share, samples, ['allocated', 'figure', (object) => bytes(object.bytes)], name,
      ['allocated at', 'text', (object) => place(object, 0)]], way.objects, numberOf, choose),
    leftOut(way.objects.length, way.total, 'context'),
    ...(way.others.length ? [make('h2', {}, 'Objects that were not followed, by class'),
      make('p', {class: 'note'}, 'Too small, not sampled, or there before.'),
      findingsTable([share, samples, name], way.others, numberOf, choose)] : [])];
}

function localityDetail(object, way, open) {
  const followed = object.objects !== null, known = object.local + object.remote;
  const facts = [`${plural(object.samples, 'sample')}: ${plural(object.loads, 'load')}, ${plural(object.stores, 'store')}`,
    followed ? `${plural(object.objects, 'object')}, ${bytes(object.bytes)} allocated` : 'not followed from their allocation on',
    object.latency === null ? null : `${count(object.latency)} cycles on average`,
    known ? `${percent(object.remote / known)} % to another node's memory` : null];
  return [make('h2', {}, make('bdi', {}, object.class ?? 'not known'), make('small', {}, ` ${shareText(object, way)}${ofJvm(object)}`)),
    make('p', {class: 'judgement'}, facts.filter(Boolean).join('; ')),
    ...(followed ? [make('h3', {}, 'Allocated at'), frameList(stackOf(object.node), SHOWN_FRAMES, open)] : []),
    make('h3', {}, 'Accessed at'),
    ...object.accesses.flatMap((access) => [make('p', {class: 'use'}, make('b', {}, percent(access.share) + ' %'),
      ` of these accesses, in ${plural(access.samples, 'sample')}`), frameList(stackOf(access.node), SHOWN_FRAMES, open)]),
    leftOut(object.accesses.length, object.total, 'place')];
}

// ---- pages ------------------------------------------------------------------------------------

// Of each page its items, numbered through, with the group each is in.
function flatten(groups, listsOf) {
  return groups.flatMap((group) => listsOf(group).flatMap((list) => list.map((item) => ({item, group}))));
}

const PAGES = {
  waste: {title: 'Wasted accesses', groups: data.waste, section: wasteSection, detail: wasteDetail,
    // of a kind with too few pairs none is listed
    items: flatten(data.waste.filter((w) => w.count >= data.min_pairs), (w) => [w.pairs]), nodeOf: (pair) => pair.nodes[0]},
  locality: {title: 'Locality', groups: data.locality, section: localitySection, detail: localityDetail,
    items: flatten(data.locality, (l) => [l.objects, l.others]),
    nodeOf: (object) => object.node >= 0 ? object.node : object.accesses[0]?.node ?? -1},
};
const pageNames = Object.keys(PAGES).filter((name) => PAGES[name].groups.length > 0);

// The frame whose source is shown for an item: the innermost of the reader's own.
function itemFrame(page, item) {
  const found = PAGES[page].items[item];
  const stack = found ? stackOf(PAGES[page].nodeOf(found.item)).filter((frame) => !isFolded(frame)) : [];
  return stack.find((frame) => !inJdk(strings[frames.class[frame]])) ?? stack[0] ?? -1;
}

function showFindingsList(pane, page, choose) {
  const numbers = new Map(PAGES[page].items.map(({item}, i) => [item, i]));
  pane.replaceChildren(...PAGES[page].groups.flatMap((group) =>
    PAGES[page].section(group, (item) => numbers.get(item), choose)).filter(Boolean));
}

function showFinding(pane, page, item, open) {
  const found = PAGES[page].items[item];
  pane.replaceChildren(...(found ? PAGES[page].detail(found.item, found.group, open).filter(Boolean) :
    [make('p', {class: 'note'}, 'Nothing was found.')]));
}
