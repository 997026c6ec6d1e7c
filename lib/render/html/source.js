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

// What is allocated at each line of a file or below it: line: {value, equal, compared}.
function linesOf(source, graph) {
  const lines = new Map();
  for (let box = 1; box < graph.length; box++) {
    if (graph.kind[box] !== BOX_FRAME || frames.source[graph.id[box]] !== source) continue;
    const number = frames.line[graph.id[box]];
    const sum = lines.get(number) || {value: 0, equal: 0, compared: 0};
    sum.value += graph.value[box];
    sum.equal += graph.equal[box];
    sum.compared += graph.compared[box];
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
        const theta = sum.compared > 0 ? sum.equal / sum.compared : null;
        note.append(metric.text(sum.value));
        note.style.setProperty('--theta', thetaColor(theta).fill);
        note.title = `${metric.title} at or below this line; θ ${theta === null ? 'not measured' : percent(theta) + ' %'}`;
      }
      table.append(make('tr', {class: number === line ? 'here' : null, 'data-line': number,
        'aria-current': number === line ? 'true' : null},
      note, make('td', {class: 'line'}, String(number)), make('td', {}, codeLine(text))));
    });
  });
  return table;
}

// Why there is no text, in words.
function missing(frame, file) {
  const name = strings[frames.class[frame]], dot = name.lastIndexOf('.');
  if (frames.file[frame] < 0 || frames.line[frame] <= 0)
    return [make('p', {}, 'The class file does not say from which line of which source it was compiled: it is native, ' +
      'made at run time, or compiled without debug information (javac -g).')];
  if (file && file.left_out)
    return [make('p', {}, `Found as ${file.name}, but left out: the page has as much source as it may have. ` +
      'A smaller --limit, or --class, leaves room.')];
  const path = (dot < 0 ? '' : name.slice(0, dot).replaceAll('.', '/') + '/') + strings[frames.file[frame]];
  const hint = inJdk(name) ? 'JAVA_HOME/lib/src.zip' : 'src/main/java:library-sources.jar';
  return [
    make('p', {}, data.source_path.length ? 'Not found in ' + data.source_path.join(', ') + ': ' : 'No source path was given for ',
      make('code', {}, path)),
    make('p', {}, 'Name folders, -sources.jar files, or the src.zip of the JDK when the page is written:'),
    make('pre', {}, `ojx report --format=html -o FILE --source-path=${hint}`),
  ];
}

// Shows the source of a frame (-1: of none), with the sums of a graph of allocations.
function showSource(pane, frame, graph) {
  if (frame < 0 || isFolded(frame)) {
    pane.replaceChildren(make('p', {class: 'note'}, 'Click a frame to see its source.'));
    return;
  }
  const source = frames.source[frame], file = source >= 0 ? data.sources[source] : null;
  const line = frames.line[frame];
  const shown = file && file.parts.some(([first, texts]) => line >= first && line < first + texts.length);
  // the code wants the room: what is known from the stack is said to those who point at it
  const title = make('h2', {title: frameText(frame)}, make('bdi', {}, frameSite(frame)));
  if (file) title.append(make('small', {title: `${file.name} in ${file.origin}`},
    ` ${file.name} in ${file.origin.slice(file.origin.lastIndexOf('/') + 1)}`));
  else title.append(make('small', {}, ' ' + frameText(frame)));
  const body = make('div', {class: 'code-scroller', tabindex: '0'});
  if (shown) body.append(sourceTable(file, source, line, graph));
  else if (file && !file.left_out)
    body.append(make('p', {}, `${file.name} has no line ${line}: it is not the version that was compiled.`));
  else body.append(...missing(frame, file));
  pane.replaceChildren(title, body);
  const here = body.querySelector('.here');
  if (here) body.scrollTop = here.offsetTop - body.clientHeight / 2 + here.offsetHeight;
}
