// SPDX-License-Identifier: Apache-2.0
// help.js - the dialog: keys, what columns and colours mean, and what was recorded.

const KEYS = [['/', 'search'], ['t, g, s', 'to the table, the graph, the source'], ['↑ ↓ PgUp PgDn', 'another row, in the table'],
  ['← → ↑ ↓', 'another box, in the graph'], ['Enter, click', 'zoom into a box'],
  ['Backspace, Esc', 'zoom out, by one or wholly'], ['f', 'the graph alone, in the whole window'], ['?', 'this help'], ['Alt+←', 'back to what was shown before']];

// `colours`, `columns` and `facts` are rows of a name and its meaning.
function fillHelp(dialog, colours, columns, facts) {
  const part = (title, rows) => [make('h2', {}, title), make('dl', {}, ...rows.flatMap(([name, text]) =>
    [make('dt', {}, name), make('dd', {}, text)]))];
  dialog.replaceChildren(make('button', {type: 'button', class: 'round close', title: 'close ( Esc )', onclick: () => dialog.close()}, '×'),
    ...part('Keys', KEYS), ...part('Columns', columns), ...part('Colours', colours), ...part('Recorded', facts),
    make('p', {class: 'note'}, `ojx ${data.version}. Shares of fewer than ${data.min_pairs} pairs or objects are not shown.`));
}

function toggleHelp(dialog, fill) {
  if (!dialog.firstChild) fill();
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
