// SPDX-License-Identifier: Apache-2.0
// help.js - the dialog: keys, what columns and colours mean, and what was recorded.

const KEYS = [['/', 'search'], ['t, g, s', 'to the table, the graph, the source'], ['↑ ↓ PgUp PgDn', 'another row, in the table'],
  ['← → ↑ ↓', 'another box, in the graph'], ['Enter, click', 'zoom into a box'],
  ['Backspace, Esc', 'zoom out, by one or wholly'], ['?', 'this help'], ['Alt+←', 'back to what was shown before']];

const COLOURS = [['all allocations', 'the part of the bytes in or below a box that merging saves for sure; of hatched boxes less than half ' +
  'of the bytes was looked at'], ['uses of a row', 'the share of compared pairs with an equal value'],
['grey', 'boxes that are too narrow to be drawn alone']];

function recordingFacts() {
  const r = data.recording;
  return [['command', r.command.join(' ') || 'not recorded'],
    ...r.jvms.map((jvm) => [`JVM ${jvm.pid}`, `${jvm.name ?? ''} ${jvm.version ?? ''} ${jvm.gc ?? ''}`.trim()]),
    ['time', seconds(r.duration_s) + (r.ended ? '' : ', has not ended')],
    ['cost', r.cost_percent === null ? DASH : r.cost_percent.toPrecision(2) + ' %'],
    ['samples', `${count(r.objects_sampled)} objects, ${count(r.pairs)} pairs`],
    ['lost', r.lost_events ? plural(r.lost_events, 'event') : 'nothing']];
}

// `columns` are [heading, meaning].
function fillHelp(dialog, columns, facts) {
  const part = (title, rows) => [make('h2', {}, title), make('dl', {}, ...rows.flatMap(([name, text]) =>
    [make('dt', {}, name), make('dd', {}, text)]))];
  dialog.replaceChildren(make('button', {type: 'button', class: 'round close', title: 'close ( Esc )', onclick: () => dialog.close()}, '×'),
    ...part('Keys', KEYS), ...part('Columns', columns), ...part('Colours', COLOURS), ...part('Recording', facts),
    make('p', {class: 'note'}, `ojx ${data.version}. Shares of fewer than ${data.min_pairs} pairs or objects are not shown.`));
}

function toggleHelp(dialog, fill) {
  if (!dialog.firstChild) fill();
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
