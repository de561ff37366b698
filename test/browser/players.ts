// SPDX-License-Identifier: Apache-2.0
// Plays a URL with a real player in Chromium and reports what a viewer would have seen.
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startServer } from '../../demo/listen.ts';
import { sendPage } from '../../demo/sendPage.ts';
import { readTarget, sendFile } from '../../demo/serveFolder.ts';
import { inTurn } from '../../src/playback/live/appendQueue.ts';
import { bundleRxPlayer } from './bundleRxPlayer.ts';
import { connectChromium } from './connectChromium.ts';
import { type BusyTime, watchLoad } from './machineLoad.ts';

/** Players, with a format that each plays. */
export const playerFormats = [
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const;

export type PlayerName = 'hls.js' | 'shaka' | 'dash.js' | 'rx-player' | 'video.js';

/** When it ended, in milliseconds since 1970. */
type Noticed = { readonly wall: number };

type SeenFrame = Noticed & {
  /** Of the ad. */
  readonly second: number;
  /** The date of the content in milliseconds since 1970; null where the player states none. */
  readonly date: number | null;
  /** Its media time in its video element. */
  readonly media: number;
};
export type SeenPicture = { readonly what: string; readonly first: SeenFrame; readonly last: SeenFrame };

/** All times in seconds; positions on the video element's time line. */
export type PlayReport = {
  readonly errors: readonly (Noticed & {
    readonly fatal: boolean;
    readonly what: string;
    readonly why: string;
    readonly at: number;
  })[];
  /** Where the picture froze for more than half a second after the first frame, and for how long. */
  readonly stalls: readonly (Noticed & { readonly at: number; readonly length: number })[];
  /** Where the audio clock stopped for as long, and the picture with it. */
  readonly clockStops: readonly (Noticed & { readonly at: number; readonly length: number })[];
  /** When a player that shows subtitles had none for more than 30 seconds. */
  readonly silences: readonly (Noticed & { readonly length: number })[];
  /** The player's own seeks after the first frame, and how much of the skipped range was not buffered. */
  readonly seeks: readonly (Noticed & { readonly from: number; readonly to: number; readonly hole: number })[];
  /** Seeks of the test after which playback has continued: the position then sought to, and the span that plays. */
  readonly resumed: readonly { readonly target: number; readonly at: number; readonly span?: string | number }[];
  /** When the machine was busy during playback. */
  readonly busy: readonly BusyTime[];
  /** The number of spans (discontinuities, Periods) played, with the first; 0 if the player does not report them. */
  readonly spans: number;
  /** Now minus the date of the picture, once a second; empty for VoD. */
  readonly latency: readonly number[];
  /** Subtitle cues on screen, with the dates of the pictures below them in milliseconds since 1970. */
  readonly cues: readonly { readonly text: string; readonly from: number; readonly to: number }[];
  /** Time to the first frame; null without one. */
  readonly startup: number | null;
  readonly from: number | null;
  readonly to: number;
  /** The date of the picture at that position, in milliseconds since 1970; null for VoD. */
  readonly date: number | null;
  /** Wall-clock time since the position last changed; 0 at the end. */
  readonly frozen: number;
  /** Wall-clock time from the first frame on. */
  readonly watched: number;
  /** How long the machine's audio clock stopped in that time, which is not a fault of the stream. */
  readonly clockLost: number;
  readonly ended: boolean;
  /** The time of this report, in milliseconds since 1970. */
  readonly wall: number;
  readonly duration: number | null;
  readonly frames: number;
  readonly dropped: number;
  readonly longestFrameGap: number;
  /** Gaps of more than 250 ms between two frames after the first. */
  readonly gaps: readonly (Noticed & { readonly at: number; readonly length: number })[];
  readonly buffered: readonly (readonly [number, number])[];
  /** When more than one range was buffered. */
  readonly holes: readonly (Noticed & { readonly at: number })[];
  /** Breaks and ads that the player reported, each once, with the date of the picture at that moment. */
  readonly announced: readonly {
    readonly kind: string;
    readonly id: string | number;
    readonly at: number | null;
    /** Whether hls.js appends the ads of a break to the buffers of the content. */
    readonly isInPlace?: boolean;
  }[];
  /** What was on screen, in this order: content, or an ad of `guided/colouredAds.ts`. */
  readonly pictures: readonly SeenPicture[];
  /** Where no element showed a frame for more than half a second, and what was on screen before and after. Milliseconds. */
  readonly stills: readonly (Noticed & { readonly before: string; readonly after: string; readonly length: number })[];
  /** Where beeps were heard, and how many milliseconds later than their flash was drawn; negative if they were early. */
  readonly heard: readonly { readonly at: number; readonly late: number }[];
};

/** @param status of a response */
export type NetworkLog = (url: string, isResponse: boolean, status?: number) => void;

type Playing = {
  /** The player's configuration. */
  readonly config?: object;
  /** The playback rate; default 1. */
  readonly rate?: number;
  /** Whether to show the first subtitle track. */
  readonly showsText?: boolean;
  /** Whether to listen for beeps and look for flashes. */
  readonly hears?: boolean;
  /** Whether to note which ads are on screen. */
  readonly looks?: boolean;
  /** Milliseconds; default eight minutes. After a timeout the report is returned nevertheless. */
  readonly timeoutMs?: number;
  /** Called for every request of the browser, and again for its response. */
  readonly onNetwork?: NetworkLog;
};

type Condition = (seen: PlayReport) => boolean | Promise<boolean>;

/** A player in a page that stays open. */
export type Watched = {
  /** Returns the report so far when it holds, or after a timeout. */
  until(holds: string | Condition): Promise<PlayReport>;
  /** Seeks, and returns the report when playback has continued, or after a timeout. */
  seek(to: number): Promise<PlayReport>;
  /** Closes the page. */
  finish(): Promise<PlayReport>;
};

export type Players = {
  watch(player: PlayerName, url: string, playing?: Playing): Promise<Watched>;
  /** @param holds the condition to wait for: an expression over `seen`, the report so far, or a function of it */
  playUntil(player: PlayerName, url: string, holds: string | Condition, playing?: Playing): Promise<PlayReport>;
  close(): Promise<void>;
};

/** Milliseconds. After a timeout the report is returned nevertheless: it shows more than a timeout error. */
const PLAY_TIMEOUT_MS = 480_000;
/** Milliseconds until the next player starts, although this one has shown no frame. */
const START_TIMEOUT_MS = 10_000;

async function untilSeen(page: Page, holds: string | Condition, timeoutMs = PLAY_TIMEOUT_MS): Promise<void> {
  if (typeof holds === 'string') {
    // As text, because the page has other globals than the test.
    const wait = page.waitForFunction(`((seen) => ${holds})(window.seen())`, undefined, {
      timeout: timeoutMs,
      polling: 100,
    });
    await wait.catch(() => {});
    return;
  }
  const deadline = Date.now() + timeoutMs;
  const look = async () => holds((await page.evaluate('window.seen()')) as PlayReport);
  while (!(await look()) && Date.now() < deadline) await sleep(250);
}

const require = createRequire(import.meta.url);
/** The demo's page has the other players. */
const files: Readonly<Record<string, string>> = {
  '/players/dash.js': require.resolve('dashjs'),
  '/players/video.js': join(dirname(require.resolve('video.js')), 'video.min.js'),
};

export async function openPlayers(): Promise<Players> {
  let rxPlayer: Promise<string> | undefined;
  const server = await startServer(async (request, response) => {
    const { path } = readTarget(request);
    if (path === '/players/rx-player.js') rxPlayer ??= bundleRxPlayer();
    const file = path === '/players/rx-player.js' ? await rxPlayer! : files[path];
    if (file !== undefined) return sendFile(request, response, dirname(file), `/${basename(file)}`);
    return sendPage(request, response, join(import.meta.dirname, 'page'), path);
  });
  const load = watchLoad();
  const browser = await connectChromium();
  /** Players start one after the other: a start takes the processor from those that play. */
  const start = inTurn(async (page: Page, parameters: string) => {
    await page.goto(server.url, { waitUntil: 'load' });
    await page.waitForFunction('window.begin');
    await page.evaluate(`window.begin(${parameters})`);
    await untilSeen(page, 'seen.startup !== null', START_TIMEOUT_MS);
  });
  async function watch(
    player: PlayerName,
    url: string,
    { config = {}, showsText = false, hears = false, looks = false, rate = 1, timeoutMs, onNetwork }: Playing = {},
  ): Promise<Watched> {
    const page = await browser.newPage();
    const opened = Date.now();
    page.on('request', (request) => onNetwork?.(request.url(), false));
    page.on('response', (response) => onNetwork?.(response.url(), true, response.status()));
    const parameters = [player, url, config, showsText, rate, hears, looks].map((each) => JSON.stringify(each)).join();
    await start(page, parameters);
    const report = async (expression: string) => {
      const seen = (await page.evaluate(expression)) as Omit<PlayReport, 'busy'>;
      return { ...seen, busy: load.since(opened) };
    };
    let seeks = 0;
    return {
      async until(holds) {
        await untilSeen(page, holds, timeoutMs);
        return report('window.seen()');
      },
      async seek(to) {
        seeks += 1;
        await page.evaluate(`window.seekTo(${to})`);
        await untilSeen(page, `seen.resumed.length >= ${seeks}`, timeoutMs);
        return report('window.seen()');
      },
      async finish() {
        const last = await report('window.finish()');
        await page.close();
        return last;
      },
    };
  }
  return {
    watch,
    async playUntil(player, url, holds, playing) {
      const watched = await watch(player, url, playing);
      await watched.until(holds);
      return watched.finish();
    },
    async close() {
      load.close();
      await browser.close();
      await server.close();
    },
  };
}
