// SPDX-License-Identifier: Apache-2.0
// layout.js - what all pages have around their contents: the splitter, the button of the theme, printing, the help.

// The table's height is the reader's to choose.
function makeSplitter(splitter, pane) {
  const set = (height) => document.documentElement.style.setProperty('--table-height',
    Math.round(Math.min(Math.max(height, 90), innerHeight - 200)) + 'px');
  const height = () => pane.getBoundingClientRect().height;
  splitter.addEventListener('pointerdown', (down) => {
    const begin = height() - down.clientY;
    const move = (event) => set(begin + event.clientY);
    splitter.setPointerCapture(down.pointerId);
    splitter.addEventListener('pointermove', move);
    splitter.addEventListener('pointerup', () => splitter.removeEventListener('pointermove', move), {once: true});
  });
  splitter.addEventListener('keydown', (event) => {
    const step = {ArrowUp: -ROW_HEIGHT, ArrowDown: ROW_HEIGHT}[event.key];
    if (!step) return;
    set(height() + step);
    event.preventDefault();
  });
}

// The button goes through the themes; changed() draws everything in other colours.
function makeThemeButton(button, changed) {
  const say = () => {
    button.textContent = {auto: '◐', light: '☀', dark: '☾'}[theme.name];
    button.title = `Colours: ${theme.name === 'auto' ? "as the system's" : theme.name}`;
    button.setAttribute('aria-label', button.title);
  };
  say();
  button.addEventListener('click', () => { theme.next(); say(); changed(); });
  systemDark.addEventListener('change', () => { theme.apply(); changed(); });
}

// The button and f let the graph have the whole window; Escape ends that, unless it zooms out.
function makeFullScreen(flame) {
  const pane = document.getElementById('graph-pane'), button = document.getElementById('full');
  const set = (on) => {
    pane.classList.toggle('full', on);
    button.setAttribute('aria-pressed', String(on));
    button.textContent = on ? 'leave' : 'full screen';
    flame.layout();
  };
  button.addEventListener('click', () => set(!pane.classList.contains('full')));
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const on = pane.classList.contains('full');
    if (event.key === 'f' || (event.key === 'Escape' && on)) set(!on);
  });
}

// On paper nothing scrolls, and colours are those of the light theme.
function makePrintable(recolor, table, flame) {
  const paper = (on) => {
    document.documentElement.classList.toggle('printing', on);
    recolor();
    flame.layout();
    table.print(on);
  };
  window.addEventListener('beforeprint', () => paper(true));
  window.addEventListener('afterprint', () => paper(false));
}

// Keys that lead to a part of the page, wherever the reader is.
function makeGlobalKeys(parts, table, showHelp) {
  document.addEventListener('keydown', (event) => {
    const typing = event.target === parts.search || event.target === parts.metric;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const focus = {'/': '#search', t: '#scroller', g: '#graph', s: '.code-scroller'}[event.key];
    if (event.key === 'Escape' && event.target === parts.search) {
      change({q: ''});
      table.scroller.focus();
    } else if (typing || (parts.help.open && event.key !== '?')) {
      return;
    } else if (focus) {
      const element = document.querySelector(focus);
      if (element) element.focus();
      if (element === parts.search) element.select();
    } else if (event.key === '?') {
      showHelp();
    } else {
      return;
    }
    event.preventDefault();
  });
}

// ---- the dialog: keys, what columns and colours mean, and what was recorded --------------------

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
