// SPDX-License-Identifier: Apache-2.0
// Opens a session of a channel in a player: hls.js for HLS, shaka-player for DASH.
/* global Hls, shaka */
// The page is at the root of its server, so the same path leads there in the repository and in the browser.
import { followAds } from '../../examples/midroll-ads.js';
import { hlsDate, insertAds } from './guidedDates.js';
import { showBreaks } from './nowPlaying.js';

export const json = async (url, options) => {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.json();
};

export const every = (ms, work) => {
  const repeat = () =>
    work()
      .catch(() => undefined)
      .finally(() => setTimeout(repeat, ms));
  repeat();
};

/** Who inserts the ads: the switch of the page. */
export const insertion = new URLSearchParams(location.search).get('insertion') ?? 'stitched';

const players = {
  async hls(video, url, onManifest) {
    const hls = new Hls();
    // Only of a cluster: browsers report a header that a server does not expose as an error.
    if (onManifest)
      hls.on(Hls.Events.LEVEL_LOADED, (_, { networkDetails }) =>
        onManifest(networkDetails.getResponseHeader('x-served-by')),
      );
    // hls.js stops after a few failed requests, such as during a restart of Midroll.
    hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
      if (fatal && type === Hls.ErrorTypes.NETWORK_ERROR) setTimeout(() => hls.startLoad(), 3000);
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    return () => hlsDate(hls);
  },
  async dash(video, url, onManifest) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    player.getNetworkingEngine().registerResponseFilter((type, { headers }) => {
      if (type === shaka.net.NetworkingEngine.RequestType.MANIFEST) onManifest?.(headers['x-served-by']);
    });
    await player.attach(video);
    const adDate = insertion === 'guided' ? insertAds(player, video) : () => undefined;
    await player.load(url);
    return () => adDate() ?? (video.readyState > 0 ? player.getPlayheadTimeAsDate() : null);
  },
};

/** All viewers of this page. */
export const opened = [];

/** @param card the element of the viewer @throws when the channel is not on air */
export async function openViewer({ liveUrl, channelId, channelKey, hasCluster }, format, card) {
  const video = card.querySelector('video');
  const name = new URLSearchParams(location.search).get('viewer');
  const query = new URLSearchParams({
    insertion,
    'api-key': channelKey,
    ...(name ? { viewer: `${name}-${format}` } : {}),
  });
  const { mediaURL, sessionId, trackingURL } = await json(`${liveUrl}/${format}/view/${channelId}?${query}`);
  const viewer = { format, card, video, session: sessionId, dateOf: () => null, avails: [] };
  // The last one of the nodes that nginx tried.
  const onManifest = (tried) => {
    viewer.servedBy = tried?.split(', ').at(-1) ?? viewer.servedBy;
  };
  viewer.dateOf = await players[format](video, mediaURL, hasCluster ? onManifest : undefined);
  const trace = card.querySelector('.trace');
  trace.href = `console/sessions/${sessionId}`;
  trace.hidden = false;
  viewer.ads = followAds(trackingURL, viewer.dateOf, {
    show(shown, avails) {
      viewer.shown = shown;
      if (avails !== viewer.avails) showBreaks(Object.assign(viewer, { avails }));
    },
  });
  opened.push(viewer);
  video.play().catch(() => undefined);
  return viewer;
}
