// SPDX-License-Identifier: Apache-2.0
// What the three pages have in common: opens a session, shows the current ad, and opens another session when one has ended.
// The query string of the page selects the channel: ?live=https://live.example.com&channel=demo&key=watch-demo
const query = new URLSearchParams(location.search);
const live = query.get('live') ?? 'http://127.0.0.1:8081';
const channel = query.get('channel') ?? 'demo';
const key = query.get('key') ?? 'watch-demo';

const element = (id) => document.getElementById(id);
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Statuses after which the page tries again. 404: the channel is off air. 429: too many openings. 503: it is being prepared. */
const isTemporary = (status) => [404, 429].includes(status) || status >= 500;

/** @returns a new session: `mediaURL` is its manifest, `trackingURL` the feed of its ads */
async function openSession(format) {
  const url = `${live}/${format}/view/${channel}?${new URLSearchParams({ 'api-key': key })}`;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    if (response?.ok) return body;
    element('status').textContent = body?.message ?? 'Midroll cannot be reached.';
    if (response && !isTemporary(response.status)) throw new Error(body?.message);
    await wait(Number(response?.headers.get('retry-after')) || 3);
  }
}

const urlsOf = (ad, event) =>
  ad.trackingEvents.filter(({ eventType }) => eventType === event).flatMap(({ beaconUrls }) => beaconUrls);

const badge = element('ad');
const [title, countdown, link] = ['strong', 'span', 'a'].map((name) => document.createElement(name));
badge.append(title, ' ', countdown, ' ', link);
Object.assign(link, { textContent: 'More', target: '_blank', rel: 'noopener' });

/** Shows the ad that is on screen at a date, or none. */
function showAd(ads, date) {
  const startOf = (ad) => Date.parse(ad.adProgramDateTime);
  const endOf = (ad) => startOf(ad) + ad.durationInSeconds * 1000;
  const ad = date && ads.find((one) => startOf(one) <= date.getTime() && date.getTime() < endOf(one));
  badge.hidden = !ad;
  if (!ad) return;
  title.textContent = ad.adTitle;
  countdown.textContent = `${Math.ceil((endOf(ad) - date.getTime()) / 1000)} s`;
  const [target] = urlsOf(ad, 'clickThrough');
  link.hidden = !target;
  if (target && link.href !== target) link.href = target;
  // Clicks are always reported by the player, whatever the channel's `tracking` is.
  link.onclick = () => {
    for (const url of urlsOf(ad, 'clickTracking')) fetch(url, { mode: 'no-cors', keepalive: true }).catch(() => {});
  };
}

/** Shows the ads of a session until the session has ended. */
async function followAds({ trackingURL }, dateOf) {
  let ads = [];
  const timer = setInterval(() => showAd(ads, dateOf()), 250);
  for (;;) {
    const response = await fetch(trackingURL).catch(() => undefined);
    if (response?.status === 404) break;
    if (response?.ok) ads = (await response.json()).avails.flatMap((avail) => avail.ads);
    await wait(2);
  }
  clearInterval(timer);
  showAd([], undefined);
}

/**
 * @param format `hls` or `dash`
 * @param load plays a URL. It returns `date`, which returns the date of the picture on screen, and `destroy`.
 */
export async function watch(format, load) {
  for (;;) {
    const session = await openSession(format);
    element('status').textContent = '';
    const player = await load(session.mediaURL);
    await followAds(session, player.date);
    await player.destroy();
  }
}
