// SPDX-License-Identifier: Apache-2.0
// state.js - what the reader looks at is a state, and the state is in the address behind '#': so the back button goes back,
// and an address can be handed on. Everything shown follows from it: a page has DEFAULTS, METRICS, readState() and draw().

let state = {};

// The state in the address, by name; what the address lacks has its default. The numbers of rows, items and frames need
// to be checked.
function givenState() {
  const given = new URLSearchParams(location.hash.slice(1)), read = {};
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const text = given.get(name);
    const number = Number.parseInt(text, 10);
    read[name] = text === null ? value : typeof value === 'string' ? text : Number.isSafeInteger(number) ? number : value;
  }
  if (!Object.hasOwn(METRICS, read.metric)) read.metric = DEFAULTS.metric;
  read.zoom = Math.max(0, read.zoom);
  read.box = Math.max(0, read.box);
  return read;
}

function restore() {
  state = readState();
  draw();
}

function address() {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(DEFAULTS))
    if (state[name] !== value) given.set(name, state[name]);
  return '#' + given;
}

// Changes the state: lastingly, so that the back button returns to the state before, or in passing.
function change(changes, lasting = true) {
  Object.assign(state, changes);
  const hash = address();
  if (hash !== (location.hash || '#')) {
    // Some browsers refuse this to pages opened as files; then the hash is set instead.
    try {
      if (lasting) history.pushState(null, '', hash);
      else history.replaceState(null, '', hash);
    } catch {
      if (lasting) location.hash = hash;
      else location.replace(hash);
    }
  }
  draw();
}
