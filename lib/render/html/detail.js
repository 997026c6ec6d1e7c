// SPDX-License-Identifier: Apache-2.0
// detail.js - the chosen row: first what to do about it, then its stack. The evidence is folded.

const SHOWN_FIELDS = 40, SHOWN_ACCESSES = 12;

// What was allocated. It is made here for rows far down the report, which have no text of their own.
function allocated(row) {
  const min = figure('size_min', row), max = figure('size_max', row);
  const size = min === null ? '' : min === max ? `${bytes(max)} each, ` : `${bytes(min)} to ${bytes(max)} each, `;
  return `${bytes(figure('bytes', row))} in ${plural(figure('objects', row), 'object')} (${size}${figure('sampled', row)} sampled)`;
}

// The evidence in words, {label, text} for each line; a line that continues the previous one has no label.
function evidence(row, lines) {
  return lines ?? [['verdict', verdictText(row) + ':'], ['allocated', allocated(row)], ['pairs', '']].map(([label, text]) => ({label, text}));
}

function evidenceList(row, lines) {
  const list = make('dl');
  for (const {label, text} of lines) {
    if (['', 'verdict', 'problem', 'fix', 'saves'].includes(label)) continue; // shares are drawn, the others are above
    const value = make('dd', {}, ...(label === 'pairs' ? pairsBar(row) : [unbroken(text)]));
    list.append(make('dt', {}, label), value);
  }
  return list;
}

// The three kinds of pairs as one bar.
function pairsBar(row) {
  const kinds = [['a', 'equal content'], ['b', 'an equal value only'], ['c', 'different']];
  const bar = make('div', {class: 'pairs', 'aria-hidden': 'true'});
  for (const [name] of kinds) {
    const part = make('i', {class: 'pair-' + name});
    part.style.flexGrow = figure(name, row);
    bar.append(part);
  }
  const words = kinds.map(([name, text]) => make('span', {class: 'key pair-' + name},
    `${count(figure(name, row))} ${text}`));
  const few = enough(row) ? [] : [make('span', {}, `too few (< ${data.min_pairs}) for any share: `)];
  return [...(figure('pairs', row) > 0 ? [bar] : []), make('span', {class: 'keys'}, ...few, ...words)];
}

// One share on a scale of 0 to 100 %, with its interval.
function scaleRow(title, name, row, help) {
  const value = figure(name, row), low = figure(name + '_low', row), high = figure(name + '_high', row);
  if (value === null) return null;
  const track = make('span', {class: 'track', 'aria-hidden': 'true'});
  if (low !== null && high !== null) {
    const range = make('i', {class: 'span'});
    range.style.left = low * 100 + '%';
    range.style.width = (high - low) * 100 + '%';
    track.append(range);
  }
  const dot = make('i', {class: 'dot'});
  dot.style.left = value * 100 + '%';
  track.append(dot);
  return make('div', {class: 'share', title: help}, make('span', {}, title), track,
    make('b', {}, percent(value) + ' %'), make('span', {class: 'interval'}, interval(low, high)));
}

function shares(row) {
  const list = [];
  if (enough(row)) {
    list.push(scaleRow('θ', 'theta', row, 'pairs with an equal value'),
      scaleRow('identical', 'identical', row, 'pairs with equal content'),
      scaleRow('α', 'alpha', row, 'pairs with an equal value among those of unequal content'),
      scaleRow('ω', 'omega', row, 'lower bound of the largest group of identical objects'),
      scaleRow('γ', 'gamma', row, 'its upper bound'));
  }
  if (measured('group', row)) list.push(scaleRow('largest group', 'group', row, 'the largest group of identical objects, as scanned'));
  if (measured('deep', row)) list.push(scaleRow('largest, deep', 'deep', row, 'of objects that are equal with what they refer to'));
  return list.filter(Boolean);
}

// A part that the reader can open. It stays open for the next row.
const opened = new Set();

function folded(title, ...children) {
  const key = title.split(/[ ,]/)[0], part = make('details', {open: opened.has(key)}, make('summary', {}, title), ...children);
  part.addEventListener('toggle', () => { if (part.open) opened.add(key); else opened.delete(key); });
  return part;
}

// ---- fields -----------------------------------------------------------------------------------

function fieldName(field, row) {
  if (field.name < 0) return classOf(row).endsWith('[]') ? `[${field.position}]` : '#' + field.position;
  const declarer = field.declarer < 0 ? '' : strings[field.declarer];
  return (declarer && declarer !== classOf(row) ? simpleName(declarer) + '.' : '') + strings[field.name];
}

function fieldType(field, row) {
  if (field.type >= 0) return strings[field.type];
  return classOf(row).endsWith('[]') ? classOf(row).slice(0, -2) : '?';
}

function fieldsWhen(row) {
  return {[REPLICA_WATCH]: ' when used', [REPLICA_SCAN]: ' at the end of life'}[figure('fields_source', row)] || '';
}

