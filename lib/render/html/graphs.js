// SPDX-License-Identifier: Apache-2.0
// graphs.js - the flame graphs of a report: what is allocated, and where objects are used. Says what gives the width and
// the colour of a box, and what the tooltip of a box tells.

const METRICS = {
  ...(contexts.avoidable ? {avoidable: {title: 'avoidable bytes', of: (row) => contexts.avoidable[row], short: bytes,
    text: (v) => `${bytes(v)} avoidable`}} : {}),
  likely: {title: 'saved bytes', of: (row) => contexts.likely[row], short: bytes, text: (v) => `${bytes(v)} likely saved`},
  saved: {title: 'saved, at least', of: (row) => contexts.saved[row], short: bytes, text: (v) => `${bytes(v)} saved at least`},
  bytes: {title: 'bytes', of: (row) => contexts.bytes[row], short: bytes, text: (v) => `${bytes(v)} allocated`},
  objects: {title: 'objects', of: (row) => contexts.objects[row], short: count, text: (v) => plural(v, 'object')},
  accesses: {title: 'accesses', of: (row) => contexts.uses[row], short: count, text: (v) => `${count(v)} access${v === 1 ? '' : 'es'}`},
};

// Calls add(row, node, share, avoidable) for each stack of each row: its share of the row's bytes, and what findings avoid of
// them. Contexts that read the same are one stack.
function eachStack(add) {
  const parts = contexts.parts, split = new Map();
  for (let i = 0; i < parts.length; i += 5) {
    const row = parts[i], node = parts[i + 1], whole = contexts.bytes[row];
    if (!split.has(row)) split.set(row, new Map());
    const stacks = split.get(row), [share, avoidable] = stacks.get(node) ?? [0, 0];
    stacks.set(node, [share + (whole > 0 ? parts[i + 3] / whole : 0), avoidable + parts[i + 4]]);
  }
  for (const [row, stacks] of split) for (const [node, [share, avoidable]] of stacks) add(row, node, share, avoidable);
  for (let row = 0; row < rowCount; row++) if (!split.has(row)) add(row, contexts.node[row], 1, figure('avoidable', row) ?? 0);
}

// The least part of a box's bytes that must be known for a statement about the box.
const COVERAGE = 0.5;

// From the outermost frame to the class of the objects, or, inverted, from the class on. The colour is what merging
// saves for sure of the bytes in or below a box; where the width is what findings avoid, it is the share of that.
class AllocationGraph extends Graph {
  constructor(metric, inverted) {
    // bytes in all; bytes saved, and avoided by findings; bytes looked at; bytes compared in pairs; of these, bytes with an equal value
    super(inverted, ['bytes', 'saved', 'avoided', 'known', 'compared', 'equal']);
    this.metric = metric;
    eachStack((row, node, share, avoided) => {
      const value = metric === 'avoidable' ? avoided : (METRICS[metric].of(row) ?? 0) * share;
      if (value <= 0) return;
      const box = inverted ? this.invertedPath(this.child(0, BOX_CLASS, contexts.class[row]), node) :
        this.append(this.path(node), BOX_ROW, row);
      const all = figure('bytes', row) * share, theta = enough(row) ? figure('theta', row) : null;
      this.add(box, value, all, (figure('saved', row) ?? 0) * share, avoided, lookedAt(row) ? all : 0,
        theta === null ? 0 : all, theta === null ? 0 : theta * all);
    });
    this.finish();
  }

  // {fill, ink, hatched}
  paint(box) {
    const all = this.bytes[box], avoids = this.metric === 'avoidable';
    const part = avoids ? this.avoided[box] : this.saved[box];
    return {...shareColor(all > 0 ? part / all : 0), hatched: !avoids && this.known[box] < COVERAGE * all};
  }

  lines(box) {
    const all = this.bytes[box], compared = this.compared[box], metric = METRICS[this.metric];
    const share = this.value[0] > 0 ? percent(this.value[box] / this.value[0]) : DASH;
    const told = [`${metric.text(this.value[box])}, ${share} % of the graph`];
    if (this.metric === 'avoidable') {
      told.push(`of ${bytes(all)} made in these lines: ${percent(all > 0 ? this.avoided[box] / all : null)} %`);
      return told;
    }
    told.push(`of ${bytes(all)}, each ${rowNoun} by itself at least ${bytes(this.saved[box])}: ${percent(all > 0 ? this.saved[box] / all : null)} %`);
    if (this.known[box] < COVERAGE * all) told.push(`only ${percent(this.known[box] / all)} % of these bytes were looked at`);
    if (compared >= COVERAGE * all) told.push(`θ ${percent(this.equal[box] / compared)} %`);
    return told;
  }
}

// Where the objects of a row were used. The colour is the share of pairs with an equal value.
class AccessGraph extends Graph {
  constructor(row, inverted) {
    super(inverted, ['equal', 'compared']);
    this.metric = 'accesses';
    for (const access of detailsOf(row).accesses) {
      if (access.uses === 0 || access.node < 0) continue;
      const box = inverted ? this.invertedPath(0, access.node) : this.path(access.node);
      this.add(box, access.uses, access.equal, access.pairs);
    }
    this.finish();
  }

  paint(box) {
    return {...shareColor(this.compared[box] > 0 ? this.equal[box] / this.compared[box] : 0), hatched: !(this.compared[box] > 0)};
  }

  lines(box) {
    const share = this.value[0] > 0 ? percent(this.value[box] / this.value[0]) : DASH, pairs = this.compared[box];
    return [`${METRICS.accesses.text(this.value[box])}, ${share} %`, pairs > 0 ?
      `value equal in ${count(this.equal[box])} of ${plural(pairs, 'pair')}` : 'no pair was compared'];
  }
}
