// SPDX-License-Identifier: Apache-2.0
// The card of one viewer: what plays now, the position in the pod, and the ads of the latest breaks.
export const titleOf = ({ kind, url }) => {
  if (kind === 'break') return 'Break';
  const folder = url ? decodeURIComponent(new URL(url).pathname.split('/').at(-2) ?? '') : '';
  return folder ? folder[0].toUpperCase() + folder.slice(1) : 'Slate';
};
const startOf = (entry) => Date.parse(entry.startsAt);
const endOf = (entry) => startOf(entry) + entry.duration * 1000;
export const entryAt = (entries, at) => entries.find((entry) => startOf(entry) <= at && at < endOf(entry));

export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function showCountdown(entries, at) {
  const current = entryAt(entries, at);
  const inBreak = current?.kind === 'break';
  const next = inBreak ? current : entries.find((entry) => entry.kind === 'break' && startOf(entry) > at);
  document.getElementById('countdown-label').textContent = inBreak ? 'Break ends in' : 'Next break in';
  const until = next && (inBreak ? endOf(next) : startOf(next)) - at;
  document.getElementById('countdown').textContent = next ? minutes(until / 1000) : '–';
}

/** A link to the advertiser, whose click is reported. */
function showBadge({ card, ads }, { number, count, left, link }) {
  const badge = card.querySelector('.badge');
  const anchor = badge.querySelector('a') ?? document.createElement('a');
  Object.assign(anchor, { target: '_blank', onclick: () => ads.track('clickTracking') });
  if (anchor.href !== link) anchor.href = link;
  anchor.textContent = `Ad ${number} of ${count} · ${Math.ceil(left)} s`;
  badge.append(anchor);
}

/** What the viewer sees: the ad at the position of the player, or `otherwise` of that position. */
export function showAt(viewer, at, otherwise) {
  const { card, video, session, shown } = viewer;
  card.dataset.at = at;
  const now = card.querySelector('.now');
  now.classList.toggle('ad', Boolean(shown));
  now.textContent = shown ? `Ad: ${shown.ad.adTitle}` : otherwise(at);
  card.querySelector('.badge').hidden = !shown;
  if (shown) showBadge(viewer, shown);
  const behind = ((Date.now() - at) / 1000).toFixed(1);
  card.querySelector('.about').textContent =
    `${video.videoWidth}×${video.videoHeight} · ${behind} s behind live · session ${session}`;
}

export function showNow(viewer, entries) {
  const at = viewer.dateOf()?.getTime();
  if (at === undefined) return;
  if (viewer.format === 'hls') showCountdown(entries, at);
  showAt(viewer, at, () => {
    const entry = entryAt(entries, at);
    return entry ? (entry.kind === 'break' ? 'Slate' : titleOf(entry)) : '';
  });
}

export function showBreaks({ card, avails }) {
  const lines = avails
    .slice(-4)
    .reverse()
    .map(({ availProgramDateTime, ads }) => {
      const line = document.createElement('li');
      const time = document.createElement('time');
      time.textContent = new Date(availProgramDateTime).toLocaleTimeString();
      line.append(time, ads.length > 0 ? ads.map(({ adTitle }) => adTitle).join(', ') : 'Slate');
      return line;
    });
  card.querySelector('.breaks').replaceChildren(...lines);
}
