// SPDX-License-Identifier: Apache-2.0
// table.js - the table of contexts. Only the rows in sight exist as elements, so that a hundred
// thousand rows scroll as ten do.

const ROW_HEIGHT = 26; // as in page.css
const SPARE_ROWS = 8; // made above and below those in sight
const PRINTED_ROWS = 100;
const SITE_WIDTH = 380, NARROW_SITE_WIDTH = 240; // at least; it takes what the others leave

function enough(row) { return figure('pairs', row) >= data.min_pairs; }

// Whether there is enough evidence for a figure that is a column.
const EVIDENCE = Object.fromEntries(data.columns.map(([name, , , , evidence]) => [name, evidence]));
function measured(name, row) { return EVIDENCE[name] === null || figure(EVIDENCE[name], row) >= data.min_pairs; }

// A share and its interval, with the interval drawn below.
function rangeCell(name) {
  return (row) => {
    const value = figure(name, row), low = figure(name + '_low', row), high = figure(name + '_high', row);
    if (value === null || !measured(name, row)) return [DASH];
    const cell = [percent(value), make('span', {class: 'interval'}, interval(low, high))];
    if (low !== null && high !== null) {
      const bar = make('span', {class: 'range'}, make('i'));
      bar.firstChild.style.left = low * 100 + '%';
      bar.firstChild.style.width = Math.max(2, (high - low) * 100) + '%';
      bar.firstChild.style.background = name === 'theta' ? thetaColor(value).fill : '';
      cell.push(bar);
    }
    return cell;
  };
}

const isDeep = (row, flag) => (figure('flags', row) & flag) !== 0;
const someDeep = contexts.flags.some((flags) => (flags & (ROW_DEEP | ROW_SAVED_DEEP)) !== 0);
const verdictText = (row) => VERDICTS[figure('verdict', row)] + (isDeep(row, ROW_DEEP) ? ' (deep)' : '');
const level = ` [${Math.round(data.confidence * 100)} %]`;

// A column of data.columns. Shares with an interval are sorted by its lower end; other shares count if there is
// enough evidence. Deep groups are left out if no context has one.
function figureColumn([name, heading, unit, ranged, , help]) {
  const value = (row) => (measured(name, row) ? figure(name, row) : null);
  const column = {name, help, title: heading + (unit === 'share' ? ' %' : '') + (ranged ? level : '')};
  if (ranged) {
    return {...column, width: Math.max(128, 66 + 8 * heading.length), key: (row) => figure(name + '_low', row),
      hidden: name === 'deep' && !contexts[name].some((share) => share !== null), cell: rangeCell(name)};
  }
  const [width, text] = {bytes: [84, bytes], count: [80, count], share: [62, percent]}[unit];
  return {...column, width, key: value, cell: (row) => [text(value(row))]};
}

const savedColumn = {
  width: someDeep ? 138 : 96, style: (row) => (figure('saved', row) > 0 ? 'strong' : ''),
  cell: (row) => [make('small', {}, (isDeep(row, ROW_SAVED_DEEP) && figure('saved', row) > 0 ? 'deep ' : '')),
    bytes(figure('saved', row))],
};

const FIGURES = data.columns.map(figureColumn).map((column) => (column.name === 'saved' ? {...column, ...savedColumn} : column));
const LAST = FIGURES.findIndex((column) => column.name === 'theta') + 1; // in front of the verdict

// A column has a name (and sort key), a heading, a width in pixels, what it is sorted by (numbers: the largest first;
// texts: from A), the cell's contents, and what it means.
const COLUMNS = [
  {name: 'rank', title: '#', width: 52, key: (row) => -row, cell: (row) => [String(row + 1)],
    help: 'place in the order of the report'},
  {name: 'pid', title: 'pid', width: 70, key: (row) => figure('pid', row), hidden: !severalJvms,
    cell: (row) => [String(figure('pid', row))], help: 'process of the JVM'},
  ...FIGURES.slice(0, LAST),
  {name: 'verdict', title: 'verdict', width: someDeep ? 156 : 104, text: true, key: (row) => VERDICTS[figure('verdict', row)],
    cell: (row) => [verdictText(row)],
    style: (row) => 'verdict ' + VERDICTS[figure('verdict', row)], help: 'what the evidence amounts to'},
  {name: 'class', title: 'class', width: 210, text: true, key: classOf,
    cell: classCell, help: 'class of the objects'},
  {name: 'site', title: 'site', width: 0, text: true, key: siteOf, cell: siteCell,
    help: 'where they are allocated, and, after the arrow, who outside the JDK asked for them'},
  ...FIGURES.slice(LAST),
].filter((column) => !column.hidden);

