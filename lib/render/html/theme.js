// SPDX-License-Identifier: Apache-2.0
// theme.js - light or dark: as the reader's system has it, or as the reader has chosen. It runs before anything is
// drawn, so that nothing flashes.

const THEMES = ['auto', 'light', 'dark'];
const systemDark = matchMedia('(prefers-color-scheme: dark)');

// A browser may refuse storage to pages out of files: then the choice lasts as long as the page.
const theme = {
  name: 'auto',
  read() {
    try { this.name = localStorage.getItem('ojx-theme'); } catch { /* as it is */ }
    if (!THEMES.includes(this.name)) this.name = 'auto';
    this.apply();
  },
  choose(name) {
    this.name = name;
    try { localStorage.setItem('ojx-theme', name); } catch { /* for this page only */ }
    this.apply();
  },
  next() { this.choose(THEMES[(THEMES.indexOf(this.name) + 1) % THEMES.length]); },
  apply() {
    const dark = this.name === 'dark' || (this.name === 'auto' && systemDark.matches);
    document.documentElement.classList.toggle('dark', dark);
  },
};

theme.read();
