// SPDX-License-Identifier: Apache-2.0
// Opens a session of a channel in a player: hls.js for HLS, shaka-player for DASH.
/* global Hls, shaka */
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

/** @param card the element of the viewer @throws when the channel is not on air */
export async function openViewer({ liveUrl, channelId, channelKey }, format, card) {
  const video = card.querySelector('video');
  const name = new URLSearchParams(location.search).get('viewer');
  const query = new URLSearchParams({ 'api-key': channelKey, ...(name ? { viewer: `${name}-${format}` } : {}) });
  const { mediaURL, sessionId, trackingURL } = await json(`${liveUrl}/${format}/view/${channelId}?${query}`);
  const dateOf = await players[format](video, mediaURL);
  video.play().catch(() => undefined);
  return { format, card, video, session: sessionId, trackingURL, dateOf, avails: [] };
}
