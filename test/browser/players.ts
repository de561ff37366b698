// Real players in a real Chromium: plays an address for a while and tells what a viewer would have seen.
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { sendPage } from '../../demo/sendPage.ts';
import { readTarget, sendFile } from '../../demo/serveFolder.ts';
import { bundleRxPlayer } from './bundleRxPlayer.ts';
import { launchChromium } from './launchChromium.ts';
import { type BusyTime, watchLoad } from './machineLoad.ts';

type PlayerName = 'hls.js' | 'shaka' | 'dash.js' | 'rx-player';

/** Milliseconds since 1970, when it was over. */
type Noticed = { readonly wall: number };

/** All times in seconds; positions on the video element's time line. */
export type PlayReport = {
  readonly errors: readonly (Noticed & {
    readonly fatal: boolean;
    readonly what: string;
    readonly why: string;
    readonly at: number;
  })[];
  /** Where the picture stood still for over half a second after the first frame, and for how long. */
  readonly stalls: readonly (Noticed & { readonly at: number; readonly length: number })[];
  /** Jumps after the first frame, which are all the player's own, and how much of what was jumped over was not buffered. */
  readonly seeks: readonly (Noticed & { readonly from: number; readonly to: number; readonly hole: number })[];
  /** When others took the machine's time while it played. */
  readonly busy: readonly BusyTime[];
  /** How many spans (discontinuities, Periods) were seen, counting the first; 0 where the player does not tell. */
  readonly spans: number;
  /** Now minus the date of the picture, once a second; empty for VoD. */
  readonly latency: readonly number[];
  /** What was written over the picture, and over pictures of which dates (milliseconds since 1970). */
  readonly cues: readonly { readonly text: string; readonly from: number; readonly to: number }[];
  /** Until the first frame; null when none came. */
  readonly startup: number | null;
  readonly from: number | null;
  readonly to: number;
  /** Wall-clock time from the first frame on. */
  readonly watched: number;
  /** How much of that the machine's audio clock stood still: no fault of the stream. */
  readonly clockLost: number;
  readonly ended: boolean;
  readonly frames: number;
  readonly dropped: number;
  readonly longestFrameGap: number;
  readonly buffered: readonly (readonly [number, number])[];
  /** When more than one range was buffered. */
  readonly holes: readonly (Noticed & { readonly at: number })[];
  /** Breaks and ads as the player told of them, each once, and the date of the picture at that moment. */
  readonly announced: readonly { readonly kind: string; readonly id: string | number; readonly at: number | null }[];
};

export type NetworkLog = (url: string, isAnswered: boolean) => void;

type Playing = {
  /** Goes to the player as it is. */
  readonly config?: object;
  /** Whether the first of its subtitles is shown. */
  readonly wantsText?: boolean;
  /** Milliseconds; eight minutes unless given. Once they are over it reports all the same. */
  readonly patience?: number;
  /** Is told of every request that the browser sends, and again when it has been answered. */
  readonly heard?: NetworkLog;
};

type Question = (seen: PlayReport) => boolean | Promise<boolean>;

export type Players = {
  /** @param holds what is waited for: an expression about the report so far, `seen`, or a question that is given it */
  playUntil(player: PlayerName, url: string, holds: string | Question, playing?: Playing): Promise<PlayReport>;
  close(): Promise<void>;
};

/** Milliseconds. Who waited in vain reports all the same: what was seen says more than that it took too long. */
const PATIENCE = 480_000;

async function untilSeen(page: Page, holds: string | Question, patience = PATIENCE): Promise<void> {
  if (typeof holds === 'string') {
    // As text: the code of the page is not the test's, and has other globals.
    const wait = page.waitForFunction(`((seen) => ${holds})(window.seen())`, undefined, {
      timeout: patience,
      polling: 100,
    });
    await wait.catch(() => {});
    return;
  }
  const deadline = Date.now() + patience;
  const look = async () => holds((await page.evaluate('window.seen()')) as PlayReport);
  while (!(await look()) && Date.now() < deadline) await sleep(250);
}

/** Milliseconds; the videos of these tests say something more often. */
const SILENCE = 30_000;

/**
 * A player that was starved of time may give up its subtitles for good, as hls.js 1.7 does now and then. Its viewer chooses
 * them once more; on a machine that had time for it, nobody does.
 */
function keepText(page: Page, load: ReturnType<typeof watchLoad>): () => void {
  let cues = -1;
  let since = Date.now();
  const timer = setInterval(async () => {
    const seen = (await page.evaluate('window.seen?.().cues.length').catch(() => cues)) as number;
    if (seen !== cues) [cues, since] = [seen, Date.now()];
    if (Date.now() - since < SILENCE || load.since(since).length === 0) return;
    since = Date.now();
    await page.evaluate('window.showText()').catch(() => {});
  }, 1000);
  return () => clearInterval(timer);
}

export async function openPlayers(): Promise<Players> {
  let rxPlayer: Promise<string> | undefined;
  const server = createServer(async (request, response) => {
    const { path } = readTarget(request);
    if (path !== '/players/rx-player.js') {
      return sendPage(request, response, join(import.meta.dirname, 'page'), path);
    }
    rxPlayer ??= bundleRxPlayer();
    const file = await rxPlayer;
    return sendFile(request, response, dirname(file), `/${basename(file)}`);
  });
  const home = await listenFrom(server, 0);
  const load = watchLoad();
  const browser = await launchChromium();
  async function play(
    player: PlayerName,
    url: string,
    wait: (page: Page) => Promise<unknown>,
    { config = {}, wantsText = false, heard }: Playing = {},
  ) {
    const page = await browser.newPage();
    const opened = Date.now();
    page.on('request', (request) => heard?.(request.url(), false));
    page.on('response', (response) => heard?.(response.url(), true));
    await page.goto(home, { waitUntil: 'load' });
    await page.waitForFunction('window.begin');
    const told = [player, url, config, wantsText].map((each) => JSON.stringify(each)).join();
    await page.evaluate(`window.begin(${told})`);
    const stop = wantsText ? keepText(page, load) : () => {};
    await wait(page).finally(stop);
    const seen = (await page.evaluate('window.finish()')) as Omit<PlayReport, 'busy'>;
    const report = { ...seen, busy: load.since(opened) };
    await page.close();
    return report;
  }
  return {
    playUntil: (player, url, holds, playing) =>
      play(player, url, (page) => untilSeen(page, holds, playing?.patience), playing),
    async close() {
      load.close();
      await browser.close();
      await closeServer(server);
    },
  };
}
