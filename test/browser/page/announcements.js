// SPDX-License-Identifier: Apache-2.0
// Collects the breaks and ads that manifests announce, as an application without an SDK receives them from a player.
/* global Hls */

const AD = 'urn:svta:advertising-wg:ad-creative-signaling';
const BREAK = 'urn:midroll:break:2026';

/** @param date returns the date of the picture on screen */
export function collectAnnouncements(date) {
  const announced = [];
  const known = new Set();
  const add = (kind, id) => {
    if (known.has(`${kind} ${id}`)) return;
    known.add(`${kind} ${id}`);
    announced.push({ kind, id, at: date() ?? null });
  };
  const addSignal = (json) => add('ad', JSON.parse(json).payload[0].identifiers[0].value);
  return { announced, add, addSignal };
}

/** hls.js creates a cue for each X- attribute of a date range. */
export function listenToCues(video, { add, addSignal }) {
  const look = () => {
    for (const track of video.textTracks) {
      for (const { value } of track.activeCues ?? []) {
        if (value?.key === 'X-MIDROLL-BREAK') add('break', value.data);
        if (value?.key === 'X-AD-CREATIVE-SIGNALING') addSignal(atob(value.data));
      }
    }
  };
  const timer = setInterval(look, 100);
  return () => clearInterval(timer);
}

/** shaka reports date ranges and events as regions, and its own ad events for ad creative signaling. */
export function listenToShaka(player, { add, addSignal }) {
  player.addEventListener('timelineregionenter', ({ detail }) => {
    const { schemeIdUri, id, eventNode, values } = detail;
    const text = eventNode?.children?.join('') ?? '';
    if (schemeIdUri === BREAK) add('break', text || id);
    if (schemeIdUri === AD) addSignal(text || atob(values.find(({ key }) => key === 'X-AD-CREATIVE-SIGNALING').data));
  });
  let started = 0;
  player.getAdManager().addEventListener('ad-started', () => {
    started += 1;
    add('shaka ad', started);
  });
}

export function listenToDash(player, { add, addSignal }) {
  const mode = { mode: 'eventModeOnStart' };
  player.on(BREAK, ({ event }) => add('break', event.messageData), undefined, mode);
  player.on(AD, ({ event }) => addSignal(event.messageData), undefined, mode);
}

export function listenToRxPlayer(player, { add, addSignal }) {
  player.addEventListener('streamEvent', ({ data: { value } }) => {
    if (value.schemeIdUri === BREAK) add('break', value.element.textContent);
    if (value.schemeIdUri === AD) addSignal(value.element.textContent);
  });
}

/** What hls.js does with interstitials. @param note receives errors */
export function listenToInterstitials(hls, { announced }, note) {
  const { Events } = Hls;
  const report = (kind, id, more) => announced.push({ kind, id, at: hls.playingDate?.getTime() ?? null, ...more });
  hls.on(Events.INTERSTITIAL_STARTED, (_, { event }) =>
    report('break started', event.identifier, { isInPlace: event.appendInPlace }),
  );
  hls.on(Events.INTERSTITIAL_ASSET_STARTED, (_, { asset }) => report('ad started', asset.identifier));
  hls.on(Events.INTERSTITIAL_ASSET_ENDED, (_, { asset }) => report('ad ended', asset.identifier));
  hls.on(Events.INTERSTITIAL_ENDED, (_, { event }) => report('break ended', event.identifier));
  hls.on(Events.INTERSTITIAL_ASSET_ERROR, (_, { details, error }) =>
    note({ fatal: true, what: `interstitial ${details}`, why: error?.message ?? '' }),
  );
}

/** What shaka does with interstitials and alternative MPDs. @param note receives errors */
export function listenToInsertion(player, { announced }, date, note) {
  const ads = player.getAdManager();
  const report = (kind) => announced.push({ kind, id: '', at: date() ?? null });
  const kinds = {
    'ad-started': 'ad started',
    'ad-complete': 'ad ended',
    'ad-skipped': 'ad skipped',
    'ad-break-ready': 'break',
  };
  for (const [name, kind] of Object.entries(kinds)) ads.addEventListener(name, () => report(kind));
  ads.addEventListener('ad-error', ({ originalEvent }) =>
    note({ fatal: true, what: 'shaka ad-error', why: JSON.stringify(originalEvent?.detail ?? originalEvent ?? '') }),
  );
}
