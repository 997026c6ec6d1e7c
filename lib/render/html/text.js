// SPDX-License-Identifier: Apache-2.0
// text.js - numbers as people read them, and elements made without HTML: every text of a recording
// goes through textContent, so that none of it can become markup.

const DASH = '–';

// As C's printf does it, which rounds what lies in the middle to the even digit.
function fixed(value, digits) {
  const rest = Math.abs(value) % 1;
  if (digits === 0 && rest === 0.5) return String(2 * Math.round(value / 2));
  if (digits === 1 && rest === 0.25) return (Math.trunc(value * 10) / 10).toFixed(1);
  return value.toFixed(digits);
}

// A number by the rules that the report's texts follow (lib/base/units.h).
function scaled(value, steps) {
  if (value === null || value === undefined) return DASH;
  const [, one, digits, unit, parts, part] = steps.find(([below]) => below === null || Math.abs(value) < below);
  const number = value / one, whole = Math.round(number);
  if (parts) return `${Math.floor(whole / parts)}\u00a0${unit} ${whole % parts}\u00a0${part}`;
  return fixed(number, digits) + (unit ? '\u00a0' + unit : '');
}

function count(value) { return scaled(value, data.units.count); }
function bytes(value) { return scaled(value, data.units.bytes); }
function seconds(value) { return scaled(value, data.units.seconds); }

// A share of 0 to 1 in percent. Only 0 shows as 0.0 and only 1 as 100.0, as units_percent does it.
function percent(share) {
  if (share === null || share === undefined) return DASH;
  const value = share * 100;
  if (value > 0 && value < 0.1) return '<0.1';
  if (value < 100 && value > 99.9) return '>99.9';
  return fixed(value, 1);
}

// A value of a unit. A share has no sign: a column's heading has it.
const UNITS = {bytes, count, share: percent, seconds, 'bytes per minute': (value) => bytes(value) + '/min'};
function inUnit(unit, value) { return value === null ? DASH : (UNITS[unit] ?? count)(value); }

// "[96–100]", rounded outwards.
function interval(low, high) {
  if (low === null || high === null) return '';
  return `[${Math.floor(low * 100)}${DASH}${Math.ceil(high * 100)}]`;
}

// What is shown of the command line of a recording.
function commandOf({command, command_left_out: left}) {
  return (command.join(' ') || 'not recorded') + (left ? ` (${plural(left, 'argument')} left out)` : '');
}

function plural(n, noun) { return `${count(n)} ${noun}${n === 1 ? '' : /s$/.test(noun) ? 'es' : 's'}`; }

// An element with attributes (on... are listeners) and children (strings are text).
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Numbers stay on one line with their units.
function unbroken(text) { return text.replace(/(\d) (?=%|(?:[kMGT]?B|k|M|G|T|s|ms)\b)/g, '$1\u00a0'); }

// A sentence, for make(): an option such as -XX:+UseG1GC is not broken behind its hyphen, nor a name such as Outer$Inner.call
// unless it is long; then before a point or dollar.
function sentence(text) {
  const pieces = (name) => name.split(/(?=[$.]\w)/).flatMap((piece, i) => i > 0 ? [make('wbr'), piece] : [piece]);
  const whole = (word) => [make('span', {class: 'option'}, word)];
  return text.split(/(-XX:\S+|\S*\w[$.]\w\S*)/).flatMap((word, i) => i % 2 === 0 ? [word] : word.length > 40 ? pieces(word) : whole(word));
}

// "Foo.java:12" in two parts: if there is little room, the name is cut and the number stays.
function placeText(place, search = null) {
  const at = place.search(/:\d+(?!.*:\d)/), end = at < 0 ? place.length : at;
  return make('span', {class: 'place'}, make('span', {}, marked(place, search, 0, end)), make('span', {}, marked(place, search, end)));
}

// A qualified name. If there is little room, its package is cut first, then the outer classes: cut at their end, names of one
// package would all read the same.
function nameText(name, search = null) {
  const [, qualifier, outer] = /^((?:[\p{Ll}_][\w$]*\.)*)((?:[\w$]+[$.](?=\w))?)/u.exec(name);
  const ends = [0, qualifier.length, qualifier.length + outer.length, name.length];
  return make('bdi', {class: 'name', title: name}, ...['package', 'outer', 'simple'].map((style, k) =>
    make('span', {class: style}, marked(name, search, ends[k], ends[k + 1]))));
}

// A button that copies a text, and says so for a moment.
function copyButton(text, title = 'copy') {
  const button = make('button', {type: 'button', class: 'copy', title: `copy "${text}"`, onclick: async (event) => {
    event.stopPropagation();
    button.textContent = await copyText(text) ? 'copied' : 'refused';
    setTimeout(() => { button.textContent = title; }, 1200);
  }}, title);
  return button;
}

// Pages opened as files may have no clipboard: then a selection is copied.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make('textarea', {class: 'hidden'});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

// ---- colours ----------------------------------------------------------------------------------

// The colour of a share, from pale to strong. The ends are the style sheet's, and differ between light and dark.
const palette = {};

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['share-low', 'share-mid', 'share-high', 'grown-low', 'grown-high', 'shrunk-low', 'shrunk-high', 'same',
    'hatch', 'ink', 'match', 'background', 'accent', 'faint'])
    palette[name] = style.getPropertyValue('--' + name).trim();
  palette.cache = new Map();
}

function parseColor(hex) { return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)); }

function luminance(color) {
  const [r, g, b] = color.map((v) => {
    const c = v / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// A colour between those of the palette with these names, at 0 to 1: {fill, ink}
function blend(names, at) {
  const step = Math.round(Math.min(1, Math.max(0, at)) * 50), key = names[0] + step;
  let found = palette.cache.get(key);
  if (!found) {
    const ends = names.map((name) => parseColor(palette[name])), last = ends.length - 1;
    const where = step / 50 * last, k = Math.max(0, Math.min(last - 1, Math.floor(where)));
    const color = ends[k].map((v, i) => Math.round(v + ((ends[k + 1] ?? ends[k])[i] - v) * (where - k)));
    found = {fill: `rgb(${color})`, ink: luminance(color) > 0.2 ? '#16181d' : '#f4f5f7'};
    palette.cache.set(key, found);
  }
  return found;
}

function shareColor(share) { return blend(['share-low', 'share-mid', 'share-high'], share); }
