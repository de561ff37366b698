// SPDX-License-Identifier: Apache-2.0
// Two viewers of each channel: hls.js on the left, shaka-player on the right. What plays is read from the tracking feed of each
// session and from the schedule of the linear channel, at the position of each viewer.
import { watchCluster } from './cluster.js';
import { watchLive } from './live.js';
import { showNow } from './nowPlaying.js';
import { every, insertion, json, openViewer } from './players.js';
import { showStrip } from './strip.js';

const config = await json('config.json');
document.getElementById('ad-server').href = config.adServerUrl;
const { liveUrl, hasCluster } = config;
if (hasCluster) watchCluster();
if (config.live) watchLive({ liveUrl, hasCluster, ...config.live });

const viewers = (
  await Promise.all(
    ['hls', 'dash'].map((format) =>
      openViewer(config, format, document.getElementById(format)).catch((error) => {
        document.querySelector(`#${format} .now`).textContent = error.message;
      }),
    ),
  )
).filter(Boolean);

const isGuided = document.getElementById('guided');
isGuided.checked = insertion === 'guided';
isGuided.addEventListener('change', () => {
  const query = new URLSearchParams(location.search);
  query.set('insertion', isGuided.checked ? 'guided' : 'stitched');
  location.search = query;
});

let entries = [];
async function readTimeline() {
  const [from, to] = [Date.now() - 90_000, Date.now() + 240_000].map((at) => new Date(at).toISOString());
  entries = (await json(`timeline?from=${from}&to=${to}`)).entries;
}
every(5000, readTimeline);

setInterval(() => {
  for (const viewer of viewers) showNow(viewer, entries);
  showStrip(entries, viewers);
}, 250);
