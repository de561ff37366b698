// SPDX-License-Identifier: Apache-2.0
// Midroll with an origin and an ad server, started and closed together.
import { realClock, type TestClock } from '../clock/testClock.ts';
import { createVirtualClock } from '../clock/virtualClock.ts';
import { type AdHost, startAdHost } from './adHost.ts';
import { type MediaOrigin, startMediaOrigin } from './mediaOrigin.ts';
import { type Midroll, startMidroll } from './midroll.ts';
import { startMidrollInProcess } from './midrollInProcess.ts';
import { makeSpot, makeVideo, type VideoShape } from './testVideos.ts';
import { type Viewer, type Watching, watch } from './viewer.ts';

export type Cue = { readonly spliceTime: number; readonly maxDuration: number; readonly maxAds?: number };
export type Item = { readonly sourceType: 'url'; readonly url: string; readonly cuePoints: readonly Cue[] };

/** A break in the trace of a session. */
export type TracedBreak = {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Seconds. */
  readonly duration: number;
  readonly status: 'filled' | 'partial' | 'empty';
  readonly reason?: { readonly code: string; readonly text: string };
  readonly slate: number;
  readonly ads: readonly {
    readonly adId: string;
    readonly title: string;
    readonly outcome: 'stitched' | 'skipped';
    readonly duration: number;
    /** Seconds, of an ad that was cut. */
    readonly shown?: number;
    readonly startsAt?: string;
    readonly delivered?: { readonly seconds: number };
    readonly creative?: { readonly use: string; readonly reason?: string };
    readonly reason?: { readonly code: string; readonly text: string };
  }[];
};

export const titlesOf = ({ ads }: TracedBreak): string[] =>
  ads.flatMap(({ title, outcome }) => (outcome === 'stitched' ? [title] : []));

/** A break without its deliveries, which change until all beacons are sent. */
export const decisionOf = (one: TracedBreak) => ({
  ...one,
  ads: one.ads.map((ad) => ({ ...ad, delivered: undefined })),
});

export type Stage = {
  readonly clock: TestClock;
  readonly midroll: Midroll;
  readonly origin: MediaOrigin;
  readonly adHost: AdHost;
  /** Returns the URL of a video's manifest. Equal shapes share one video. */
  video(shape: VideoShape): Promise<string>;
  /** Returns the URL of an MP4 creative of so many seconds. */
  spot(seconds: number): Promise<string>;
  /** Creates a playlist and an enabled channel with the same id. The channel's key is `key`. */
  air(id: string, contents: readonly Item[], channel?: object, playlist?: object): Promise<void>;
  /** Watches a channel until the viewer leaves or the stage closes. */
  watch(channel: string, how?: Partial<Watching>): Promise<Viewer>;
  /** The breaks of a viewer, oldest first. */
  breaks(viewer: Viewer): Promise<TracedBreak[]>;
  /** Sends a request that must succeed. @returns the JSON of the response */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  api(method: string, path: string, body?: object): Promise<any>;
  /** Waits on the clock. */
  until(what: string, isTrue: () => unknown | Promise<unknown>, minutes?: number): Promise<void>;
  /** Adds a function that runs when the stage closes. */
  onClose(end: () => Promise<void>): void;
  close(): Promise<void>;
};

export const item = (url: string, ...cuePoints: readonly Cue[]): Item => ({ sourceType: 'url', url, cuePoints });

/** The adSource of a channel: a path of the ad host, with the viewer's name as a parameter. */
export const adSource = (adHost: AdHost, path: string) => ({
  url: `${adHost.url}${path}?viewer=[PLAYER.viewer]&break=[BREAK_ID]`,
});

/** Everything in this process, on a virtual clock. */
export const openVirtualStage = (
  settings: Readonly<Record<string, string>> = {},
  startsAt?: number,
): Promise<Stage> => {
  const clock = createVirtualClock(startsAt);
  return openStage(clock, () => startMidrollInProcess(clock, settings));
};

/** Midroll as a separate process, in real time. */
export const openRealStage = (settings: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  openStage(realClock(), () => startMidroll(settings));

/** Does something on a stage, which is closed at its end. Tests that run at the same time cannot use `openedInTest`. */
export async function onStage(opening: Promise<Stage>, work: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await opening;
  try {
    await work(stage);
  } finally {
    await stage.close();
  }
}

/** For a process that the test has started. The stage closes it. */
export const openStageOf = (midroll: Midroll): Promise<Stage> => openStage(realClock(), async () => midroll);

async function openStage(clock: TestClock, start: () => Promise<Midroll>): Promise<Stage> {
  const [midroll, origin, adHost] = await Promise.all([start(), startMediaOrigin(), startAdHost()]);
  const viewers: Viewer[] = [];
  const endings: (() => Promise<void>)[] = [];
  const made = new Map<string, Promise<string>>();
  const once = (key: string, make: (name: string) => Promise<string>): Promise<string> => {
    const known = made.get(key) ?? make(`m${made.size}`).then((path) => origin.url + path);
    made.set(key, known);
    return known;
  };
  return {
    clock,
    midroll,
    origin,
    adHost,
    video: (shape) => once(JSON.stringify(shape), (name) => makeVideo(origin.folder, name, shape)),
    spot: (seconds) => once(`spot ${seconds}`, (name) => makeSpot(origin.folder, name, seconds)),
    async air(id, contents, channel = {}, playlist = {}) {
      await midroll.create('playlists', { id, status: 'enabled', contents, ...playlist });
      await midroll.create('channels', { id, state: 'enabled', apiKey: 'key', playlistId: id, ...channel });
    },
    async watch(channel, how = {}) {
      const viewer = await watch({ clock, liveUrl: midroll.liveUrl, channel, apiKey: 'key', ...how });
      viewers.push(viewer);
      return viewer;
    },
    async breaks({ session }) {
      const { json } = await midroll.api('GET', `/sessions/${session}`);
      return json.breaks.map((one: { startsAt: string }) => ({ ...one, at: Date.parse(one.startsAt) }));
    },
    async api(method, path, body) {
      const { status, json } = await midroll.api(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(json)}`);
      return json;
    },
    async until(what, isTrue, minutes = 30) {
      const end = clock.now() + minutes * 60_000;
      while (!(await isTrue())) {
        if (clock.now() > end) throw new Error(`not within ${minutes} minutes: ${what}`);
        await clock.sleep(1000);
      }
    },
    onClose: (end) => void endings.push(end),
    async close() {
      await Promise.all(viewers.map((viewer) => viewer.leave()));
      await Promise.all([midroll.close(), origin.close(), adHost.close(), ...endings.map((end) => end())]);
      await clock.stop();
    },
  };
}
