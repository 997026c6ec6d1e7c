// SPDX-License-Identifier: Apache-2.0
// curves.js - curves of a row: values over time or age, with the interval of each as a band. Colours are the style sheet's, so
// that they follow the theme and paper.

const CURVE = {width: 400, height: 132, left: 44, right: 12, top: 8, bottom: 20};

// An element of a drawing.
function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// 1, 2 or 5 times a power of ten: the least that makes at most `most` steps up to a value.
function niceStep(value, most) {
  const power = 10 ** Math.floor(Math.log10(value / most));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => value / step <= most);
}

// Times of the scale between two: powers of ten, or even steps.
function timesBetween(from, to, logarithmic) {
  if (!logarithmic || to / from < 4) {
    const unit = to > 7200 ? 3600 : to > 120 ? 60 : 1;
    const step = niceStep((to - from) / unit, 4) * unit, first = Math.ceil(from / step - 1e-9);
    return Array.from({length: Math.floor(to / step + 1e-9) - first + 1}, (_, k) => (first + k) * step);
  }
  const times = [], few = to / from < 200;
  for (let k = Math.floor(Math.log10(from)); k <= Math.log10(to) + 1e-9; k++)
    times.push(...(few ? [1, 2, 5] : [1]).map((step) => step * 10 ** k).filter((time) => time >= from * 0.999 && time <= to * 1.001));
  const each = Math.ceil(times.length / 6);
  return times.filter((_, k) => k % each === 0);
}

// Seconds of a scale: "10 µs", "0.5 s", "2 min".
function timeText(value) {
  const short = (x) => String(Number(x.toPrecision(3)));
  if (value === 0) return '0';
  if (value < 1e-3) return short(value * 1e6) + ' µs';
  if (value < 1) return short(value * 1e3) + ' ms';
  return value < 120 && value !== 60 ? short(value) + ' s' : value < 7200 ? short(value / 60) + ' min' : short(value / 3600) + ' h';
}

// Where the points of a curve are, in a drawing of the size of CURVE.
class CurveScale {
  constructor(points, unit, logarithmic) {
    this.logarithmic = logarithmic;
    this.from = logarithmic ? points[0][0] : 0;
    this.to = points[points.length - 1][0];
    const ends = points.flatMap(([, value, , high]) => [value, high]).filter((value) => value !== null);
    const step = unit === 'share' ? 0.5 : niceStep(Math.max(1, ...ends), 3);
    this.most = unit === 'share' ? 1 : step * Math.ceil(Math.max(1, ...ends) / step);
    this.values = Array.from({length: Math.round(this.most / step) + 1}, (_, k) => k * step);
    this.times = timesBetween(this.from, this.to, logarithmic);
  }
  x(time) {
    const part = this.logarithmic ? Math.log(time / this.from) / Math.log(this.to / this.from) : (time - this.from) / (this.to - this.from);
    return CURVE.left + part * (CURVE.width - CURVE.left - CURVE.right);
  }
  y(value) { return CURVE.height - CURVE.bottom - value / this.most * (CURVE.height - CURVE.top - CURVE.bottom); }
  at(time, value) { return `${this.x(time).toFixed(1)},${this.y(value).toFixed(1)}`; }
}

function curveAxes(scale, show) {
  const right = CURVE.width - CURVE.right, below = CURVE.height - CURVE.bottom;
  return [...scale.values.flatMap((value) => [
    svg('line', {class: 'grid', x1: CURVE.left, x2: right, y1: scale.y(value), y2: scale.y(value)}),
    svg('text', {x: CURVE.left - 5, y: scale.y(value) + 4, 'text-anchor': 'end'}, show(value))]),
  ...scale.times.flatMap((time) => [
    svg('line', {class: 'grid', x1: scale.x(time), x2: scale.x(time), y1: below, y2: below + 3}),
    svg('text', {x: scale.x(time), y: CURVE.height - 5, 'text-anchor': scale.x(time) > right - 20 ? 'end' : 'middle'}, timeText(time))])];
}

// The band of the intervals, and the line of the values, which has gaps where none is known.
function curveLine(scale, points) {
  const known = points.filter(([, , low, high]) => low !== null && high !== null);
  const band = [...known.map(([x, , , high]) => scale.at(x, high)), ...known.map(([x, , low]) => scale.at(x, low)).reverse()];
  let pen = 'M';
  const line = points.map(([x, value]) => {
    const piece = value === null ? '' : pen + scale.at(x, value);
    pen = value === null ? 'M' : 'L';
    return piece;
  });
  return [svg('polygon', {class: 'band', points: band.join(' ')}), svg('path', {class: 'values', d: line.join('')})];
}

// What a curve says at one of its points.
function pointText([x, value, low, high], unit, across) {
  const share = unit === 'share';
  const ends = low === null || high === null ? '' : share ? ` ${interval(low, high)}` : ` [${count(low)}${DASH}${count(high)}]`;
  return `${across} ${timeText(x)}: ${value === null ? 'not known' : share ? percent(value) + ' %' : count(value)}${ends}`;
}

// A drawing with its title; the point under the pointer is told. `kind` is [title, unit, what x is, logarithmic].
function curveFigure([title, unit, across, logarithmic], points) {
  const scale = new CurveScale(points, unit, logarithmic), show = unit === 'share' ? (v) => `${Math.round(v * 100)} %` : (v) => count(v);
  const told = make('small', {}), mark = svg('line', {class: 'here', y1: CURVE.top, y2: CURVE.height - CURVE.bottom, visibility: 'hidden'});
  const picture = svg('svg', {viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, role: 'img',
    'aria-label': `${title}, by ${across}: ` + [points[0], points[points.length >> 1], points[points.length - 1]]
      .map((point) => pointText(point, unit, 'at')).join('; ')}, ...curveAxes(scale, show), ...curveLine(scale, points), mark);
  const say = (point) => {
    told.textContent = point ? pointText(point, unit, across) : `by ${across}`;
    mark.setAttribute('visibility', point ? 'visible' : 'hidden');
    if (point) for (const end of ['x1', 'x2']) mark.setAttribute(end, scale.x(point[0]));
  };
  picture.addEventListener('pointermove', (event) => {
    const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * CURVE.width;
    say(points.reduce((best, point) => Math.abs(scale.x(point[0]) - x) < Math.abs(scale.x(best[0]) - x) ? point : best));
  });
  picture.addEventListener('pointerleave', () => say(null));
  say(null);
  return make('figure', {class: 'curve'}, make('figcaption', {}, make('b', {}, capital(title)), ' ', told), picture);
}
