// SPDX-License-Identifier: Apache-2.0
// cards.js - what the report comes to, before any table: the headline, the findings, and the sum of duplicates. The words
// are the text report's.

// The sum as a bar: of all bytes, what is sure, what is likely beyond that, and how much it could be at most.
function sumBar() {
  const {bytes: all, low, likely, high} = data.total;
  const part = (name, from, to, title) => {
    const width = Math.max(0, Math.min(to, all) - Math.max(0, from)) / all * 100;
    return width > 0 ? make('i', {class: name, style: `width:${width}%`, title: `${title}: ${bytes(to)}`}) : null;
  };
  return make('div', {class: 'sum-bar'}, part('sure', 0, low, 'at least'), part('likely', Math.max(0, low), likely, 'likely'),
    part('most', Math.max(low, likely), high, 'at most'));
}

function sumCard() {
  const [first, ...rest] = unbroken(data.sum + data.heap_hint).split('\n').filter(Boolean);
  const [claim, estimate] = first.split(/; (.*)/s);
  return make('div', {class: 'card sum'}, make('h2', {}, claim), sumBar(),
    ...(estimate ? [make('p', {}, estimate.charAt(0).toUpperCase() + estimate.slice(1))] : []),
    ...rest.map((line) => make('p', {class: 'note'}, line)));
}

// What the findings avoid together; and the lines that make much, of which no fix is known.
function fixesCard() {
  const [claim, rest] = unbroken(data.fixes_sum).split(/; (.*)/s);
  return make('div', {class: 'card sum'}, make('p', {class: 'headline'}, unbroken(data.headline)), make('h2', {}, claim),
    ...(rest ? [make('p', {}, rest.charAt(0).toUpperCase() + rest.slice(1))] : []),
    ...data.fixes.filter((found) => !found.rank).map((found) => make('p', {class: 'note', title: found.problem}, unbroken(found.amounts))));
}

// The whole card chooses a row, if there is one. `lines` are a style and a text each; what is empty is left out.
function numberedCard(rank, row, place, saving, lines, choose) {
  return make('button', {type: 'button', class: 'card finding', 'data-row': row, disabled: row < 0, onclick: () => choose(row)},
    make('span', {class: 'title', title: `${place} ${saving}`}, make('span', {class: 'number'}, String(rank)), placeText(place)),
    make('span', {class: 'saving'}, saving),
    ...lines.filter(([, text]) => text).map(([style, text]) => make('span', {class: style, title: text}, ...sentence(text))));
}

// The first sentence of a finding has the place, up to " makes ", and the bytes.
function findingCard(found, choose) {
  const [, place, saving] = /^(.*?) makes (.*)$/s.exec(found.amounts) || [null, found.amounts, ''];
  return numberedCard(found.rank, found.row, place, `makes ${saving}`,
    [['problem', found.problem], ['fix', found.fix], ['also', found.made && `Made: ${found.made}`],
      ['also', found.callers && `Called by ${found.callers}`]], choose);
}

// Fills the pane; choose(row) shows a row.
function showCards(pane, choose) {
  pane.hidden = !data.total;
  if (!data.total || !data.fixes_sum) return;
  pane.replaceChildren(fixesCard(), ...data.fixes.filter((found) => found.rank).map((found) => findingCard(found, choose)), sumCard());
}
