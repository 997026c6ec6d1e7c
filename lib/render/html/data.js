// SPDX-License-Identifier: Apache-2.0
// data.js - the figures of a report or a comparison, as docs/html.md describes them: rows with their stacks. Nothing here
// touches the page.

const data = JSON.parse(document.getElementById('data').textContent);
const contexts = data.contexts;
const rowCount = data.shown;
const strings = data.strings;
const frames = data.frames;
const nodes = Object.fromEntries(Object.entries(data.nodes).map(([name, column]) => [name, Int32Array.from(column)]));

// A value of a column of `contexts`; null if it was not measured, or there is no such column.
function figure(name, row) {
  const column = contexts[name];
  return column ? column[row] : null;
}

function classOf(row) { return strings[contexts.class[row]]; }
function siteOf(row) { return strings[contexts.site[row]]; }
function lineOf(row) { return strings[contexts.line[row]]; }

// The place that a row is named by: its line of code or, in other groupings, its site.
const byLine = data.grouping === 'line';
const rowNoun = {line: 'line', context: 'context', site: 'site', class: 'class'}[data.grouping];
function placeName(row) { return byLine ? lineOf(row) : siteOf(row); }

// The name without its package, unless a reader would take it for a class of the JDK.
const likeJdk = new Set(data.like_jdk.map((id) => strings[id]));
function simpleName(name) { return likeJdk.has(name) ? name : name.slice(name.lastIndexOf('.') + 1); }

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

// The index in a stack of its line, the frame that a reader can change; -1: there is none.
function lineAt(node) { return node < 0 ? -1 : nodes.line[node]; }

// The frame of a stack that is its line; the innermost one if there is none, and -1 for an unknown stack.
function lineFrame(node) { return stackOf(node)[Math.max(0, lineAt(node))] ?? -1; }

// The frame that a row is about: that of its line.
function ownFrame(row) { return lineFrame(contexts.node[row]); }
