// SPDX-License-Identifier: Apache-2.0
// What the pages have in common: opens a session, shows the current ad, and opens another session when one has ended.
// The query string of the page selects the channel: ?live=https://live.example.com&channel=demo&key=watch-demo
// Its other parameters are sent when a session is opened, such as `content` of a VoD channel.
import { followAds } from './midroll-ads.js';

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

const badge = element('ad');
const [title, countdown, link] = ['strong', 'span', 'a'].map((name) => document.createElement(name));
badge.append(title, ' ', countdown, ' ', link);
Object.assign(link, { textContent: 'More', target: '_blank', rel: 'noopener' });

/** Shows the ad that is on screen, or none. */
function showAd(shown) {
  badge.hidden = !shown;
  if (!shown) return;
  title.textContent = shown.ad.adTitle;
  countdown.textContent = `${Math.ceil(shown.left)} s`;
  link.hidden = !shown.link;
  if (shown.link && link.href !== shown.link) link.href = shown.link;
}

/**
 * Shows the ads of a session until the session has ended.
 * @param dateOf the date of the picture on screen. On demand, the player's position is used.
 */
export async function showAds({ trackingURL, breaks }, dateOf) {
  function position() {
    if (breaks === undefined) return dateOf();
    const { currentTime, readyState } = document.querySelector('video');
    return readyState > 0 ? currentTime : undefined;
  }
  await new Promise((end) => {
    const ads = followAds(trackingURL, position, { show: showAd, end });
    // Clicks are always reported by the player, whatever the channel's `tracking` is.
    link.onclick = () => ads.track('clickTracking');
  });
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
    await showAds(session, player.date);
    await player.destroy();
  }
}
