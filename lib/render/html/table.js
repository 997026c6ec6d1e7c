// SPDX-License-Identifier: Apache-2.0
// table.js - the table of contexts. Only the rows in sight exist as elements, so that a hundred
// thousand rows scroll as ten do.

const ROW_HEIGHT = 26; // as in report.css
const SPARE_ROWS = 8; // made above and below those in sight
const PRINTED_ROWS = 100;
const PLACE_WIDTH = 220, NARROW_PLACE_WIDTH = 190; // at least; it takes what the others leave
const NARROW = matchMedia('screen and (max-width: 600px)').matches;

function enough(row) { return figure('pairs', row) >= data.min_pairs; }

// Whether there is enough evidence for a figure that is a column.
const EVIDENCE = Object.fromEntries(data.columns.map(([name, , , , evidence]) => [name, evidence]));
function measured(name, row) { return EVIDENCE[name] === null || figure(EVIDENCE[name], row) >= data.min_pairs; }

// Whether contents of a row's objects were looked at often enough for any statement.
function lookedAt(row) { return enough(row) || figure('scanned', row) >= data.min_pairs; }

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
  const [width, text] = {bytes: [84, bytes], count: [80, count], share: [62, percent]}[unit];
  return {...column, width, key: value, cell: (row) => [text(value(row))]};
}

// What a row saves of its own bytes: the one mark of a row. Full is what is sure, pale what is likely beyond.
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
const STYLED = {likely: savedStyle};
const FIGURES = Object.fromEntries(data.columns.map((given) => {
  const column = figureColumn(given);
  return [column.name, {...column, style: STYLED[column.name]}];
}));
const shareOfAll = (row) => (data.total ? figure('bytes', row) / data.total.bytes : null);

// A column has a name (and sort key), a heading, a width in pixels, what it is sorted by (numbers: the largest first;
// texts: from A), the cell's contents, and what it means. On a telephone the first columns are all one sees.
const PLACE = {name: byLine ? 'line' : 'site', title: byLine ? 'line' : 'site', width: 0, text: true, key: placeName, cell: placeCell,
  help: byLine ? 'the line of code, the innermost of your own, that makes the objects' :
    'where they are allocated, and, after the arrow, who outside the JDK asked for them'};
const FIRST = ['likely', 'saved'];
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

// The package gives way where there is little room.
function classCell(row, search) {
  const name = classOf(row), simple = simpleName(name), cell = make('bdi', {class: 'name', title: name});
  cell.append(make('span', {class: 'package'}, marked(name.slice(0, name.length - simple.length), search)),
    make('span', {class: 'simple'}, marked(simple, search)));
  return [cell];
}

// A row that was found by a frame further out says by which.
function placeCell(row, search) {
  const frame = ownFrame(row);
  const name = placeText(placeName(row), search), cell = [name];
  name.title = frame < 0 ? siteOf(row) : frameText(frame);
  if (search && !search.text(placeName(row) + ' ' + classOf(row))) {
    const via = stackOf(contexts.node[row]).find((outer) => search.frame(outer));
    if (via !== undefined) cell.push(make('span', {class: 'via', title: frameText(via)}, ' via ', marked(frameSite(via), search)));
  }
  return cell;
}

