// SPDX-License-Identifier: Apache-2.0
// flame.js - draws a Graph: the outermost frame on top, a box as wide as its share. Only boxes that can be seen are laid
// out, narrower ones of one parent together, and only those in sight are drawn.

const BOX_HEIGHT = 19;
const NARROWEST = 3; // pixels of a box of its own
const BOTH_ENDS = 8; // characters; of less, only the beginning is shown
const OUTLINED = 8; // pixels; an outline would cover a narrower box
const MERGED = -1; // stands for several boxes, each narrower than NARROWEST

class Flame {
  // The callbacks: choose(box) after a click, and zoom(box), to both of which the back button returns; and move(box), which
  // it skips.
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.scroller = document.getElementById('graph-scroller');
    this.room = document.getElementById('graph-height');
    this.canvas = document.getElementById('graph');
    this.where = document.getElementById('where');
    this.tip = document.getElementById('tip');
    this.ink = this.canvas.getContext('2d');
    this.graph = null;
    this.search = null;
    this.path = new Set();
    this.zoomed = this.box = 0;
    this.levels = [];
    this.trunk = []; // boxes that are left out
    this.scroller.addEventListener('scroll', () => this.draw(), {passive: true});
    this.canvas.addEventListener('mousemove', (event) => this.hover(event));
    this.canvas.addEventListener('mouseleave', () => this.leave());
    this.canvas.addEventListener('click', (event) => this.pick(event, (box) => this.callbacks.choose(box)));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.layout()).observe(this.scroller);
  }

  // Shows a graph; `path` is a set of boxes that are outlined.
  show(graph, zoomed, box, search, path) {
    const other = graph !== this.graph || zoomed !== this.zoomed;
    const n = graph.length;
    if (graph !== this.graph) this.trunk = graph.trunk();
    this.graph = graph;
    this.zoomed = zoomed < n && !this.trunk.includes(zoomed) ? zoomed : 0;
    this.box = box < n ? box : 0;
    this.search = search;
    this.path = path;
    this.layout();
    if (other) this.reveal(this.box || this.zoomed);
    this.tell(this.box || this.zoomed);
  }

  // levels[depth] = [{box, x, width}, ...] from left to right; above the zoomed box its ancestors.
  layout() {
    if (!this.graph) return;
    const graph = this.graph, width = this.scroller.clientWidth;
    const ancestors = [];
    for (let box = this.zoomed; box >= 0; box = this.parentOf(box)) ancestors.unshift(box);
    this.levels = ancestors.map((box) => [{box, x: 0, width}]);
    const total = graph.value[this.zoomed];
    let above = this.levels[this.levels.length - 1];
    while (total > 0 && above.length > 0) {
      const level = [];
      for (const item of above) if (item.box !== MERGED) this.layoutChildren(item, width / total, level);
      if (level.length > 0) this.levels.push(level);
      above = level;
    }
    this.room.style.height = this.levels.length * BOX_HEIGHT + 'px';
    this.resize(width, this.scroller.clientHeight);
    this.draw();
  }

  // As the graph has them, but without the trunk.
  parentOf(box) {
    const parent = this.graph.parent[box];
    return this.trunk.includes(parent) ? 0 : parent;
  }

  childrenOf(box) {
    return this.graph.children(box === 0 && this.trunk.length > 0 ? this.trunk[this.trunk.length - 1] : box);
  }

  // Adds the boxes below one to a level, the widest first; the last ones may be too narrow.
  layoutChildren(item, scale, level) {
    const children = this.childrenOf(item.box), value = this.graph.value;
    let x = item.x, k = 0;
    for (; k < children.length && value[children[k]] * scale >= NARROWEST; k++) {
      const width = value[children[k]] * scale;
      level.push({box: children[k], x, width});
      x += width;
    }
    let rest = 0;
    for (let i = k; i < children.length; i++) rest += value[children[i]];
    if (rest * scale >= 1) level.push({box: MERGED, parent: item.box, count: children.length - k, value: rest, x, width: rest * scale});
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = height + 'px';
    this.ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw() {
    if (!this.graph) return;
    const top = this.scroller.scrollTop, ink = this.ink;
    const first = Math.floor(top / BOX_HEIGHT);
    const last = Math.min(this.levels.length, Math.ceil((top + this.scroller.clientHeight) / BOX_HEIGHT));
    ink.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ink.font = '12px system-ui, sans-serif';
    ink.textBaseline = 'middle';
    for (let depth = first; depth < last; depth++)
      for (const item of this.levels[depth]) this.drawBox(item, depth * BOX_HEIGHT - top, depth);
  }

  drawBox(item, y, depth) {
    const {box, x, width} = item, ink = this.ink, graph = this.graph;
    const w = width > 3 ? width - 1 : width, h = BOX_HEIGHT - 1;
    if (box === MERGED) {
      ink.fillStyle = palette.faint;
      ink.fillRect(x, y, w, h);
      return;
    }
    const match = this.search && graph.matches(box, this.search);
    const color = match ? {fill: palette.match, ink: '#16181d'} : graph.paint(box);
    const above = this.zoomed > 0 && depth < this.levels.findIndex((level) => level[0].box === this.zoomed);
    ink.globalAlpha = above ? 0.55 : 1;
    ink.fillStyle = color.fill;
    ink.fillRect(x, y, w, h);
    if (color.hatched) this.hatch(x, y, w, h);
    const outlined = this.path.has(box), here = box === this.box && box > 0;
    if (here || (outlined && width >= OUTLINED)) {
      ink.strokeStyle = here ? palette.ink : palette.accent;
      ink.lineWidth = here ? 2 : 1;
      ink.strokeRect(x + 1, y + 1, Math.max(1, w - 2), h - 2);
    }
    if (width > 26) {
      ink.fillStyle = color.ink;
      ink.fillText(this.fitted(graph.label(box), width - 8), x + 4, y + h / 2 + 0.5);
    }
    ink.globalAlpha = 1;
  }

  // Diagonals through a box, which go on in its neighbours.
  hatch(x, y, width, height) {
    const ink = this.ink, step = 6;
    ink.save();
    ink.beginPath();
    ink.rect(x, y, width, height);
    ink.clip();
    ink.beginPath();
    for (let at = Math.floor((x - height) / step) * step; at < x + width; at += step) {
      ink.moveTo(at, y + height);
      ink.lineTo(at + height, y);
    }
    ink.strokeStyle = palette.hatch;
    ink.globalAlpha *= 0.35;
    ink.lineWidth = 1;
    ink.stroke();
    ink.restore();
  }

  // The text, cut to a width: in its middle, since names that begin alike often end with what tells them apart.
  fitted(text, width) {
    const most = Math.ceil(width * 0.4) + 1; // characters are wider than 2.5 pixels
    if (text.length <= most && this.ink.measureText(text).width <= width) return text;
    const cut = (n) => {
      const end = n < BOTH_ENDS ? 0 : n >> 1;
      return text.slice(0, n - end) + '…' + text.slice(text.length - end);
    };
    let low = 0, high = Math.min(text.length - 1, most);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.ink.measureText(cut(middle)).width <= width) low = middle;
      else high = middle - 1;
    }
    return low > 1 ? cut(low) : '';
  }

  // ---- where --------------------------------------------------------------------------------

  linesOf(box) {
    const out = box === 0 && this.trunk.length > 0 ? [`all below ${this.trunk.map((b) => this.graph.label(b)).join(' → ')}, left out here`] : [];
    return [...this.graph.lines(box), ...out];
  }

  tell(box) {
    this.where.replaceChildren(make('b', {}, this.graph.longLabel(box)), ' ', make('span', {}, this.linesOf(box).join(' · ')));
  }

  position(box) {
    let depth = 0;
    for (let b = this.parentOf(box); b >= 0; b = this.parentOf(b)) depth++;
    return {depth, item: (this.levels[depth] || []).find((item) => item.box === box)};
  }

  // Scrolls a box into sight.
  reveal(box) {
    const y = this.position(box).depth * BOX_HEIGHT, height = this.scroller.clientHeight;
    if (y < this.scroller.scrollTop || y + 2 * BOX_HEIGHT > this.scroller.scrollTop + height)
      this.scroller.scrollTop = Math.max(0, y - height * 0.6);
  }

  // What is below the pointer, or undefined.
  at(event) {
    const rect = this.canvas.getBoundingClientRect();
    const x = event.clientX - rect.left;
    const level = this.levels[Math.floor((event.clientY - rect.top + this.scroller.scrollTop) / BOX_HEIGHT)];
    return (level || []).find((i) => x >= i.x && x < i.x + i.width);
  }

  pick(event, act) {
    const item = this.at(event);
    this.leave();
    if (item && item.box !== MERGED) act(item.box);
  }

  hover(event) {
    const item = this.at(event), graph = this.graph;
    this.canvas.style.cursor = item && item.box !== MERGED ? 'pointer' : '';
    if (!item) { this.leave(); return; }
    const [title, lines] = item.box === MERGED ?
      [item.count === 1 ? 'a narrower box' : `${count(item.count)} narrower boxes`,
        [`${percent(item.value / graph.value[0])} % of the graph; zoom into ${graph.label(item.parent)} to see them`]] :
      [graph.longLabel(item.box), this.linesOf(item.box)];
    this.tip.replaceChildren(make('b', {}, title), ...lines.flatMap((line) => [make('br'), line]));
    this.tip.hidden = false;
    const left = Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 8);
    const below = event.clientY + 18 + this.tip.offsetHeight < innerHeight;
    this.tip.style.left = Math.max(4, left) + 'px';
    this.tip.style.top = (below ? event.clientY + 18 : event.clientY - 12 - this.tip.offsetHeight) + 'px';
  }

  leave() {
    this.tip.hidden = true;
  }

  // ---- keys ---------------------------------------------------------------------------------

  // The box that an arrow key leads to; -1 for none.
  neighbour(key) {
    const box = this.box || this.zoomed;
    const {depth, item} = this.position(box);
    if (key === 'ArrowUp') return this.parentOf(box);
    const level = this.levels[key === 'ArrowDown' ? depth + 1 : depth] || [];
    if (!item) return -1;
    if (key === 'ArrowDown') {
      const below = level.find((i) => i.box !== MERGED && this.parentOf(i.box) === box);
      return below ? below.box : -1;
    }
    const boxes = level.filter((i) => i.box !== MERGED);
    const next = boxes[boxes.indexOf(item) + (key === 'ArrowRight' ? 1 : -1)];
    return next ? next.box : -1;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith('Arrow')) {
      const box = this.neighbour(event.key);
      if (box >= 0) this.callbacks.move(box);
      if (box >= 0) this.reveal(box);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.callbacks.zoom(this.box);
    } else if ((event.key === 'Escape' || event.key === 'Backspace') && this.zoomed > 0) {
      this.callbacks.zoom(event.key === 'Escape' ? 0 : this.parentOf(this.zoomed));
    } else {
      return;
    }
    event.preventDefault();
  }
}
