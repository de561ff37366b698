// SPDX-License-Identifier: Apache-2.0
// What the pages have in common: opens a session, shows the current ad, and opens another session when one has ended.
// The query string of the page selects the channel: ?live=https://live.example.com&channel=demo&key=watch-demo
// Its other parameters are sent when a session is opened, such as `content` of a VoD channel.
const page = { live: 'http://127.0.0.1:8081', channel: 'demo', key: 'watch-demo' };
const { live, channel, key, ...others } = { ...page, ...Object.fromEntries(new URLSearchParams(location.search)) };

const element = (id) => document.getElementById(id);
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Statuses after which the page tries again. 404: the channel is off air. 429: too many openings. 503: it is being prepared. */
const isTemporary = (status) => [404, 429].includes(status) || status >= 500;

/**
 * @param parameters of the opening request, such as `start`
 * @returns a new session: `mediaURL` is its manifest, `trackingURL` the feed of its ads; on demand also `breaks`
 */
export async function openSession(format, parameters = {}) {
  const url = `${live}/${format}/view/${channel}?${new URLSearchParams({ ...others, ...parameters, 'api-key': key })}`;
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

/**
 * Shows the ad that is on screen, or none.
 * @param now seconds, on the same clock as `startOf(ad)`
 */
function showAd(ads, now, startOf) {
  const endOf = (ad) => startOf(ad) + ad.durationInSeconds;
  const ad = ads.find((one) => startOf(one) <= now && now < endOf(one));
  badge.hidden = !ad;
  if (!ad) return;
  title.textContent = ad.adTitle;
  countdown.textContent = `${Math.ceil(endOf(ad) - now)} s`;
  const [target] = urlsOf(ad, 'clickThrough');
  link.hidden = !target;
  if (target && link.href !== target) link.href = target;
  // Clicks are always reported by the player, whatever the channel's `tracking` is.
  link.onclick = () => {
    for (const url of urlsOf(ad, 'clickTracking')) fetch(url, { mode: 'no-cors', keepalive: true }).catch(() => {});
  };
}

/**
 * Shows the ads of a session until the session has ended.
 * @param dateOf the date of the picture on screen. On demand, the player's position is used.
 */
export async function followAds({ trackingURL, breaks }, dateOf) {
  const isVod = breaks !== undefined;
  function now() {
    if (!isVod) return dateOf()?.getTime() / 1000;
    const { currentTime, readyState } = document.querySelector('video');
    return readyState > 0 ? currentTime : undefined;
  }
  const startOf = (ad) => (isVod ? ad.startTimeInSeconds : Date.parse(ad.adProgramDateTime) / 1000);
  let ads = [];
  const timer = setInterval(() => showAd(ads, now(), startOf), 250);
  for (;;) {
    const response = await fetch(trackingURL).catch(() => undefined);
    if (response?.status === 404) break;
    if (response?.ok) ads = (await response.json()).avails.flatMap((avail) => avail.ads);
    // On demand, the first response is complete.
    await wait(isVod ? 60 : 2);
  }
  clearInterval(timer);
  badge.hidden = true;
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
