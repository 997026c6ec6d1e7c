// SPDX-License-Identifier: Apache-2.0
// graph.js - flame graphs as numbers: boxes with a parent, a value, and a share of replicas. Box 0 is
// all; a parent's number is lower than its children's. Drawing is flame.js's.

const METRICS = {
  bytes: {title: 'bytes', of: (row) => contexts.bytes[row], text: bytes},
  objects: {title: 'objects', of: (row) => contexts.objects[row], text: (v) => plural(v, 'object')},
  saved: {title: 'saved bytes', of: (row) => contexts.saved[row], text: bytes},
  accesses: {title: 'accesses seen', of: (row) => contexts.uses[row], text: (v) => `${count(v)} access${v === 1 ? '' : 'es'}`},
};
const BOX_ALL = 0, BOX_FRAME = 1, BOX_ROW = 2, BOX_CLASS = 3;

class Graph {
  // A million boxes are not unusual: columns of numbers, and a hash table of our own to find children
  // where the tree of stacks does not tell them.
  constructor(metric, inverted) {
    this.metric = metric;
    this.length = 1;
    this.hashed = inverted;
    this.nodeBox = new Int32Array(inverted ? 0 : nodes.frame.length);
    this.allocate(1 << 12);
    this.parent[0] = -1;
  }

  allocate(capacity) {
    const grown = (Type, old) => {
      const column = new Type(capacity);
      if (old) column.set(old);
      return column;
    };
    this.parent = grown(Int32Array, this.parent);
    this.kind = grown(Uint8Array, this.kind);
    this.id = grown(Int32Array, this.id); // of the frame, row or class
    this.value = grown(Float64Array, this.value);
    this.equal = grown(Float64Array, this.equal); // theta is equal / compared
    this.compared = grown(Float64Array, this.compared);
    if (!this.hashed) return;
    this.table = new Int32Array(2 * capacity); // boxes; 0 is free
    for (let box = 1; box < this.length; box++)
      this.table[this.slot(this.parent[box], this.kind[box], this.id[box])] = box;
  }

  // Where a child is in the table, or the free slot where it belongs.
  slot(parent, kind, id) {
    const mask = this.table.length - 1;
    let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(4 * id + kind, 0x85ebca6b);
    hash ^= hash >>> 15;
    for (;; hash++) {
      const box = this.table[hash & mask];
      if (box === 0 || (this.parent[box] === parent && this.id[box] === id && this.kind[box] === kind))
        return hash & mask;
    }
  }

  append(parent, kind, id) {
    if (this.length === this.parent.length) this.allocate(2 * this.length);
    const box = this.length++;
    this.parent[box] = parent;
    this.kind[box] = kind;
    this.id[box] = id;
    return box;
  }

  // The child of a box, made where there is none.
  child(parent, kind, id) {
    const found = this.table[this.slot(parent, kind, id)];
    if (found !== 0) return found;
    const box = this.append(parent, kind, id);
    this.table[this.slot(parent, kind, id)] = box;
    return box;
  }

  add(box, value, equal, compared) {
    this.value[box] += value;
    this.equal[box] += equal;
    this.compared[box] += compared;
  }

  // The box of a stack, outermost frame first.
  path(node) {
    const chain = [];
    while (node >= 0 && this.nodeBox[node] === 0) { chain.push(node); node = nodes.parent[node]; }
    let box = node >= 0 ? this.nodeBox[node] : 0;
    while (chain.length > 0) {
      const next = chain.pop();
      box = this.append(box, BOX_FRAME, nodes.frame[next]);
      this.nodeBox[next] = box;
    }
    return box;
  }

  invertedPath(box, node) {
    for (; node >= 0; node = nodes.parent[node]) box = this.child(box, BOX_FRAME, nodes.frame[node]);
    return box;
  }

