// SPDX-License-Identifier: Apache-2.0
// Compares the breaks that a player inserted, as its pictures show them, with those of its trace.
import { expect, onTestFinished } from 'vitest';
import { type AdminAccess, callAdmin } from '../../../demo/callAdmin.ts';
import type { TracedBreak } from '../../live/stage.ts';
import { expectNoErrors, expectNoFaults, stallsOf } from '../expectSmoothPlayback.ts';
import type { Fault } from '../judgeFaults.ts';
import type { PlayerName, Players, PlayReport, SeenPicture } from '../players.ts';

/** Milliseconds. */
const FRAME = 40;
/** Milliseconds from where a break is to where it is inserted. */
export const NEAR = 100;
/** Seconds of an ad, which its brightness states to a tenth. */
const WHOLE = 0.35;

/** Those of the session of a manifest. */
export async function tracedBreaks(api: AdminAccess, mediaURL: string): Promise<TracedBreak[]> {
  const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
  type Traced = Omit<TracedBreak, 'at'> & { readonly startsAt: string };
  const { breaks } = await callAdmin<{ breaks: Traced[] }>(api, 'GET', `/sessions/${session}`);
  return breaks.map((one) => ({ ...one, at: Date.parse(one.startsAt) }));
}

/** Milliseconds. A session keeps its last 60 breaks, which are more than 10 minutes of any test. */
const TRACE_READ_EVERY = 60_000;

/** Reads the trace of the session of a manifest again and again, so that breaks count which a long session no longer keeps. */
function followTrace(api: AdminAccess, mediaURL: string) {
  const breaks = new Map<number, TracedBreak>();
  const read = async (): Promise<readonly TracedBreak[]> => {
    for (const one of await tracedBreaks(api, mediaURL)) breaks.set(one.at, one);
    return [...breaks.values()];
  };
  const timer = setInterval(() => void read().catch(() => undefined), TRACE_READ_EVERY);
  return { read, close: () => clearInterval(timer) };
}

/** Between content and content. */
type SeenBreak = {
  readonly before: SeenPicture;
  readonly ads: readonly SeenPicture[];
  readonly after: SeenPicture;
};

export function seenBreaks(pictures: readonly SeenPicture[]): SeenBreak[] {
  const contents = pictures.flatMap(({ what }, index) => (what === 'content' ? [index] : []));
  return contents.slice(1).flatMap((end, index) => {
    const start = contents[index]!;
    const ads = pictures.slice(start + 1, end);
    return ads.length === 0 ? [] : [{ before: pictures[start]!, ads, after: pictures[end]! }];
  });
}

const millis = (value: number): string => `${Math.round(value)} ms`;

/**
 * @param lengths of the ads of each break, in seconds, by their names in playing order
 * @param slate after the ads, in seconds: it counts as content
 * @param late milliseconds by which content may be back later than the break ends
 */
export function faultsOf(
  { before, ads, after }: SeenBreak,
  { at, duration }: Pick<TracedBreak, 'at' | 'duration'>,
  lengths: Readonly<Record<string, number>>,
  slate = 0,
  late = 0,
): Fault[] {
  const faults: Fault[] = [];
  const add = (what: string, { last }: SeenPicture, length = 0): void =>
    void faults.push({ what: `${what} in the break at ${new Date(at).toISOString()}`, wall: last.wall, length });
  const stopped = before.last.date! + FRAME - at;
  if (Math.abs(stopped) > NEAR) add(`content stopped ${millis(stopped)} after its place`, ads[0]!);
  const back = after.first.date! - at - 1000 * duration;
  if (back > NEAR + late || back < -NEAR - 1000 * slate) add(`content was back ${millis(back)} after its place`, after);
  const names = ads.map(({ what }) => what);
  if (names.join() !== Object.keys(lengths).join()) add(`${names.join(', ')} were shown`, after, 1000 * duration);
  for (const ad of ads) {
    const [from, to] = [ad.first.second, ad.last.second];
    if (from > WHOLE) add(`${ad.what} began with its second ${from.toFixed(1)}`, ad, 1000 * to);
    if (to < (lengths[ad.what] ?? 0) - WHOLE) add(`${ad.what} ended with its second ${to.toFixed(1)}`, ad);
  }
  return faults;
}

/** Where the picture stood still, in whichever element. */
export const stillsOf = (report: Pick<PlayReport, 'stills' | 'stalls'>): Fault[] => [
  ...stallsOf(report),
  ...report.stills.map(({ before, after, length, wall }) => ({
    what: `no frame was shown for ${millis(length)} between ${before} and ${after}`,
    ...{ wall, length },
  })),
];

/** The breaks that it showed from start to end: it may have joined during the first. */
const wholeBreaks = ({ pictures }: PlayReport): SeenBreak[] =>
  seenBreaks(pictures.slice(pictures.findIndex(({ what }) => what === 'content'))).slice(1);

type Inserted = {
  readonly mediaURL: string;
  readonly api: AdminAccess;
  /** How many it plays at least. */
  readonly breaks: number;
  /** The lengths of the ads of each break, in seconds. */
  readonly pod: Readonly<Record<string, number>>;
  /** What they leave of each break, in seconds. */
  readonly slate?: number;
  /** The longest content between two breaks, in milliseconds. */
  readonly content: number;
  /** The dates of a live MPD are those at which segments are there: as much later in each break. */
  readonly isLate?: boolean;
};

/** A player of a channel on air inserts each break in its place and whole, and content goes on at the right date. */
export async function expectInserted(
  players: Players,
  player: PlayerName,
  { mediaURL, api, breaks, pod, slate = 0, content, isLate = false }: Inserted,
): Promise<void> {
  const hasSeenThem = (seen: PlayReport) => wholeBreaks(seen).length >= breaks;
  const timeoutMs = 60_000 + breaks * 40_000;
  const followed = followTrace(api, mediaURL);
  onTestFinished(() => followed.close());
  const report = await players.playUntil(player, mediaURL, hasSeenThem, { looks: true, timeoutMs });
  const seen = wholeBreaks(report);
  const trace = await followed.read();
  expect(seen.length).toBeGreaterThanOrEqual(breaks);
  const isOf = (one: SeenBreak, at: number) => Math.abs(at - one.before.last.date!) < content / 2;
  const lateOf = (one: SeenBreak) => one.before.last.date! + FRAME - (trace.find(({ at }) => isOf(one, at))?.at ?? 0);
  const late = isLate ? lateOf(seen[0]!) : 0;
  expect(late).toBeLessThan(3000);
  const faults = seen.flatMap((one) => {
    const traced = trace.find(({ at }) => isOf(one, at));
    return traced === undefined
      ? [{ what: 'a break is not in the trace', wall: one.after.first.wall, cause: 'stream' as const }]
      : faultsOf(one, { ...traced, at: traced.at + late }, pod, slate);
  });
  const delivered = async () => {
    const shown = (await followed.read()).filter(({ at }) => seen.some((one) => isOf(one, at)));
    return shown.map(({ ads }) => ads.map((ad) => ad.delivered?.seconds));
  };
  await expect.poll(delivered, { timeout: 10_000 }).toEqual(seen.map(() => Object.values(pod)));
  expectNoErrors(report);
  // hls.js 1.7 stops for a second when it joins during a break (joins.system.ts).
  const stills = stillsOf(report).filter(({ wall }) => wall > seen[0]!.before.first.wall);
  expectNoFaults([...faults, ...stills], report.busy);
}
