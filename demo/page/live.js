// SPDX-License-Identifier: Apache-2.0
// The live channel: two viewers, and what happens between the encoder and them. The buttons act on the origin.
import { minutes, showAt } from './nowPlaying.js';
import { every, json, openViewer } from './players.js';

const section = document.getElementById('live');
const buttons = Object.fromEntries([...section.querySelectorAll('button')].map((button) => [button.name, button]));
const clock = (at) => new Date(at).toLocaleTimeString();

let status = { encoder: { state: 'starting' }, breaks: [] };

/** One step on the way from the encoder to the viewers. */
function showStep(name, tone, title, detail = '') {
  const step = section.querySelector(`[data-step="${name}"]`);
  step.dataset.tone = tone;
  step.querySelector('strong').textContent = title;
  step.querySelector('small').textContent = detail;
}

const tones = { running: 'good', starting: 'quiet', stopped: 'bad' };
const titles = { running: 'Running', starting: 'Starting', stopped: 'Stopped' };

function showOrigin({ state, breakEndsIn, breakStartsIn, held }) {
  if (state !== 'running') return showStep('origin', 'quiet', 'Nothing new');
  if (held) return showStep('origin', 'good', 'Film', held);
  if (breakEndsIn !== undefined) return showStep('origin', 'ad', 'Break', `${breakEndsIn} s left`);
  return showStep(
    'origin',
    'good',
    'Film',
    breakStartsIn === undefined ? '' : `next break in ${minutes(breakStartsIn)}`,
  );
}

const onAir = { source: 'Origin on air', backup: 'Backup on air', slate: 'Slate on air' };

function showMidroll({ health, reason }) {
  if (!health) return showStep('midroll', 'quiet', 'Starting', reason);
  const { state, since, onAir: kind } = health;
  const isOk = state === 'ok' || state === 'idle';
  const shown = onAir[kind?.kind];
  const from = since && !isOk ? `since ${clock(since)}` : '';
  showStep('midroll', isOk ? 'good' : 'bad', `Origin ${state}`, [from, shown].filter(Boolean).join(' · '));
}

function showReason({ encoder, health }) {
  const reason = encoder.reason ?? (health?.state === 'ok' ? undefined : health?.reason);
  const line = section.querySelector('.reason');
  line.hidden = reason === undefined;
  line.textContent = reason ?? '';
}

function showLatest(breaks) {
  const rows = breaks.map(({ startsAt, source, duration, endsAt }) => {
    const row = document.createElement('tr');
    const length = endsAt ? Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 1000) : undefined;
    const cells = [
      clock(startsAt),
      source,
      duration === undefined ? '' : `${duration} s`,
      length ? `${length} s` : '–',
    ];
    for (const text of cells) row.insertCell().textContent = text;
    return row;
  });
  section.querySelector('tbody').replaceChildren(...rows);
  section.querySelector('.latest').hidden = rows.length === 0;
}

function show(next) {
  status = next;
  const { encoder, breaks } = status;
  showStep('encoder', tones[encoder.state], titles[encoder.state], `since ${clock(encoder.since)}`);
  showOrigin(encoder);
  showMidroll(status);
  showReason(status);
  showLatest(breaks);
  const isRunning = encoder.state === 'running';
  buttons['send-break'].disabled = !isRunning || encoder.held !== undefined || encoder.breakEndsIn !== undefined;
  buttons['end-break'].disabled = !isRunning || encoder.breakEndsIn === undefined;
  buttons['stop-encoder'].hidden = encoder.state === 'stopped';
  buttons['start-encoder'].hidden = !buttons['stop-encoder'].hidden;
}

/** Slate of a break, slate in the place of the origin, or the film. */
function contentAt({ avails }, at) {
  const isIn = ({ availProgramDateTime, durationInSeconds }) => {
    const start = Date.parse(availProgramDateTime);
    return start <= at && at < start + durationInSeconds * 1000;
  };
  const { kind, since } = status.health?.onAir ?? {};
  // No film is newer than the stop of its encoder.
  const { state, since: stoppedAt } = status.encoder;
  if (state === 'stopped' && at > Date.parse(stoppedAt) + 1000) return 'Slate';
  return avails.some(isIn) || (kind === 'slate' && at >= Date.parse(since)) ? 'Slate' : 'Film';
}

/** Whether a player has not moved for two seconds. */
function isWaiting(viewer, at) {
  if (viewer.at !== at) Object.assign(viewer, { at, movedAt: Date.now() });
  return Date.now() - viewer.movedAt > 2000;
}

function showViewers(viewers) {
  const seen = viewers.flatMap((viewer) => {
    const at = viewer.dateOf()?.getTime();
    if (at === undefined) return [];
    showAt(viewer, at, () => (isWaiting(viewer, at) ? 'Waiting' : contentAt(viewer, at)));
    return [{ at, text: viewer.card.querySelector('.now').textContent }];
  });
  if (seen.length === 0) return;
  const ad = seen.find(({ text }) => text.startsWith('Ad: '));
  const { text, at } = ad ?? seen[0];
  const tone = ad ? 'ad' : text === 'Film' ? 'good' : 'bad';
  showStep('viewers', tone, ad ? 'Ads' : text, `${Math.round((Date.now() - at) / 1000)} s behind`);
}

/** Tries again until the channel is on air. */
async function keepOpening(channel, format, viewers) {
  const card = document.getElementById(`live-${format}`);
  try {
    viewers.push(await openViewer(channel, format, card));
  } catch {
    card.querySelector('.now').textContent = 'The channel is starting…';
    setTimeout(() => keepOpening(channel, format, viewers), 1500);
  }
}

export function watchLive(channel) {
  section.hidden = false;
  for (const [name, button] of Object.entries(buttons))
    button.addEventListener('click', async () => {
      button.disabled = true;
      await json(`live/${name}`, { method: 'POST' }).then(show, () => undefined);
      if (name.endsWith('encoder')) button.disabled = false;
    });
  every(1000, async () => show(await json('live/status')));
  const viewers = [];
  for (const format of ['hls', 'dash']) keepOpening(channel, format, viewers);
  setInterval(() => showViewers(viewers), 250);
}
