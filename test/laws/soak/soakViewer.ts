// SPDX-License-Identifier: Apache-2.0
// A viewer of the soak: polls its manifests as a player does, each request at any node, and checks every law on their text.
import { AppError } from '../../../src/errors.ts';
import { mpdOf as writeMpdOf } from '../../../src/http/live/manifests/manifestTexts.ts';
import type { View } from '../../../src/playback/view/view.ts';
import type { Session } from '../../../src/sessions/session.ts';
import { type Clock, sleep, within } from '../../../src/time/clock.ts';
import { createDashListing } from '../../live/dashListing.ts';
import { isOurs, readHls, readMpd, type SeenSegment } from '../readBack.ts';
import { hlsOf } from '../syntheticChannel.ts';
import { ColumnWitness, RowsWitness } from '../witness.ts';
import type { SoakNode } from './soakNode.ts';

export type Watched = {
  polls: number;
  /** Responses that were an error: the origin or the database was away. */
  refused: number;
  /** Requests to a node that was suspended or killed before it responded. */
  lost: number;
  /** Segments that were listed, and milliseconds of them that are slate and ads. */
  segments: number;
  slateMs: number;
  adMs: number;
  /** Milliseconds. */
  longestStill: number;
};

export type SoakViewing = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly channel: string;
  readonly format: Session['format'];
  /** The node for the next request. */
  readonly node: () => SoakNode;
  readonly watched: Watched;
  /** When the database was last away: now, while it is. */
  readonly storeAwayAt: () => number;
  /** An origin of the channel states a longer target duration. */
  readonly statesLonger: () => boolean;
  /** Called for each broken law. */
  readonly violated: (message: string) => void;
  readonly isOver: () => boolean;
};

/** Milliseconds after which a player gives up a request. A player that has got no playlist for so long begins again. */
const REQUEST_TIMEOUT = 10_000;
/**
 * Law 4, in milliseconds. An origin is away after three target durations (of 3 s). To that, 3 s until it is read again, 1 s until all
 * nodes show what was found, 1.5 s until a segment of an open break is listed, 2.3 s until the viewer reads it, and 3 s for a
 * decision are added, but no time in which a request of the viewer was lost. Nodes that cannot reach the database may stand
 * still longer.
 */
const LONGEST_STILL = 20_000;
/**
 * The target duration that an origin in this trouble states. It is away after one and a half of it, and one of the channel's
 * (modeOf).
 */
const LONGER_TARGET = 9000;
const LONGER_STILL = LONGEST_STILL - 3 * 3000 + 1.5 * LONGER_TARGET + 3000;
/** The longest frame duration, the tolerance for dates. */
const rate = { n: 24_000, d: 1001 };

const mpdOf = (view: View): string =>
  writeMpdOf(view, { clockUrl: 'https://live.test/time', baseUrl: `${view.viewer.session.id}/` });

/** The URLs of missing segments, and of those that follow them. `edge` is that of the newest segment if it is missing. */
function gapsIn(text: string) {
  const [missing, next] = [new Set<string>(), new Set<string>()];
  let [isGap, wasGap] = [false, false];
  for (const line of text.split('\n')) {
    if (line === '#EXT-X-GAP') isGap = true;
    if (line === '' || line.startsWith('#')) continue;
    if (isGap) missing.add(line);
    else if (wasGap) next.add(line);
    [wasGap, isGap] = [isGap, false];
  }
  return { missing, next, edge: wasGap ? [...missing].at(-1) : undefined };
}

