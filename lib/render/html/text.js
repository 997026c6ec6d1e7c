// SPDX-License-Identifier: Apache-2.0
// text.js - numbers as people read them, and elements made without HTML: every text of a recording
// goes through textContent, so that none of it can become markup.

const DASH = '–';

// A count, rounded; thousands are k, M, G, T.
function count(value, units = ['', ' k', ' M', ' G', ' T'], step = 1000) {
  if (value === null || value === undefined) return DASH;
  let k = 0;
  while (k < units.length - 1 && Math.abs(value) >= step * 0.9995) { value /= step; k++; }
  return (k === 0 ? String(Math.round(value)) : value.toFixed(1)) + units[k];
}

// Powers of 1024, as everywhere in a JVM.
function bytes(value) { return count(value, [' B', ' kB', ' MB', ' GB', ' TB'], 1024); }

// A share of 0 to 1 in percent. Only 0 shows as 0.0 and only 1 as 100.0.
function percent(share) {
  if (share === null || share === undefined) return DASH;
  const value = share * 100;
  if (value > 99.95 && share < 1) return '99.9';
  if (value < 0.05 && share > 0) return '0.1';
  return value.toFixed(1);
}

// "[96–100]", rounded outwards.
function interval(low, high) {
  if (low === null || high === null) return '';
  return `[${Math.floor(low * 100)}${DASH}${Math.ceil(high * 100)}]`;
}

function seconds(value) {
  if (value === null) return DASH;
  if (value < 1) return Math.round(value * 1000) + ' ms';
  if (value < 59.95) return value.toFixed(1) + ' s';
  const minutes = Math.floor(Math.round(value) / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(value) % 60} s` :
    `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function plural(n, noun) { return `${count(n)} ${noun}${n === 1 ? '' : 's'}`; }

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

// The text with each occurrence of the words in a <mark>.
function marked(text, search) {
  const parent = document.createDocumentFragment();
  const lower = text.toLowerCase();
  // Where lower case has another length, positions would not agree.
  const words = search && lower.length === text.length ? search.words : [];
  let at = 0;
  for (;;) {
    let begin = -1, length = 0;
    for (const word of words) {
      const found = lower.indexOf(word, at);
      if (found >= 0 && (begin < 0 || found < begin || (found === begin && word.length > length))) {
        begin = found;
        length = word.length;
      }
    }
    if (begin < 0) break;
    parent.append(text.slice(at, begin), make('mark', {}, text.slice(begin, begin + length)));
    at = begin + length;
  }
  parent.append(text.slice(at));
  return parent;
}

// ---- colours ----------------------------------------------------------------------------------

// The colour of a share of replicas: from pale to strong, grey where it was not measured. The
// ends are the style sheet's, and differ between light and dark.
const palette = {};

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['theta-low', 'theta-mid', 'theta-high', 'theta-none', 'ink', 'ink-inverse', 'match',
    'line', 'background', 'accent', 'faint'])
    palette[name] = style.getPropertyValue('--' + name).trim();
  palette.ends = ['theta-low', 'theta-mid', 'theta-high'].map((name) => parseColor(palette[name]));
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

// {fill, ink}
function thetaColor(theta) {
  const key = theta === null ? -1 : Math.round(theta * 50);
  let found = palette.cache.get(key);
  if (!found) {
    const at = Math.max(0, key) / 50 * 2, k = Math.min(1, Math.floor(at));
    const color = key < 0 ? parseColor(palette['theta-none']) :
      palette.ends[k].map((v, i) => Math.round(v + (palette.ends[k + 1][i] - v) * (at - k)));
    found = {fill: `rgb(${color})`, ink: luminance(color) > 0.2 ? '#16181d' : '#f4f5f7'};
    palette.cache.set(key, found);
  }
  return found;
}
