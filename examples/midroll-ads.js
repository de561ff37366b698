// SPDX-License-Identifier: Apache-2.0
// The ad on screen and its beacons, from Midroll's tracking feed: docs/players.md.

/**
 * `ad`: as in the feed. Seconds: `left`, `breakLeft`, `skipIn` until it may be skipped.
 * @typedef {{ ad: any, number: number, count: number, left: number, breakLeft: number, skipIn?: number, link?: string }} Shown
 */

const endOf = (one) => one.startTimeInSeconds + one.durationInSeconds;

const fill = (url) =>
  url
    .replaceAll('[CACHEBUSTING]', `${Math.random()}`.slice(2, 10))
    .replaceAll('[TIMESTAMP]', encodeURIComponent(new Date().toISOString()));

/** @param {string[]} urls */
export function call(urls) {
  for (const url of urls) fetch(fill(url), { mode: 'no-cors', keepalive: true }).catch(() => {});
}

const urlsOf = (subject, type) =>
  subject.trackingEvents.filter((one) => one.eventType === type).flatMap((one) => one.beaconUrls);

/** @param {any[]} avails of the feed @param {number} at seconds from its zero */
export function adAt(avails, at) {
  const isAt = (one) => one.startTimeInSeconds <= at && at < endOf(one);
  const avail = avails.find(({ ads }) => ads.some(isAt));
  const ad = avail?.ads.find(isAt);
  if (!ad) return undefined;
  const offset = ad.skipOffset?.split(':').reduce((sum, part) => sum * 60 + parseFloat(part), 0);
  const skipAfter = ad.skipOffset?.endsWith('%') ? (ad.durationInSeconds * offset) / 100 : offset;
  const [link] = urlsOf(ad, 'clickThrough');
  return {
    ad,
    number: avail.ads.indexOf(ad) + 1,
    count: avail.ads.length,
    left: endOf(ad) - at,
    breakLeft: endOf(avail) - at,
    skipIn: skipAfter && Math.max(0, ad.startTimeInSeconds + skipAfter - at),
    link: link && fill(link),
  };
}

/** What playback causes. */
const playbackEvents = ({ breakId, ads, adBreakTrackingEvents }) =>
  [{ breakId, trackingEvents: adBreakTrackingEvents }, ...ads]
    .flatMap(({ trackingEvents, adId, breakId }) => trackingEvents.map((event) => ({ ...event, adId, breakId })))
    .filter((event) => event.durationInSeconds === 0 || event.eventType === 'impression');

/**
 * @param {string} trackingURL
 * @param {() => Date | number | null | undefined} position the date of the picture; on demand, seconds
 * @param {{ show?: (shown: Shown | undefined, avails: any[]) => void, end?: () => void, confirms?: boolean }} options
 */
export function followAds(trackingURL, position, { show, end, confirms } = {}) {
  let feed = { avails: [] };
  let [ticks, from, last] = [0, 0, NaN];
  let shown;
  const sent = new Set();

  async function read() {
    const response = await fetch(trackingURL);
    if (response.ok) feed = await response.json();
    if (response.status !== 404) return;
    end?.();
    stop();
  }

  function report(events) {
    for (const { eventId, beaconUrls } of events) {
      sent.add(eventId);
      call(beaconUrls);
    }
    const body = JSON.stringify({ events: events.map(({ beaconUrls, ...one }) => one) });
    if (confirms && events[0]) fetch(`${trackingURL}/confirmations`, { method: 'POST', body }).catch(() => {});
  }

  const timer = setInterval(() => {
    const now = position() ?? NaN;
    const [at, zero] = now instanceof Date ? [+now / 1000, Date.parse(feed.presentationZeroDateTime) / 1000] : [now, 0];
    // On demand, one is complete.
    if (ticks++ % (feed.tracking && now === at ? 240 : 8) === 0) read().catch(() => {});
    shown = adAt(feed.avails, at - zero);
    show?.(shown, feed.avails);
    // Not what a seek passes or ends at, nor anything before the picture moves.
    if (!(Math.abs(at - last) < 3)) from = at;
    else if (at > last) {
      const isNew = ({ eventId, eventType, startTimeInSeconds: time }) =>
        from + (/start|imp/i.test(eventType) ? -0.5 : 0.5) <= time + zero &&
        time + zero <= at + 0.25 &&
        !sent.has(eventId);
      report(feed.avails.flatMap(playbackEvents).filter(isNew));
    }
    last = at;
  }, 250);

  function stop() {
    clearInterval(timer);
    end = undefined;
  }
  return { stop, track: (type, subject = shown?.ad) => subject && call(urlsOf(subject, type)) };
}
