// SPDX-License-Identifier: Apache-2.0
// cards.js - what the report comes to, before any table: the headline, the sum, and the best findings. The words are the text
// report's.

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
  return make('div', {class: 'card sum'}, make('p', {class: 'headline'}, unbroken(data.headline)), make('h2', {}, claim), sumBar(),
    ...(estimate ? [make('p', {}, estimate.charAt(0).toUpperCase() + estimate.slice(1))] : []),
    ...rest.map((line) => make('p', {class: 'note'}, line)));
}

// What merging saves at a line, as text.
function savingText({saved, likely, end, bytes: made}) {
  if (saved > 0)
    return [make('b', {}, bytes(likely)), ` of ${bytes(made)} likely saved (${percent(likely / data.total.bytes)}\u00a0% of all), at least ${bytes(saved)}`];
  if (end > 0) return [make('b', {}, bytes(end)), ` of ${bytes(made)} alike at the end of life; no saving is proven`];
  return [`of ${bytes(made)} no saving is proven`];
}

// A finding; the whole card chooses its row.
function findingCard(found, number, choose) {
  const card = make('button', {type: 'button', class: 'card finding', 'data-row': found.row, disabled: found.row < 0,
    onclick: () => choose(found.row)},
  make('span', {class: 'title', title: found.line}, make('span', {class: 'number'}, String(number)), placeText(found.line),
    make('small', {}, ' ' + simpleName(found.class))),
  make('span', {class: 'saving'}, ...savingText(found)));
  if (found.problem) card.append(make('span', {class: 'problem', title: found.problem}, ...sentence(found.problem)));
  if (found.fix) card.append(make('span', {class: 'fix', title: found.fix}, ...sentence(found.fix)));
  if (found.also) card.append(make('span', {class: 'also', title: found.also}, `Also ${found.also}`));
  return card;
}

// Fills the pane; choose(row) shows a row.
function showCards(pane, choose) {
  pane.hidden = !data.total;
  if (!data.total) return;
  pane.replaceChildren(sumCard(), ...data.best.map((found, i) => findingCard(found, i + 1, choose)));
}
