// The players under test, each with its own defaults. A driver starts one and says what only it can know: the date of
// the picture on screen and the span (discontinuity, Period) that it belongs to.
/* global Hls, shaka, dashjs */
import { hearInCues, hearInDash, hearInRxPlayer, hearInShaka, hearing } from './announcements.js';

/** A module of its own, bundled for the tests: only those load it that play it. */
const rxPlayer = './players/rx-player.js';

const play = (video, note) => video.play().catch((error) => note({ fatal: false, what: 'play()', why: error.message }));

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
    const date = () => hls.playingDate?.getTime();
    const announced = hearing(date);
    const stop = hearInCues(video, announced);
    const destroy = () => {
      stop();
      hls.destroy();
    };
    // Chosen before its track exists, it would be given up again.
    const showText = () => {
      hls.subtitleTrack = -1;
      hls.once(Hls.Events.FRAG_BUFFERED, () => {
        hls.subtitleTrack = 0;
      });
    };
    return { date, span: () => span, announced: announced.heard, showText, destroy };
  },

  async shaka(video, url, note, config) {
    shaka.polyfill.installAll();
    const player = new shaka.Player();
    const noteError = ({ severity, category, code, data }) =>
      note({
        fatal: severity === 2,
        what: `shaka ${category}.${code}`,
        why: JSON.stringify(data)?.slice(0, 300) ?? '',
      });
    player.addEventListener('error', ({ detail }) => noteError(detail));
    const isOnDates = () => player.isLive() || player.getPresentationStartTimeAsDate?.() != null;
    const date = () => (isOnDates() ? player.getPlayheadTimeAsDate()?.getTime() : undefined);
    const announced = hearing(date);
    hearInShaka(player, announced);
    await player.attach(video);
    player.configure(config);
    await player.load(url).catch(noteError);
    play(video, note);
    return {
      date,
      announced: announced.heard,
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
    const announced = hearing(date);
    hearInDash(player, announced);
    // It plays by itself; a play() of ours, before it has media, would end its refreshing of the MPD (dash.js 5.2).
    player.initialize(video, url, true);
    const showText = () => player.on(dashjs.MediaPlayer.events.TEXT_TRACKS_ADDED, () => player.setTextTrack(0));
    return { date, span: () => span, announced: announced.heard, showText, destroy: () => player.destroy() };
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
    const announced = hearing(date);
    hearInRxPlayer(player, announced);
    player.loadVideo({ url, transport: 'dash', autoPlay: true, ...config });
    const showText = () =>
      player.addEventListener('newAvailablePeriods', () => player.setTextTrack(player.getAvailableTextTracks()[0].id));
    return { date, span: () => span, announced: announced.heard, showText, destroy: () => player.dispose() };
  },
};

/** shaka lays Periods and discontinuities end to end; what is left of a span is the folder that its segments lie in. */
function spanOfShaka(player, time) {
  const active = player.getVariantTracks().find((track) => track.active);
  const variant = player.getManifest()?.variants.find(({ id }) => id === active?.id);
  // Audio, where there is some, does not change its folder when the quality changes.
  const index = (variant?.audio ?? variant?.video)?.segmentIndex;
  const position = index?.find(time) ?? null;
  const reference = position === null ? null : index.get(position);
  return reference?.getUris()[0]?.replace(/[^/]*$/, '');
}