function fieldsTable(row, details) {
  if (details.fields.length === 0) return null;
  const body = make('tbody');
  for (const field of details.fields.slice(0, SHOWN_FIELDS)) {
    const share = field.pairs > 0 ? field.equal / field.pairs : null;
    const bar = make('span', {class: 'meter'}, make('i'));
    bar.firstChild.style.width = (share ?? 0) * 100 + '%';
    bar.firstChild.style.background = shareColor(share ?? 0).fill;
    body.append(make('tr', {}, make('td', {}, fieldName(field, row)), make('td', {class: 'type'}, fieldType(field, row)),
      make('td', {class: 'number'}, field.offset < 0 ? DASH : String(field.offset)),
      make('td', {}, bar, percent(share) + ' %'),
      make('td', {class: 'number'}, `${count(field.equal)} of ${count(field.pairs)}`)));
  }
  const rest = details.fieldCount - Math.min(SHOWN_FIELDS, details.fields.length);
  return folded((classOf(row).endsWith('[]') ? 'Elements, compared in pairs' : 'Fields, compared in pairs') + fieldsWhen(row),
    make('table', {class: 'fields'}, make('thead', {}, make('tr', {}, ...['name', 'type', 'offset', 'equal', 'pairs']
      .map((title) => make('th', {scope: 'col'}, title)))), body),
    rest > 0 ? make('p', {class: 'note'}, `and ${rest} more`) : null);
}

// ---- stacks -----------------------------------------------------------------------------------

function allocationStack(row, open) {
  const common = figure('common', row), node = contexts.node[row];
  const places = figure('places', row), section = make('section', {}, make('h3', {}, 'Allocated at'));
  if (places > 1 && data.grouping !== 'context')
    section.append(make('p', {class: 'note'}, `${plural(places, 'place')}; most of it (${percent(figure('share', row))} %) here, ` +
      `${plural(common, 'frame')} of which ${common === 1 ? 'is' : 'are'} common to all.`));
  section.append(node >= 0 ? frameList(node, SHOWN_FRAMES, open) : make('p', {class: 'note'}, 'The stack is not known.'));
  if (figure('flags', row) & ROW_CUT)
    section.append(make('p', {class: 'note'}, figure('flags', row) & ROW_SHORT ?
      'Cut here: the program has very many stacks.' : 'Cut here: deeper than ojx record --max-stack.'));
  return section;
}

// Who calls the line, as the text's tree.
function callersTree(details) {
  if (!details.callers?.length) return null;
  const [title, ...lines] = details.callers, least = Math.min(...lines.map((line) => line.search(/\S/)));
  return make('section', {}, make('h3', {}, capital(title.trim())),
    make('pre', {class: 'callers', tabindex: '0'}, lines.map((line) => line.slice(least)).join('\n')));
}

function accessList(details, open) {
  if (details.accesses.length === 0) return null;
  const total = details.accesses.reduce((sum, access) => sum + access.uses, 0);
  const section = folded(`Used at ${plural(details.accessCount, 'place')}`);
  for (const access of details.accesses.slice(0, SHOWN_ACCESSES)) {
    section.append(make('p', {class: 'use'}, make('b', {}, percent(total > 0 ? access.uses / total : null) + ' %'),
      ` of the uses; value equal in ${count(access.equal)} of ${plural(access.pairs, 'pair')}${access.near ? ', near' : ''}`),
    frameList(access.node, 3, open));
  }
  const rest = details.accessCount - Math.min(SHOWN_ACCESSES, details.accesses.length);
  if (rest > 0) section.append(make('p', {class: 'note'}, `and ${plural(rest, 'more place')}; the flame graph has those seen most.`));
  return section;
}

// What merging saves, in the words of the report.
function amounts(row, saves) {
  const all = data.total ? ` (${percent(figure('likely', row) / data.total.bytes)} % of all bytes)` : '';
  if (figure('saved', row) > 0)
    return [make('b', {}, `likely ${bytes(figure('likely', row))}`), `${all} saved; `, saves ?? `at least ${bytes(figure('saved', row))}`];
  if (figure('end', row) > 0) return [make('b', {}, bytes(figure('end', row))), ' alike at the end of life; no saving is proven'];
  return ['No saving is proven. ', saves ?? ''];
}

function advice(problem, fix) {
  if (!fix) return null;
  return make('dl', {class: 'advice'}, make('dt', {}, 'Problem'), make('dd', {}, ...sentence(problem ?? '')),
    make('dt', {}, 'Fix'), make('dd', {class: 'fix'}, ...sentence(fix)));
}

function rowTitle(row) {
  const place = placeName(row), frame = ownFrame(row);
  return make('h2', {}, make('bdi', {title: frame < 0 ? place : frameText(frame)}, place), ' ', copyButton(place), ' ',
    make('small', {title: classOf(row)}, classOf(row) + (severalJvms ? `, JVM ${figure('pid', row)}` : '')));
}

// Fills the panes: what to do, and below the source everything else; open(frame) shows the source of a frame.
function showDetail(pane, rest, row, open) {
  rest.replaceChildren();
  if (row < 0) {
    pane.replaceChildren(make('p', {class: 'note'}, rowCount ? `Choose a ${rowNoun} in the table.` : 'No object was sampled.'));
    return;
  }
  const details = detailsOf(row), verdict = VERDICTS[figure('verdict', row)], lines = evidence(row, details.evidence);
  const say = (name) => {
    const line = lines.find(({label}) => label === name);
    return line && unbroken(line.text);
  };
  const judgement = say('verdict');
  pane.replaceChildren(rowTitle(row), ...[
    make('p', {class: 'judgement'}, make('span', {class: 'badge ' + verdict}, verdictText(row)),
      ' ' + judgement.slice(judgement.indexOf(':') + 1)),
    make('p', {class: 'amounts'}, ...amounts(row, say('saves'))), advice(say('problem'), say('fix'))].filter(Boolean));
  rest.replaceChildren(...[callersTree(details), allocationStack(row, open), folded('Statistics', ...shares(row), evidenceList(row, lines)),
    fieldsTable(row, details), accessList(details, open)].filter(Boolean));
}
