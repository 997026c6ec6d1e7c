// SPDX-License-Identifier: Apache-2.0
// table.js - a table of rows. Only the rows in sight exist as elements, so that a hundred
// thousand rows scroll as ten do.

const ROW_HEIGHT = 26; // as in report.css
const SPARE_ROWS = 8; // made above and below those in sight
const PRINTED_ROWS = 100;
const PLACE_WIDTH = 220, NARROW_PLACE_WIDTH = 190; // at least; the column takes the room that the others leave
const NARROW = matchMedia('screen and (max-width: 600px)').matches;

function classCell(row, search) { return [nameText(classOf(row), search)]; }

// If a search matches only a frame further out, the cell names that frame.
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

class RowTable {
  // The columns have a name (and sort key), a heading, a width in pixels, what they are sorted by (numbers: the largest
  // first; texts: from A), the cell's contents, what they mean, and whether they are statistics, shown on demand.
  // choose(row, lasting): the reader chose a row, for good or in passing; sorted(): another order; tie(x, y): the order of rows
  // whose keys are the same.
  constructor(allColumns, {choose, sorted, tie}) {
    this.allColumns = allColumns;
    this.tie = tie;
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
    this.columns = this.allColumns.filter((column) => statistics || !column.statistic || column.name === this.sort?.name);
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

  // Shows these rows, which match a search; the smallest first if `reversed`. The note is about the others.
  show(rows, {search, statistics, sort, reversed, note}) {
    const column = this.allColumns.find((c) => c.name === sort) || this.allColumns.find((c) => c.first);
    this.search = search;
    this.sort = {name: column.name, reversed};
    this.makeHead(statistics);
    this.order = rows;
    this.sortRows(column, reversed);
    for (const th of this.table.tHead.querySelectorAll('th')) {
      const here = th.dataset.name === column.name;
      th.setAttribute('aria-sort', here ? (Boolean(column.text) === reversed ? 'descending' : 'ascending') : 'none');
      th.classList.toggle('reversed', here && reversed);
    }
    this.table.setAttribute('aria-rowcount', this.order.length + 1);
    this.note.textContent = this.order.length === 0 ? 'Nothing matches.' : note;
    this.note.title = this.note.textContent;
    this.scroller.scrollTop = 0;
    this.draw(true);
  }

  // What was not measured comes last, either way.
  sortRows(column, reversed) {
    const sign = reversed ? -1 : 1, tie = this.tie;
    const keys = new Array(rowCount);
    for (const row of this.order) keys[row] = column.key(row);
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
    this.note.classList.toggle('cut', on && this.order.length > PRINTED_ROWS);
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