class ContextTable {
  // choose(row, lasting): the reader chose a row, for good or in passing; sorted(): another order.
  constructor(choose, sorted) {
    this.scroller = document.getElementById('scroller');
    this.table = document.getElementById('table');
    this.body = this.table.tBodies[0];
    this.note = document.getElementById('table-note');
    this.choose = choose;
    this.sorted = sorted;
    this.search = null;
    this.chosen = -1;
    this.sort = null;
    this.order = [];
    this.columns = [];
    this.scroller.addEventListener('scroll', () => this.draw(), {passive: true});
    this.scroller.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.draw(true)).observe(this.scroller);
  }

  makeHead(statistics) {
    this.columns = ALL_COLUMNS.filter((column) => statistics || !column.statistic || column.name === this.sort?.name);
    const widths = make('colgroup');
    const head = make('tr', {'aria-rowindex': '1'});
    for (const column of this.columns) {
      const col = make('col');
      if (column.width) col.style.width = column.width + 'px';
      widths.append(col);
      head.append(make('th', {scope: 'col', class: column.text ? 'text' : null, 'data-name': column.name},
        make('button', {type: 'button', title: column.help,
          onclick: () => this.sorted(column.name, this.sort.name === column.name && !this.sort.reversed)},
        column.title)));
    }
    const place = NARROW ? NARROW_PLACE_WIDTH : PLACE_WIDTH;
    this.table.style.minWidth = this.columns.reduce((sum, column) => sum + (column.width || place), 0) + 'px';
    this.table.querySelector('colgroup')?.remove();
    this.table.tHead.replaceChildren(head);
    this.table.tHead.before(widths);
  }

  // Shows the rows that match, of all or of those worth a look; the smallest first if `reversed`. A search is in all.
  show({search, all, statistics, sort, reversed}) {
    const column = ALL_COLUMNS.find((c) => c.name === sort) || ALL_COLUMNS.find((c) => c.name === 'likely');
    const most = all || search ? rowCount : worthCount;
    this.search = search;
    this.sort = {name: column.name, reversed};
    this.makeHead(statistics);
    this.order = [];
    for (let row = 0; row < most; row++) if (!search || search.row(row)) this.order.push(row);
    this.sortRows(column, reversed);
    for (const th of this.table.tHead.querySelectorAll('th')) {
      const here = th.dataset.name === column.name;
      th.setAttribute('aria-sort', here ? (Boolean(column.text) === reversed ? 'descending' : 'ascending') : 'none');
      th.classList.toggle('reversed', here && reversed);
    }
    this.table.setAttribute('aria-rowcount', this.order.length + 1);
    this.note.textContent = this.noteText(most);
    this.note.title = this.note.textContent;
    this.scroller.scrollTop = 0;
    this.draw(true);
  }

  noteText(most) {
    const rest = data.rows - data.shown;
    if (this.order.length === 0) return 'Nothing matches.';
    if (most < rowCount && data.others) return data.others + '.';
    return rest > 0 ? `${plural(rest, 'more ' + rowNoun)} left out: write the page with a larger --limit.` : '';
  }

  // What was not measured comes last, either way; ties go by bytes saved, bytes, and the report's order, which knows more
  // where it is by what is saved itself.
  sortRows(column, reversed) {
    const sign = reversed ? -1 : 1;
    const keys = new Array(rowCount);
    for (const row of this.order) keys[row] = column.key(row);
    const known = data.key === 'saved' || data.key === 'likely';
    const tie = (x, y) => (known ? 0 : (contexts.saved[y] ?? -1) - (contexts.saved[x] ?? -1) || contexts.bytes[y] - contexts.bytes[x]) || x - y;
    if (column.text) {
      this.order.sort((x, y) => (keys[x] === keys[y] ? tie(x, y) : keys[x] < keys[y] ? -sign : sign));
    } else {
      this.order.sort((x, y) => {
        const a = keys[x], b = keys[y];
        if (a === null || b === null) return a === b ? tie(x, y) : a === null ? 1 : -1;
        return a === b ? tie(x, y) : sign * (b - a);
      });
    }
  }

  // Marks a row as chosen and brings it into sight.
  mark(row) {
    this.chosen = row;
    const at = this.order.indexOf(row);
    if (at >= 0) {
      const head = this.table.tHead.offsetHeight, top = at * ROW_HEIGHT;
      const height = this.scroller.clientHeight - head;
      if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
      else if (top + ROW_HEIGHT > this.scroller.scrollTop + height)
        this.scroller.scrollTop = top + ROW_HEIGHT - height;
    }
    this.draw(true);
  }

  makeRow(at) {
    const row = this.order[at];
    const tr = make('tr', {id: 'row' + row, 'data-row': row, 'aria-rowindex': at + 2,
      'aria-selected': String(row === this.chosen), class: row === this.chosen ? 'chosen' : null});
    for (const column of this.columns) {
      const style = [column.text ? 'text' : '', column.style ? column.style(row) : ''].join(' ').trim();
      tr.append(make('td', {class: style || null}, ...column.cell(row, this.search)));
    }
    return tr;
  }

  draw(anew) {
    if (this.printing) return;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const room = Math.ceil(this.scroller.clientHeight / ROW_HEIGHT) + 2 * SPARE_ROWS;
    if (!anew && first === this.first) return;
    this.first = first;
    this.fill(first, Math.min(this.order.length, first + room));
  }

  fill(first, last) {
    const rows = [];
    const spacer = (n) => make('tr', {class: 'spacer', 'aria-hidden': 'true'},
      make('td', {colspan: this.columns.length, style: `height:${n * ROW_HEIGHT}px`}));
    if (first > 0) rows.push(spacer(first));
    for (let at = first; at < last; at++) rows.push(this.makeRow(at));
    if (last < this.order.length && !this.printing) rows.push(spacer(this.order.length - last));
    this.body.replaceChildren(...rows);
    const visible = this.order.indexOf(this.chosen);
    if (visible >= first && visible < last) this.scroller.setAttribute('aria-activedescendant', 'row' + this.chosen);
    else this.scroller.removeAttribute('aria-activedescendant');
  }

  // On paper nothing scrolls: the first rows exist there, however high that is.
  print(on) {
    this.printing = on;
    if (on) this.fill(0, Math.min(this.order.length, PRINTED_ROWS));
    else this.draw(true);
  }

  click(event) {
    const tr = event.target.closest('tr[data-row]');
    if (tr) this.choose(Number(tr.dataset.row), true);
  }

  key(event) {
    if (event.target !== this.scroller || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity, j: 1, k: -1};
    if (event.key === 'Enter' && this.chosen >= 0) {
      this.choose(this.chosen, true);
    } else if (event.key in steps && this.order.length > 0) {
      const at = this.order.indexOf(this.chosen);
      const to = Math.min(this.order.length - 1, Math.max(0, at + steps[event.key]));
      this.choose(this.order[to], false);
    } else {
      return;
    }
    event.preventDefault();
  }
}
