// SPDX-License-Identifier: Apache-2.0
// Two viewers of one channel: hls.js on the left, shaka-player on the right. What plays is read from the tracking feed of each
// session and from the schedule of the channel, at the position of each viewer.
/* global Hls, shaka */
import { showBreaks, showNow } from './nowPlaying.js';
import { showStrip } from './strip.js';

const json = async (url) => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.json();
};
const config = await json('config.json');
document.getElementById('ad-server').href = config.adServerUrl;

const players = {
  async hls(video, url) {
    const hls = new Hls();
    // hls.js stops after a few failed requests, such as during a restart of Midroll.
    hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
      if (fatal && type === Hls.ErrorTypes.NETWORK_ERROR) setTimeout(() => hls.startLoad(), 3000);
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    return () => hls.playingDate;
  },
  async dash(video, url) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    await player.attach(video);
    await player.load(url);
    return () => (video.readyState > 0 ? player.getPlayheadTimeAsDate() : null);
  },
};

async function watch(format) {
  const card = document.getElementById(format);
  const video = card.querySelector('video');
  const name = new URLSearchParams(location.search).get('viewer');
  const query = new URLSearchParams({ 'api-key': config.channelKey, ...(name ? { viewer: `${name}-${format}` } : {}) });
  const { mediaURL, sessionId, trackingURL } = await json(
    `${config.liveUrl}/${format}/view/${config.channelId}?${query}`,
  );
  const dateOf = await players[format](video, mediaURL);
  video.play().catch(() => undefined);
  return { format, card, video, session: sessionId, trackingURL, dateOf, avails: [] };
}

const viewers = (
  await Promise.all(
    ['hls', 'dash'].map((format) =>
      watch(format).catch((error) => {
        document.querySelector(`#${format} .now`).textContent = error.message;
      }),
    ),
  )
).filter(Boolean);

let entries = [];
async function readTimeline() {
  const [from, to] = [Date.now() - 90_000, Date.now() + 240_000].map((at) => new Date(at).toISOString());
  entries = (await json(`timeline?from=${from}&to=${to}`)).entries;
}
async function readFeed(viewer) {
  viewer.avails = (await json(viewer.trackingURL)).avails;
  showBreaks(viewer);
}
const every = (ms, work) => {
  const repeat = () =>
    work()
      .catch(() => undefined)
      .finally(() => setTimeout(repeat, ms));
  repeat();
};
every(5000, readTimeline);
for (const viewer of viewers) every(2000, () => readFeed(viewer));

setInterval(() => {
  for (const viewer of viewers) showNow(viewer, entries);
  showStrip(entries, viewers);
}, 250);
