// SPDX-License-Identifier: Apache-2.0
// columns.js - the columns of a report's table: those of the report's figures, and what stands beside them.

// A share and its interval.
function rangeCell(name) {
  return (row) => {
    const value = figure(name, row), low = figure(name + '_low', row), high = figure(name + '_high', row);
    if (value === null || !measured(name, row)) return [DASH];
    return [percent(value), make('span', {class: 'interval'}, interval(low, high))];
  };
}

const isDeep = (row, flag) => (figure('flags', row) & flag) !== 0;
const someDeep = contexts.flags.some((flags) => (flags & ROW_DEEP) !== 0);
const verdictText = (row) => VERDICTS[figure('verdict', row)] + (isDeep(row, ROW_DEEP) ? ' (deep)' : '');
const level = ` [${Math.round(data.confidence * 100)} %]`;

// A column of data.columns. Shares with an interval are sorted by its lower end; other shares count if there is
// enough evidence. Deep groups are left out if no context has one.
function figureColumn([name, heading, unit, ranged, , help, statistic]) {
  const value = (row) => (measured(name, row) ? figure(name, row) : null);
  const column = {name, help, statistic: Boolean(statistic), title: heading + (unit === 'share' ? ' %' : '') + (ranged ? level : '')};
  if (ranged) {
    return {...column, width: Math.max(128, 66 + 8 * heading.length), key: (row) => figure(name + '_low', row),
      absent: name === 'deep' && !contexts[name].some((share) => share !== null), cell: rangeCell(name)};
  }
  return {...column, width: {bytes: 84, count: 80, share: 62}[unit], key: value, cell: (row) => [inUnit(unit, value(row))]};
}

// The share of a row's bytes that merging saves, drawn as a bar: full what is sure, pale what is likely beyond.
function savedShare(row) {
  const all = figure('bytes', row), saved = figure('saved', row);
  return all > 0 && saved !== null ? saved / all : null;
}

function markCell(row) {
  const sure = savedShare(row), likely = figure('likely', row) / figure('bytes', row);
  if (!lookedAt(row) && !(sure > 0)) return [make('span', {class: 'mark unseen', title: 'not measured'})];
  const mark = make('span', {class: 'mark', title: `at least ${percent(sure)} % of its bytes, likely ${percent(likely)} %`},
    make('i', {class: 'likely'}), make('i', {class: 'sure'}));
  mark.firstChild.style.width = Math.min(1, likely) * 100 + '%';
  mark.lastChild.style.width = Math.min(1, sure) * 100 + '%';
  mark.lastChild.style.background = mark.firstChild.style.background = shareColor(sure).fill;
  return [mark];
}

const savedStyle = (row) => (figure('saved', row) > 0 ? 'strong' : '');
const STYLED = {likely: {style: savedStyle, first: true}};
const FIGURES = Object.fromEntries(data.columns.map((given) => {
  const column = figureColumn(given);
  return [column.name, {...column, ...STYLED[column.name]}];
}));
const shareOfAll = (row) => (data.total ? figure('bytes', row) / data.total.bytes : null);

// The first columns, since a telephone shows no more than these.
const PLACE = {name: byLine ? 'line' : 'site', title: byLine ? 'line' : 'site', width: 0, text: true, key: placeName, cell: placeCell,
  help: byLine ? 'the line of code, the innermost of your own, that makes the objects' :
    'where they are allocated, and, after the arrow, who outside the JDK asked for them'};
const FIRST = ['likely', 'saved', 'avoidable'];
const ALL_COLUMNS = [
  {name: 'rank', title: '#', width: 46, key: (row) => -row, cell: (row) => [String(row + 1)],
    absent: NARROW, help: 'place in the order of the report'},
  {name: 'pid', title: 'pid', width: 70, key: (row) => figure('pid', row), absent: !severalJvms,
    cell: (row) => [String(figure('pid', row))], help: 'process of the JVM'},
  PLACE,
  {name: 'class', title: 'class', width: NARROW ? 110 : 132, text: true, key: classOf,
    cell: classCell, help: 'class of the objects'},
  ...FIRST.map((name) => FIGURES[name]),
  {name: 'part', title: 'of its bytes', width: 96, key: savedShare, cell: markCell,
    help: 'what merging saves of the bytes of the line: full at least, pale as estimated; hatched: not measured'},
  {name: 'verdict', title: 'verdict', width: someDeep ? 160 : 104, text: true, key: (row) => VERDICTS[figure('verdict', row)],
    cell: (row) => [verdictText(row)],
    style: (row) => 'verdict ' + VERDICTS[figure('verdict', row)], help: 'what the evidence amounts to'},
  FIGURES.bytes,
  {name: 'share', title: 'share %', width: 72, key: shareOfAll, cell: (row) => [percent(shareOfAll(row))], absent: !data.total,
    help: 'of all bytes, those made there'},
  ...Object.values(FIGURES).filter((column) => column.name !== 'bytes' && !FIRST.includes(column.name)),
].filter((column) => !column.absent);
if (NARROW) {
  const first = [FIGURES.likely, PLACE, ALL_COLUMNS.find((column) => column.name === 'class')];
  ALL_COLUMNS.unshift(...first.flatMap((column) => ALL_COLUMNS.splice(ALL_COLUMNS.indexOf(column), 1)));
}

// The order of rows with equal keys: by bytes saved, then by bytes, then as in the report. If the report itself is sorted
// by what is saved, its order alone decides: it takes more into account.
function tieOfRows(x, y) {
  const known = data.key === 'saved' || data.key === 'likely';
  return (known ? 0 : (contexts.saved[y] ?? -1) - (contexts.saved[x] ?? -1) || contexts.bytes[y] - contexts.bytes[x]) || x - y;
}