// On a telephone's screen the first columns are all one sees: what and where come before the shares.
const NARROW = matchMedia('screen and (max-width: 600px)').matches;
const FIRST_IF_NARROW = ['saved', 'class', 'site'];
if (NARROW) {
  const first = FIRST_IF_NARROW.map((name) => COLUMNS.find((column) => column.name === name));
  COLUMNS.splice(0, COLUMNS.length, ...first, ...COLUMNS.filter((column) => !first.includes(column)));
  first[1].width = 120;
}

// The package gives way where there is little room.
function classCell(row, search) {
  const name = classOf(row), simple = simpleName(name), cell = make('bdi', {class: 'name', title: name});
  cell.append(make('span', {class: 'package'}, marked(name.slice(0, name.length - simple.length), search)),
    make('span', {class: 'simple'}, marked(simple, search)));
  return [cell];
}

// A row that was found by a frame further out says by which.
function siteCell(row, search) {
  const site = siteOf(row), cell = [marked(site, search)];
  if (search && !search.text(site + ' ' + classOf(row))) {
    const via = stackOf(contexts.node[row]).find((frame) => search.frame(frame));
    if (via !== undefined) cell.push(make('span', {class: 'via'}, ' via ', marked(frameSite(via), search)));
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
    this.makeHead();
    this.scroller.addEventListener('scroll', () => this.draw(), {passive: true});
    this.scroller.addEventListener('keydown', (event) => this.key(event));
    this.body.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.draw(true)).observe(this.scroller);
  }

  makeHead() {
    const widths = make('colgroup');
    const head = make('tr', {'aria-rowindex': '1'});
    for (const column of COLUMNS) {
      const col = make('col');
      if (column.width) col.style.width = column.width + 'px';
      widths.append(col);
      head.append(make('th', {scope: 'col', class: column.text ? 'text' : null, 'data-name': column.name},
        make('button', {type: 'button', title: column.help,
          onclick: () => this.sorted(column.name, this.sort.name === column.name && !this.sort.reversed)},
        column.title)));
    }
    const site = NARROW ? NARROW_SITE_WIDTH : SITE_WIDTH;
    this.table.style.minWidth = COLUMNS.reduce((sum, column) => sum + (column.width || site), 0) + 'px';
    this.table.tHead.append(head);
    this.table.tHead.before(widths);
  }

  // Shows the rows that match, in that order; reversed is the smallest first.
  show(search, name, reversed) {
    const column = COLUMNS.find((c) => c.name === name) || COLUMNS.find((c) => c.name === 'saved');
    this.search = search;
    this.sort = {name: column.name, reversed};
    this.order = [];
    for (let row = 0; row < rowCount; row++) if (!search || search.row(row)) this.order.push(row);
    this.sortRows(column, reversed);
    for (const th of this.table.tHead.querySelectorAll('th')) {
      const here = th.dataset.name === column.name;
      th.setAttribute('aria-sort', here ? (Boolean(column.text) === reversed ? 'descending' : 'ascending') : 'none');
      th.classList.toggle('reversed', here && reversed);
    }
    this.table.setAttribute('aria-rowcount', this.order.length + 1);
    const rest = data.rows - data.shown;
    this.note.textContent = (this.order.length === 0 ? 'No context matches. ' : '') +
      (rest > 0 ? `${plural(rest, 'more line')} left out: write the page with a larger --limit.` : '');
    this.scroller.scrollTop = 0;
    this.draw(true);
  }

  // What was not measured comes last, either way; ties go by bytes saved, bytes, and the report's order, which knows more
  // where it is by bytes saved itself.
  sortRows(column, reversed) {
    const sign = reversed ? -1 : 1;
    const keys = new Array(rowCount);
    for (const row of this.order) keys[row] = column.key(row);
    const tie = (x, y) => (contexts.saved[y] ?? -1) - (contexts.saved[x] ?? -1) ||
      (data.key === 'saved' ? 0 : contexts.bytes[y] - contexts.bytes[x]) || x - y;
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
    for (const column of COLUMNS) {
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
      make('td', {colspan: COLUMNS.length, style: `height:${n * ROW_HEIGHT}px`}));
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
