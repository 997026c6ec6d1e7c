// SPDX-License-Identifier: Apache-2.0
// source.js - the Java line of a frame among its neighbours, and what is allocated at the lines
// around it. Where there is no source, how to give it.

const KEYWORDS = new Set(('abstract assert boolean break byte case catch char class const continue default do double else ' +
  'enum extends final finally float for if implements import instanceof int interface long native new null package ' +
  'private protected public record return short static strictfp super switch synchronized this throw throws ' +
  'transient try var void volatile while true false').split(' '));
const TOKENS = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b\d[\w.]*|[A-Za-z_$][\w$]*/g;

function tokenKind(token) {
  if (token.startsWith('//') || token.startsWith('/*')) return 'comment';
  if (token[0] === '"' || token[0] === "'") return 'literal';
  if (/^\d/.test(token)) return 'literal';
  return KEYWORDS.has(token) ? 'keyword' : null;
}

// A line with its comments, literals and keywords told apart, as far as one line tells.
function codeLine(text) {
  const code = make('code');
  if (/^\s*\*/.test(text)) { code.append(make('span', {class: 'comment'}, text)); return code; }
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = tokenKind(match[0]);
    if (!kind) continue;
    code.append(text.slice(at, match.index), make('span', {class: kind}, match[0]));
    at = match.index + match[0].length;
  }
  code.append(text.slice(at));
  return code;
}

// The sums of a graph over the boxes of each line of a file: line: {value, bytes, saved}.
function linesOf(source, graph) {
  const lines = new Map();
  for (let box = 1; box < graph.length; box++) {
    if (graph.kind[box] !== BOX_FRAME || frames.source[graph.id[box]] !== source) continue;
    const number = frames.line[graph.id[box]];
    const sum = lines.get(number) || {value: 0, bytes: 0, saved: 0};
    sum.value += graph.value[box];
    sum.bytes += graph.bytes[box];
    sum.saved += graph.saved[box];
    lines.set(number, sum);
  }
  return lines;
}

function sourceTable(file, source, line, graph) {
  const table = make('table', {class: 'code'}), metric = METRICS[graph.metric];
  const lines = linesOf(source, graph);
  file.parts.forEach(([first, texts], part) => {
    if (part > 0) table.append(make('tr', {class: 'gap'}, make('td', {colspan: 3}, '⋯')));
    texts.forEach((text, i) => {
      const number = first + i, sum = lines.get(number);
      const note = make('td', {class: 'sum'});
      if (sum && sum.value > 0) {
        note.append(metric.short(sum.value));
        note.style.setProperty('--share', shareColor(sum.saved / sum.bytes).fill);
        note.title = `${metric.text(sum.value)} at or below this line; at least ${bytes(sum.saved)} of ${bytes(sum.bytes)} saved`;
      }
      table.append(make('tr', {class: number === line ? 'here' : null, 'data-line': number,
        'aria-current': number === line ? 'true' : null},
      note, make('td', {class: 'line'}, String(number)), make('td', {}, codeLine(text))));
    });
  });
  return table;
}

// Says in one line why there is no text, and more in a tooltip.
function missing(frame, file) {
  const name = strings[frames.class[frame]], dot = name.lastIndexOf('.');
  if (frames.file[frame] < 0 || frames.line[frame] <= 0)
    return make('p', {class: 'note', title: 'It is native, made at run time, or compiled without debug information (javac -g).'},
      'The class file does not name the source.');
  if (file && file.left_out)
    return make('p', {class: 'note', title: 'A smaller --limit, or --class, leaves room.'},
      `Found as ${file.name}, but the page has as much source as it may have.`);
  const path = (dot < 0 ? '' : name.slice(0, dot).replaceAll('.', '/') + '/') + strings[frames.file[frame]];
  const option = '--source-path=' + (frames.platform[frame] ? 'JAVA_HOME/lib/src.zip' : 'src/main/java:library-sources.jar');
  return make('p', {class: 'note missing', title: `Write the page with ${option}: folders, -sources.jar files, or the src.zip of the JDK` +
    (data.source_path.length ? `. It is not in ${data.source_path.join(', ')}.` : '.')},
  make('span', {}, 'No source here: ', make('code', {}, path), data.source_path.length ? ' is not in the ' : ' needs ',
    make('code', {}, '--source-path')), copyButton(option));
}

// Shows the source of a frame (-1: of none), with the sums of a graph of allocations.
function showSource(pane, frame, graph) {
  if (frame < 0 || isFolded(frame)) {
    pane.replaceChildren();
    return;
  }
  const source = frames.source[frame], file = source >= 0 ? data.sources[source] : null;
  const line = frames.line[frame];
  const shown = file && file.parts.some(([first, texts]) => line >= first && line < first + texts.length);
  if (!shown) {
    pane.replaceChildren(file && !file.left_out ? make('p', {class: 'note'},
      `${file.name} has no line ${line}: it is not the version that was compiled.`) : missing(frame, file));
    return;
  }
  // the code needs the room: what the stack tells already is in a tooltip
  const title = make('h3', {title: frameText(frame)}, make('bdi', {}, frameSite(frame)),
    make('small', {title: `${file.name} in ${file.origin}`}, ` ${file.name} in ${file.origin.slice(file.origin.lastIndexOf('/') + 1)}`));
  const body = make('div', {class: 'code-scroller', tabindex: '0'}, sourceTable(file, source, line, graph));
  pane.replaceChildren(title, body);
  const here = body.querySelector('.here');
  if (here) body.scrollTop = here.offsetTop - body.clientHeight / 2 + here.offsetHeight;
}
