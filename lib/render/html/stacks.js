// SPDX-License-Identifier: Apache-2.0
// stacks.js - a stack as a list of frames that can be opened and copied.

const SHOWN_FRAMES = 6;

// "Foo.java:12", which an editor opens.
function placeOfFrame(frame) {
  if (frames.file[frame] < 0) return frameSite(frame);
  return strings[frames.file[frame]] + (frames.line[frame] > 0 ? ':' + frames.line[frame] : '');
}

// The frames of a stack, which show their source where open(frame) is given; the first `shown`, and the rest on demand.
function frameList(node, shown, open) {
  const stack = stackOf(node), own = lineAt(node);
  const list = make('ol', {class: 'stack'});
  const item = (frame, i) => make('li', {class: i === own ? 'own' : null},
    isFolded(frame) ? make('span', {class: 'note'}, frameSite(frame)) : !open ? make('span', {class: 'frame'}, frameText(frame)) :
      make('button', {type: 'button', class: 'frame', 'data-frame': frame, onclick: () => open(frame)}, frameText(frame)),
  isFolded(frame) ? null : copyButton(placeOfFrame(frame)));
  const most = Math.max(shown, own + 1);
  stack.slice(0, most).forEach((frame, i) => list.append(item(frame, i)));
  if (stack.length > most) {
    const more = make('button', {type: 'button', class: 'more', onclick: () => {
      more.parentElement.remove();
      stack.slice(most).forEach((frame, i) => list.append(item(frame, most + i)));
    }}, `… ${plural(stack.length - most, 'more frame')}`);
    list.append(make('li', {}, more));
  }
  return list;
}