export async function watchSoak(viewing: SoakViewing): Promise<void> {
  const { clock, random, channel, format, watched, violated } = viewing;
  const { now, timers } = clock;
  let isBroken = false;
  /** Whether a request of this poll was lost, and milliseconds of such polls since the edge moved. */
  let [isLost, lostMs] = [false, 0];
  const isOver = () => isBroken || viewing.isOver();

  /** @returns undefined if there was no response, or an error */
  async function requested<Value>(request: (node: SoakNode) => Promise<Value>): Promise<Value | undefined> {
    const response = request(viewing.node()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const settled = await within(timers, REQUEST_TIMEOUT, response);
    if (settled === undefined) {
      watched.lost += 1;
      isLost = true;
    } else if ('value' in settled) return settled.value;
    else if (settled.error instanceof AppError && settled.error.status === 503) watched.refused += 1;
    else fault(settled.error);
    return undefined;
  }
  function fault(error: unknown): void {
    isBroken = true;
    const about = error instanceof Error ? (error.stack ?? error.message) : String(error);
    violated(`${new Date(now()).toISOString()} ${channel} ${format}: ${about}`);
  }
  async function open() {
    while (!isOver()) {
      const opened = await requested((node) => node.open(channel, format));
      if (opened !== undefined) return opened;
      await sleep(timers, 2000);
    }
    return undefined;
  }

  const opened = await open();
  if (opened === undefined) return;
  const { session, rungs } = opened;
  const witness = (rung: string) => new ColumnWitness(`${channel} ${session} ${rung}`, rate, 400, () => true, true);
  const columns = rungs.map((rung) => ({ witness: witness(rung), at: now() }));
  const rows = new RowsWitness();
  const listing = createDashListing({ mayJump: true });
  let newest = -1;
  let missingEdge: string | undefined;
  let movedAt = now();
  let longerAt = Number.NEGATIVE_INFINITY;

  function note(segments: readonly SeenSegment[]): void {
    const news = segments.filter(({ number }) => number > newest);
    for (const { uri, duration } of newest < 0 ? [] : news) {
      watched.segments += 1;
      if (!isOurs(uri)) continue;
      if (/\bm\d+x0\b/.test(uri)) watched.slateMs += duration / 1000;
      else watched.adMs += duration / 1000;
    }
    if (news.length > 0) {
      watched.longestStill = Math.max(watched.longestStill, now() - movedAt);
      [newest, movedAt, lostMs] = [news.at(-1)!.number, now(), 0];
    }
  }
  /** Law 2, on one view. Missing segments are left out in DASH, except where a Period would have none. */
  function compare(view: View, rung: number, hlsText: string): void {
    if (view.airing.serves !== 'both' || random() > 0.1) return;
    const inHls = readHls(hlsText).segments;
    const inDash = readMpd(mpdOf(view)).flatMap(({ urls }) => urls[rungs[rung]!] ?? []);
    // A segment may be listed twice: as missing, and as it is when another origin lists it again.
    const agree = (hls: number, dash: number): boolean => {
      const segment = inHls[hls];
      if (segment === undefined) return dash === inDash.length;
      const isListed = segment.uri === inDash[dash];
      return (isListed && agree(hls + 1, dash + 1)) || (segment.map === '' && agree(hls + 1, dash));
    };
    const names = () => inHls.map(({ uri, map }) => (map === '' ? `(${uri})` : uri));
    if (!agree(0, 0)) throw new Error(`law 2: HLS lists ${names()} and DASH ${inDash}`);
  }
  async function pollRung(rung: number): Promise<void> {
    const view = await requested((node) => node.view(channel, session));
    if (view === undefined) return;
    const text = hlsOf(view, rung);
    const column = columns[rung]!;
    // What it has listed last may have left the shortest window.
    if (now() - column.at >= REQUEST_TIMEOUT) column.witness = witness(rungs[rung]!);
    column.at = now();
    const { segments } = column.witness.check(text, 0);
    if (rung === 0) note(segments);
    compare(view, rung, text);
  }
  async function pollMpd(): Promise<void> {
    const view = await requested((node) => node.view(channel, session));
    if (view === undefined) return;
    const periods = rows.check(mpdOf(view));
    for (const [rung, id] of rungs.entries()) {
      const gaps = view.airing.serves === 'both' ? gapsIn(hlsOf(view, rung)) : undefined;
      const segments = listing.add(id, periods, 0, gaps);
      if (rung === 0) note(segments);
      // The edge moves, but nothing of it can be listed.
      if (gaps?.edge !== undefined && gaps.edge !== missingEdge) [missingEdge, movedAt] = [gaps.edge, now()];
    }
  }

  while (!isOver()) {
    watched.polls += 1;
    try {
      if (format === 'hls') await Promise.all(rungs.map((_, rung) => pollRung(rung)));
      else await pollMpd();
    } catch (error) {
      fault(error);
    }
    if (isLost) lostMs += REQUEST_TIMEOUT;
    isLost = false;
    const still = now() - Math.max(movedAt, viewing.storeAwayAt()) - lostMs;
    if (viewing.statesLonger()) longerAt = now();
    const longest = now() - longerAt < LONGER_STILL ? LONGER_STILL : LONGEST_STILL;
    if (!isBroken && still > longest) fault(new Error(`law 4: the edge has not moved for ${still} ms`));
    await sleep(timers, 700 + 1600 * random());
  }
}
