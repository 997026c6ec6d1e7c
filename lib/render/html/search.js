// SPDX-License-Identifier: Apache-2.0
// search.js - what matches a search: words, all of which must occur, or one regular expression. A row matches by its
// class or any frame of its stack.

// {parts} are functions that find a text's next match from a position, [begin, end] or null; or {error}.
function searchParts(text, regular) {
  if (!regular) {
    return {parts: text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 31).map((word) => (string, from) => {
      const lower = string.toLowerCase();
      // if the lengths differ, positions in `lower` are not those in `string`
      if (lower.length !== string.length) return lower.includes(word) ? [0, 0] : null;
      const begin = lower.indexOf(word, from);
      return begin < 0 ? null : [begin, begin + word.length];
    })};
  }
  if (text === '') return {parts: []};
  try {
    const expression = new RegExp(text, 'gi');
    return {parts: [(string, from) => {
      expression.lastIndex = from;
      const found = expression.exec(string);
      return found && [found.index, found.index + found[0].length];
    }]};
  } catch (error) {
    return {error: error.message};
  }
}

// Functions of a row, frame, class or text; null where nothing is searched for. `error` tells what is wrong with a
// regular expression.
function searchFor(text, regular) {
  const {parts, error} = searchParts(text, regular);
  if (error) return {error};
  if (parts.length === 0) return null;
  const frameMasks = new Uint32Array(frames.class.length);
  const nodeMasks = new Uint32Array(nodes.frame.length);
  const all = 2 ** parts.length - 1;
  const maskOf = (string) => {
    let mask = 0;
    parts.forEach((part, k) => { if (part(string, 0)) mask |= 1 << k; });
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
  return {parts, row, frame: (i) => frameMasks[i] === all, class: (i) => classMask(i) === all,
    text: (s) => maskOf(s) === all};
}

// Where a text matches, [begin, end] each. A part of a name stands for the whole name.
function matchesIn(text, search) {
  const found = [], inName = (at) => /[\w$]/.test(text[at] ?? '');
  for (let at = 0; search && at < text.length;) {
    const next = search.parts.map((part) => part(text, at)).filter((match) => match && match[1] > match[0])
      .sort((x, y) => x[0] - y[0] || y[1] - x[1])[0];
    if (!next) break;
    let [begin, end] = next;
    while (begin > at && inName(begin) && inName(begin - 1)) begin--;
    while (inName(end) && inName(end - 1)) end++;
    found.push([begin, end]);
    at = end;
  }
  return found;
}

// A part of a text, with each match of the whole text in a <mark>.
function marked(text, search, from = 0, to = text.length) {
  const parent = document.createDocumentFragment();
  let at = from;
  for (const [begin, end] of matchesIn(text, search)) {
    const first = Math.max(begin, at), last = Math.min(end, to);
    if (first >= last) continue;
    parent.append(text.slice(at, first), make('mark', {}, text.slice(first, last)));
    at = last;
  }
  parent.append(text.slice(at, to));
  return parent;
}

// The first `most` rows, or those of them that match.
function rowsThat(search, most) {
  const rows = [];
  for (let row = 0; row < most; row++) if (!search || search.row(row)) rows.push(row);
  return rows;
}