  // Adds children to their parents, and finds the children of each box.
  finish() {
    const n = this.length;
    const start = new Int32Array(n + 2);
    for (let box = n - 1; box > 0; box--) {
      const parent = this.parent[box];
      this.add(parent, this.value[box], this.equal[box], this.compared[box]);
      start[parent + 2]++;
    }
    for (let box = 2; box < n + 2; box++) start[box] += start[box - 1];
    this.kids = new Int32Array(Math.max(0, n - 1));
    for (let box = 1; box < n; box++) this.kids[start[this.parent[box] + 1]++] = box;
    this.start = start;
    this.sorted = new Map();
    this.table = this.nodeBox = null;
    return this;
  }

  // Widest first.
  children(box) {
    let kids = this.sorted.get(box);
    if (!kids) {
      kids = this.kids.slice(this.start[box], this.start[box + 1]).sort((x, y) => this.value[y] - this.value[x] || x - y);
      this.sorted.set(box, kids);
    }
    return kids;
  }

  theta(box) { return this.compared[box] > 0 ? this.equal[box] / this.compared[box] : null; }

  label(box) {
    const id = this.id[box];
    switch (this.kind[box]) {
    case BOX_FRAME: return frameSite(id);
    case BOX_ROW: return classOf(id);
    case BOX_CLASS: return strings[id];
    default: return 'all';
    }
  }

  longLabel(box) { return this.kind[box] === BOX_FRAME ? frameText(this.id[box]) : this.label(box); }

  matches(box, search) {
    switch (this.kind[box]) {
    case BOX_FRAME: return search.frame(this.id[box]);
    case BOX_ROW: return search.class(contexts.class[this.id[box]]);
    case BOX_CLASS: return search.class(this.id[box]);
    default: return false;
    }
  }

  // The share of the whole that lies in or below boxes that match.
  matched(search) {
    const inside = new Uint8Array(this.length);
    let sum = 0;
    for (let box = 1; box < inside.length; box++) {
      if (inside[this.parent[box]]) inside[box] = 1;
      else if (this.matches(box, search)) { inside[box] = 1; sum += this.value[box]; }
    }
    return this.value[0] > 0 ? sum / this.value[0] : 0;
  }
}

// Calls add(row, node, share) for each stack of each row. Contexts that read the same are one stack.
function eachStack(add) {
  const parts = contexts.parts, split = new Map();
  for (let i = 0; i < parts.length; i += 4) {
    const row = parts[i], node = parts[i + 1], whole = contexts.bytes[row];
    if (!split.has(row)) split.set(row, new Map());
    const shares = split.get(row);
    shares.set(node, (shares.get(node) || 0) + (whole > 0 ? parts[i + 3] / whole : 0));
  }
  for (const [row, shares] of split) for (const [node, share] of shares) add(row, node, share);
  for (let row = 0; row < rowCount; row++) if (!split.has(row)) add(row, contexts.node[row], 1);
}

// All allocations, to the class of the objects; inverted, from the class to the outermost frame.
// A box's theta is that of its contexts, weighted as the boxes are.
function allocationGraph(metric, inverted) {
  const graph = new Graph(metric, inverted);
  eachStack((row, node, share) => {
    const value = (METRICS[metric].of(row) ?? 0) * share;
    if (value <= 0) return;
    const box = inverted ? graph.invertedPath(graph.child(0, BOX_CLASS, contexts.class[row]), node) :
      graph.append(graph.path(node), BOX_ROW, row);
    const theta = enough(row) ? figure('theta', row) : null;
    graph.add(box, value, theta === null ? 0 : theta * value, theta === null ? 0 : value);
  });
  return graph.finish();
}

// Where the objects of a row were used. Here theta counts pairs.
function accessGraph(row, inverted) {
  const graph = new Graph('accesses', inverted);
  for (const access of detailsOf(row).accesses) {
    if (access.uses === 0 || access.node < 0) continue;
    const box = inverted ? graph.invertedPath(0, access.node) : graph.path(access.node);
    graph.add(box, access.uses, access.equal, access.pairs);
  }
  return graph.finish();
}
