// SPDX-License-Identifier: Apache-2.0
// The schedule of the channel as a strip, with a cursor for each viewer.
import { titleOf } from './nowPlaying.js';

const BEFORE_MS = 45_000;
const AFTER_MS = 150_000;

function block(className, left, width, text) {
  const element = document.createElement('div');
  element.className = className;
  element.style.left = `${left}%`;
  if (width !== undefined) element.style.width = `${width}%`;
  element.textContent = text;
  return element;
}

export function showStrip(entries, viewers) {
  const from = Date.now() - BEFORE_MS;
  const percent = (ms) => (100 * ms) / (BEFORE_MS + AFTER_MS);
  const blocks = entries.map((entry) => {
    const label = entry.kind === 'break' ? `Break, ${Math.round(entry.duration)} s` : titleOf(entry);
    const start = percent(Date.parse(entry.startsAt) - from);
    const left = Math.max(0, start);
    return block(`entry ${entry.kind}`, left, start + percent(entry.duration * 1000) - left, label);
  });
  const cursors = viewers.flatMap(({ format, dateOf }) => {
    const date = dateOf();
    return date ? [block(`cursor ${format}`, percent(date.getTime() - from), undefined, format.toUpperCase())] : [];
  });
  const visible = blocks.filter((each) => Number.parseFloat(each.style.width) > 0);
  document.getElementById('strip').replaceChildren(...visible, ...cursors);
}
