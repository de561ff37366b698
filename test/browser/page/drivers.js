// SPDX-License-Identifier: Apache-2.0
// The players under test, each with its own defaults. A driver starts a player and returns what only the player provides: the
// date of the picture on screen, and its span (discontinuity, Period).
/* global Hls, shaka, dashjs, videojs */
import {
  collectAnnouncements,
  listenToCues,
  listenToDash,
  listenToInsertion,
  listenToInterstitials,
  listenToRxPlayer,
  listenToShaka,
} from './announcements.js';

/** Bundled for the tests and loaded only when it plays. */
const rxPlayer = './players/rx-player.js';
const videoJs = './players/video.js';

const loadScript = (src) =>
  new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement('script'), { src, onload, onerror }));
  });

const play = (video, note) => video.play().catch((error) => note({ fatal: false, what: 'play()', why: error.message }));

/**
 * Keeps the seek window of Shaka Player at its length, as docs/players.md recommends in "Shaka Player and live HLS": the window of
 * HLS shrinks when playlists arrive late, as on a busy machine. A seek range ends at most 15 s before the playlists.
 */
function keepWindow(player) {
  if (!Number.isNaN(player.getConfiguration().manifest.availabilityWindowOverride)) return;
  const { start, end } = player.seekRange();
  player.configure('manifest.availabilityWindowOverride', Math.max(60, end - start + 15));
}

