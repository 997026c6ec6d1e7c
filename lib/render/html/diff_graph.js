// SPDX-License-Identifier: Apache-2.0
// diff_graph.js - the differential flame graph: a box is as wide as the larger of both recordings, red as it grows and blue
// as it shrinks. Only changes beyond noise count.

const METRICS = Object.fromEntries(MEASURES.filter((measure) => measure.unit !== 'share').map((measure) => [measure.name, measure]));
const COVERAGE = 0.5;

class DiffGraph extends Graph {
  constructor(metric, inverted) {
    super(inverted, ['from', 'to', 'change', 'told']);
    this.metric = metric;
    for (let row = 0; row < rowCount; row++) {
      const change = contexts[metric][row], from = change[FROM] ?? 0, to = change[TO] ?? 0, value = Math.max(from, to);
      if (value <= 0) continue;
      const node = contexts.node[row];
      const box = inverted ? this.invertedPath(this.child(0, BOX_CLASS, contexts.class[row]), node) :
        this.append(this.path(node), BOX_ROW, row);
      this.add(box, value, from, to, isCertain(change) ? to - from : 0, contexts.state[row] === 'few' ? 0 : value);
    }
    this.finish();
  }

  // {fill, ink, hatched}
  paint(box) {
    const value = this.value[box], part = value > 0 ? this.change[box] / value : 0, hatched = this.told[box] < COVERAGE * value;
    const color = Math.abs(part) < 0.005 ? blend(['same', 'same'], 0) :
      part > 0 ? blend(['grown-low', 'grown-high'], part) : blend(['shrunk-low', 'shrunk-high'], -part);
    return {...color, hatched};
  }

  lines(box) {
    const unit = METRICS[this.metric].unit, sure = this.change[box];
    const told = [`${METRICS[this.metric].heading}: ${valueText(unit, this.from[box])} → ${valueText(unit, this.to[box])}`];
    told.push(Math.abs(sure) > 0 ? `${sure > 0 ? '+' : '−'}${valueText(unit, Math.abs(sure))} beyond noise` : 'no change beyond noise');
    if (this.told[box] < COVERAGE * this.value[box]) told.push('for most of it too few samples to tell');
    return told;
  }
}
