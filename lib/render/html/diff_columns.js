// SPDX-License-Identifier: Apache-2.0
// diff_columns.js - the columns of a comparison's table: of each measure the new value and the change. What is no more than
// noise stands in parentheses, as in the text.

const FROM = 0, TO = 1, LOW = 2, HIGH = 3, CHANGED = 4;
const MEASURES = data.measures.map(([name, heading, unit, help, statistic, total]) => ({name, heading, unit, help, statistic, total}));
const STATE_HELP = {worse: 'more of what is compared', better: 'less', new: 'not in the old recording', gone: 'not in the new one',
  same: 'no change beyond noise and threshold', few: 'too few samples to tell'};
const isShown = (row) => !['same', 'few'].includes(contexts.state[row]);
const shownRows = [...Array(rowCount).keys()].filter(isShown);

function valueText(unit, value) {
  return inUnit(unit, value) + (data.per_second && unit !== 'share' && value !== null ? '/s' : '');
}

function differenceOf(change) { return change[FROM] === null || change[TO] === null ? null : change[TO] - change[FROM]; }
function isCertain(change) { return change[CHANGED] === 'up' || change[CHANGED] === 'down'; }
function changeClass(change) { return isCertain(change) ? change[CHANGED] : 'no'; }

function changeText(unit, change) {
  const difference = differenceOf(change);
  if (difference === null) return DASH;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  const size = Math.abs(difference), text = sign + (unit === 'share' ? (size * 100).toFixed(1) : valueText(unit, size));
  return isCertain(change) ? text : `(${text})`;
}

function measureColumns({name, heading, unit, help, statistic}) {
  const share = unit === 'share' ? ' %' : '', width = Math.max(84, 36 + 8 * (heading.length + share.length));
  const of = (row) => contexts[name][row];
  return [
    {name, title: heading + share, width, statistic, help: `${help}; in the new recording`,
      key: (row) => of(row)[TO], cell: (row) => [valueText(unit, of(row)[TO])]},
    {name: name + '_change', title: '+/−', width: 92, statistic, first: name === 'saved',
      help: `change of ${heading}; in parentheses: no more than noise (${data.confidence * 100} % over all) and ${data.threshold * 100} %`,
      key: (row) => { const d = differenceOf(of(row)); return d === null ? null : Math.abs(d); },
      style: (row) => changeClass(of(row)), cell: (row) => [changeText(unit, of(row))]},
  ];
}

function stateText(row) {
  const how = contexts.match[row];
  return contexts.state[row] + (how === 'methods' || how === 'site' ? ` (by ${how})` : '');
}

const DIFF_COLUMNS = [
  {name: 'rank', title: '#', width: 46, key: (row) => -row, cell: (row) => [String(row + 1)], absent: NARROW,
    help: 'place in the order of the comparison: by the change in bytes saved, then in bytes'},
  {name: 'state', title: 'change', width: 108, text: true, key: stateText, cell: (row) => [stateText(row)],
    style: (row) => 'state ' + contexts.state[row], help: Object.entries(STATE_HELP).map((pair) => pair.join(': ')).join('; ')},
  {name: byLine ? 'line' : 'site', title: byLine ? 'line' : 'site', width: 0, text: true, key: placeName, cell: placeCell,
    help: 'where the objects are made'},
  {name: 'class', title: 'class', width: NARROW ? 110 : 132, text: true, key: classOf, cell: classCell, help: 'class of the objects'},
  ...MEASURES.flatMap(measureColumns),
].filter((column) => !column.absent);
if (NARROW) DIFF_COLUMNS.splice(1, 0, ...DIFF_COLUMNS.splice(DIFF_COLUMNS.findIndex((column) => column.first), 1));
