// SPDX-License-Identifier: Apache-2.0
// graph.js - flame graphs as numbers. A box has a parent, a value that is its width, and sums that give its colour. Box
// 0 is all; a parent's number is lower than its children's. Drawing is flame.js's.

const BOX_ALL = 0, BOX_FRAME = 1, BOX_ROW = 2, BOX_CLASS = 3;

class Graph {
  // A million boxes are not unusual: columns of numbers, and a hash table of our own to find children
  // where the tree of stacks does not tell them.
  // `sums` are the names of further columns of numbers that are added up like the values.
  constructor(inverted, sums) {
    this.sums = sums;
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
    for (const name of this.sums) this[name] = grown(Float32Array, this[name]);
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

  // The child of a box; makes it if there is none.
  child(parent, kind, id) {
    const found = this.table[this.slot(parent, kind, id)];
    if (found !== 0) return found;
    const box = this.append(parent, kind, id);
    this.table[this.slot(parent, kind, id)] = box;
    return box;
  }

  // `more` has a number for each of the sums.
  add(box, value, ...more) {
    this.value[box] += value;
    for (let k = 0; k < more.length; k++) this[this.sums[k]][box] += more[k];
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
    const start = new Int32Array(n + 2), columns = this.sums.map((name) => this[name]);
    for (let box = n - 1; box > 0; box--) {
      const parent = this.parent[box];
      this.value[parent] += this.value[box];
      for (const column of columns) column[parent] += column[box];
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

  // The frames below all which everything else is, but for the last one: they tell nothing apart.
  trunk() {
    const boxes = [];
    for (let box = 0;;) {
      const kids = this.children(box), next = kids[0];
      const goesOn = kids.length === 1 && this.kind[next] === BOX_FRAME && this.value[next] >= this.value[0] * (1 - 1e-9);
      if (!goesOn || this.children(next).every((kid) => this.kind[kid] !== BOX_FRAME)) break;
      boxes.push(next);
      box = next;
    }
    boxes.pop();
    return boxes;
  }

  label(box) {
    const id = this.id[box];
    switch (this.kind[box]) {
    case BOX_FRAME: return frameSite(id);
    case BOX_ROW: return simpleName(classOf(id));
    case BOX_CLASS: return simpleName(strings[id]);
    default: return 'all';
    }
  }

  longLabel(box) {
    const id = this.id[box];
    switch (this.kind[box]) {
    case BOX_FRAME: return frameText(id);
    case BOX_ROW: return classOf(id);
    case BOX_CLASS: return strings[id];
    default: return this.label(box);
    }
  }

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
