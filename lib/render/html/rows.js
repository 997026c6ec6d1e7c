// SPDX-License-Identifier: Apache-2.0
// rows.js - what a report, and not a comparison, has of its rows: verdicts, evidence, fields, uses. Nothing here touches the
// page.

const VERDICTS = ['unknown', 'replica', 'few-values', 'partial', 'distinct', 'alike-at-end', 'some-equal', 'changing'];
const REPLICA_WATCH = 1, REPLICA_SCAN = 2;
const ROW_CUT = 1, ROW_DEEP = 2, ROW_SAVED_DEEP = 4, ROW_SHORT = 8;
const severalJvms = data.recording.jvms.length > 1;
const gainCount = data.gains || rowCount; // rows with something to save or to fix, which come first; or all

function enough(row) { return figure('pairs', row) >= data.min_pairs; }

// Whether there is enough evidence for a figure that is a column.
const EVIDENCE = Object.fromEntries(data.columns.map(([name, , , , evidence]) => [name, evidence]));
function measured(name, row) { return EVIDENCE[name] === null || figure(EVIDENCE[name], row) >= data.min_pairs; }

// Whether contents of a row's objects were looked at often enough for any statement.
function lookedAt(row) { return enough(row) || figure('scanned', row) >= data.min_pairs; }

// ---- details of one row ---------------------------------------------------------------------

const chunkElements = document.querySelectorAll('script.chunk');
const chunks = [];

function unflatten(flat, names) {
  const rows = [];
  for (let i = 0; i < flat.length; i += names.length) {
    const row = {};
    names.forEach((name, k) => { row[name] = flat[i + k]; });
    rows.push(row);
  }
  return rows;
}

// {fields, accesses, fieldCount, accessCount, evidence, callers}. The counts include what was left out; evidence and callers
// are null if they were left out.
function detailsOf(row) {
  const index = Math.floor(row / data.chunk);
  chunks[index] ||= JSON.parse(chunkElements[index].textContent);
  const [fields, accesses, fieldCount, accessCount, evidence, callers] = chunks[index][row % data.chunk];
  return {
    fields: unflatten(fields, ['position', 'name', 'declarer', 'type', 'offset', 'pairs', 'equal']),
    accesses: unflatten(accesses, ['node', 'uses', 'pairs', 'equal', 'near']),
    fieldCount, accessCount, callers, evidence: evidence && unflatten(evidence, ['label', 'text']),
  };
}
