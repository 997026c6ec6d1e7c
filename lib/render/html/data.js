// SPDX-License-Identifier: Apache-2.0
// data.js - the report's figures, as docs/html.md describes them, and how to ask for them.
// Nothing here touches the page.

const data = JSON.parse(document.getElementById('data').textContent);
const contexts = data.contexts;
const rowCount = data.shown;
const strings = data.strings;
const frames = data.frames;
const nodes = {parent: Int32Array.from(data.nodes.parent), frame: Int32Array.from(data.nodes.frame)};
const VERDICTS = ['unknown', 'replica', 'few-values', 'partial', 'distinct', 'alike-at-end'];
const REPLICA_WATCH = 1, REPLICA_SCAN = 2;
const ROW_CUT = 1, ROW_DEEP = 2, ROW_SAVED_DEEP = 4;
const severalJvms = data.recording.jvms.length > 1;

// A column of `contexts` that may lack, in a page of an older ojx's data, reads as not measured.
function figure(name, row) {
  const column = contexts[name];
  return column ? column[row] : null;
}

function classOf(row) { return strings[contexts.class[row]]; }
function siteOf(row) { return strings[contexts.site[row]]; }

// The name without its package.
function simpleName(name) { return name.slice(name.lastIndexOf('.') + 1); }

function inJdk(name) { return /^(java|javax|jdk|sun|com\.sun)\./.test(name); }

// ---- frames -------------------------------------------------------------------------------

function isFolded(frame) { return frames.class[frame] < 0; }

// "Foo.bar:12", as in the table.
function frameSite(frame) {
  if (isFolded(frame)) return `(the ${frames.line[frame]} frames inside repeat)`;
  const line = frames.line[frame] > 0 ? ':' + frames.line[frame] : '';
  return simpleName(strings[frames.class[frame]]) + '.' + strings[frames.method[frame]] + line;
}

// "com.acme.Foo.bar (Foo.java:12)"
function frameText(frame) {
  if (isFolded(frame)) return frameSite(frame);
  const file = frames.file[frame] < 0 ? 'unknown source' :
    strings[frames.file[frame]] + (frames.line[frame] > 0 ? ':' + frames.line[frame] : '');
  return `${strings[frames.class[frame]]}.${strings[frames.method[frame]]} (${file})`;
}

// The frames of a stack, innermost first.
function stackOf(node) {
  const stack = [];
  for (; node >= 0; node = nodes.parent[node]) stack.push(nodes.frame[node]);
  return stack;
}

// ---- details of one row ---------------------------------------------------------------------

const chunkElements = document.querySelectorAll('script.chunk');
const chunks = [];


function unflatten(flat, names) {
  const rows = [];
  for (let i = 0; i < flat.length; i += names.length) {
    const row = {};
    names.forEach((name, k) => { row[name] = flat[i + k]; });
    rows.push(row);
  }
  return rows;
}

// {fields, accesses, fieldCount, accessCount, text}; the counts include what was left out, and the text is
// null where it was.
function detailsOf(row) {
  const index = Math.floor(row / data.chunk);
  chunks[index] ||= JSON.parse(chunkElements[index].textContent);
  const [fields, accesses, fieldCount, accessCount, text] = chunks[index][row % data.chunk];
  return {
    fields: unflatten(fields, ['position', 'name', 'declarer', 'type', 'offset', 'pairs', 'equal']),
    accesses: unflatten(accesses, ['node', 'uses', 'pairs', 'equal']),
    fieldCount, accessCount, text,
  };
}

// ---- search ---------------------------------------------------------------------------------

// What matches a search, of which all words must occur: functions of a row, frame, class or text; null
// where nothing is searched for. A row matches by its class or any frame of its stack.
function searchFor(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const frameMasks = new Uint32Array(frames.class.length);
  const nodeMasks = new Uint32Array(nodes.frame.length);
  const all = 2 ** Math.min(words.length, 31) - 1;
  const maskOf = (string) => {
    const lower = string.toLowerCase();
    let mask = 0;
    words.forEach((word, k) => { if (k < 31 && lower.includes(word)) mask |= 1 << k; });
    return mask >>> 0;
  };
  for (let i = 0; i < frameMasks.length; i++) frameMasks[i] = isFolded(i) ? 0 : maskOf(frameText(i));
  for (let i = 0; i < nodeMasks.length; i++) {
    const parent = nodes.parent[i];
    nodeMasks[i] = frameMasks[nodes.frame[i]] | (parent >= 0 ? nodeMasks[parent] : 0);
  }
  const classMasks = new Map();
  const classMask = (name) => {
    if (!classMasks.has(name)) classMasks.set(name, maskOf(strings[name]));
    return classMasks.get(name);
  };
  const row = (i) => {
    const node = contexts.node[i];
    return ((classMask(contexts.class[i]) | (node >= 0 ? nodeMasks[node] : 0)) >>> 0) === all;
  };
  return {words, row, frame: (i) => frameMasks[i] === all, class: (i) => classMask(i) === all,
    text: (s) => maskOf(s) === all};
}