export const drivers = {
  async 'hls.js'(video, url, note, config) {
    const hls = new Hls(config);
    let span;
    hls.on(Hls.Events.ERROR, (_, { fatal, type, details, reason, error }) =>
      note({ fatal, what: `${type}: ${details}`, why: reason ?? error?.message ?? '' }),
    );
    hls.on(Hls.Events.FRAG_CHANGED, (_, { frag }) => {
      span = frag.cc;
    });
    hls.loadSource(url);
    hls.attachMedia(video);
    play(video, note);
    const date = () => dateOfHls(hls, video);
    const announcements = collectAnnouncements(date);
    const stop = listenToCues(video, announcements);
    listenToInterstitials(hls, announcements, note);
    // The media element pauses where the content ends, and hls.js leaves it so for ads after the content.
    video.addEventListener('canplay', () => {
      if (video.paused && hls.interstitialsManager?.playingItem?.event?.cue.post) play(video, note);
    });
    const destroy = () => {
      stop();
      hls.destroy();
    };
    // hls.js resets a track that is selected before its buffer exists.
    const showText = () => {
      hls.subtitleTrack = -1;
      hls.once(Hls.Events.FRAG_BUFFERED, () => {
        hls.subtitleTrack = 0;
      });
    };
    return { date, span: () => span, announced: announcements.announced, showText, destroy };
  },

  async shaka(video, url, note, config) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    // Shaka Player also reports native errors as they are.
    const noteError = ({ severity, category, code, data, name, message }) =>
      note({
        fatal: severity === 2,
        what: `shaka ${category === undefined ? name : `${category}.${code}`}`,
        why: (category === undefined ? message : JSON.stringify(data))?.slice(0, 300) ?? '',
      });
    player.addEventListener('error', ({ detail }) => noteError(detail));
    const isOnDates = () => player.isLive() || player.getPresentationStartTimeAsDate?.() != null;
    // In DASH, the date of the playhead is at most that of the end of the seek range, which playback may have passed after an ad.
    const date = () => {
      if (!isOnDates()) return undefined;
      if (player.getManifestType() === 'HLS') return player.getPlayheadTimeAsDate()?.getTime();
      return player.getPresentationStartTimeAsDate().getTime() + video.currentTime * 1000;
    };
    const announcements = collectAnnouncements(date);
    listenToShaka(player, announcements);
    listenToInsertion(player, announcements, date, note);
    await player.attach(video);
    // Inserted ads play in a video element of their own; in that of the content, Shaka Player 5.2 misses breaks that are announced later.
    const container = document.createElement('div');
    document.body.append(container);
    player.getAdManager().setContainers(container, null);
    player.configure(config);
    await player.load(url).catch(noteError);
    if (player.isLive() && player.getManifestType() === 'HLS') keepWindow(player);
    play(video, note);
    return {
      date,
      announced: announcements.announced,
      span: () => spanOfShaka(player, video.currentTime),
      showText: () => player.selectTextTrack(player.getTextTracks()[0]),
      destroy: () => player.destroy(),
    };
  },

  async 'dash.js'(video, url, note, config) {
    const player = dashjs.MediaPlayer().create();
    let span;
    player.updateSettings({ debug: { logLevel: dashjs.Debug.LOG_LEVEL_NONE }, ...config });
    player.on(dashjs.MediaPlayer.events.ERROR, ({ error }) =>
      note({ fatal: true, what: `dash.js ${error?.code}`, why: error?.message ?? String(error) }),
    );
    player.on(dashjs.MediaPlayer.events.PERIOD_SWITCH_COMPLETED, ({ toStreamInfo }) => {
      span = toStreamInfo?.id;
    });
    const utc = () => (player.isDynamic() ? player.timeAsUTC() * 1000 : undefined);
    const date = () => (player.isReady() ? utc() : undefined);
    const announcements = collectAnnouncements(date);
    listenToDash(player, announcements);
    // With autoplay: dash.js 5.2 stops refreshing the MPD if play() is called before it has media.
    player.initialize(video, url, true);
    const showText = () => player.on(dashjs.MediaPlayer.events.TEXT_TRACKS_ADDED, () => player.setTextTrack(0));
    return { date, span: () => span, announced: announcements.announced, showText, destroy: () => player.destroy() };
  },

  async 'rx-player'(video, url, note, config) {
    const { default: RxPlayer } = await import(rxPlayer);
    const player = new RxPlayer({ videoElement: video });
    let span;
    const noteError = (fatal) => (error) =>
      note({ fatal, what: `rx-player ${error.code ?? error.name}`, why: error.message });
    player.addEventListener('error', noteError(true));
    player.addEventListener('warning', noteError(false));
    player.addEventListener('periodChange', ({ id }) => {
      span = id;
    });
    const date = () => (player.isLive() ? player.getWallClockTime() * 1000 : undefined);
    const announcements = collectAnnouncements(date);
    listenToRxPlayer(player, announcements);
    player.loadVideo({ url, transport: 'dash', autoPlay: true, ...config });
    const showText = () =>
      player.addEventListener('newAvailablePeriods', () => player.setTextTrack(player.getAvailableTextTracks()[0].id));
    return { date, span: () => span, announced: announcements.announced, showText, destroy: () => player.dispose() };
  },

  async 'video.js'(video, url, note, config) {
    await loadScript(videoJs);
    // Some versions of Chromium play HLS without it.
    const player = videojs(video, { html5: { vhs: { overrideNative: true }, ...config } });
    player.on('error', () => {
      const { code, message } = player.error();
      note({ fatal: true, what: `video.js ${code}`, why: message });
    });
    player.src({ src: url, type: url.includes('.mpd') ? 'application/dash+xml' : 'application/vnd.apple.mpegurl' });
    play(video, note);
    const nothing = () => undefined;
    return { date: nothing, span: nothing, announced: [], showText: nothing, destroy: () => player.dispose() };
  },
};

/**
 * `playingDate` of hls.js stands still from where the buffer reaches a break until the break is over: the media element belongs to
 * the ad.
 */
function dateOfHls(hls, video) {
  if (hls.media) return hls.playingDate?.getTime();
  const event = hls.interstitialsManager?.playingItem?.event;
  if (event && !event.appendInPlace) return undefined;
  const time = video.currentTime;
  const frag = hls.latestLevelDetails?.fragments.find(({ start, end }) => start <= time && time < end);
  return frag && frag.programDateTime + (time - frag.start) * 1000;
}

/** shaka joins Periods and discontinuities into one timeline; only the folder of the segments identifies a span. */
function spanOfShaka(player, time) {
  const active = player.getVariantTracks().find((track) => track.active);
  const variant = player.getManifest()?.variants.find(({ id }) => id === active?.id);
  // The folder of audio segments does not depend on the quality.
  const index = (variant?.audio ?? variant?.video)?.segmentIndex;
  const position = index?.find(time) ?? null;
  const reference = position === null ? null : index.get(position);
  return reference?.getUris()[0]?.replace(/[^/]*$/, '');
}
