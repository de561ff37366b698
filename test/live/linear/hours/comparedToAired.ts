// SPDX-License-Identifier: Apache-2.0
// The as-run log, the guide and the starts of a schedule, compared with what a viewer has read in playlists.
import type { AiredSegment } from './airedSegments.ts';
import type { WantedStart } from './operateSchedule.ts';

export type AsRunRow = {
  readonly from: string;
  readonly to?: string;
  readonly kind: string;
  readonly entryId?: string;
  readonly asset?: { readonly url: string; readonly in: number };
};
export type Programme = { readonly id: string; readonly start: string; readonly end: string };
export type Interval = { readonly from: number; to: number };

const FRAME_MS = 40;
/** Playlists state milliseconds. */
const ROUNDED_MS = 1;
const SEGMENT_SECONDS = 4;
/** No slate is shorter: what begins so soon after a programme that was ended by hand follows it at once. */
const LEAST_SLATE_MS = 500;
/** Before its start, an entry cannot be put on air any more: an edit takes effect 8 s later, at a border of what is on air. */
const TOO_LATE_MS = 8000 + 4 * SEGMENT_SECONDS * 1000;

/** The row on air has no end. */
const endOf = (to: string | undefined): number => (to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to));

const iso = (at: number): string => new Date(at).toISOString();
const folderOf = (url: string): string => url.replace(/\/[^/]*$/, '');

/** Each row starts and ends with a segment, and all in between show what it says. @returns what differs */
export function differencesOfAsRun(rows: readonly AsRunRow[], segments: readonly AiredSegment[]): string[] {
  const differences: string[] = [];
  const first = rows.findIndex(({ from }) => Date.parse(from) >= segments[0]!.from);
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const [from, to] = [Date.parse(row.from), Date.parse(row.to ?? '')];
    if (index < first || !(to <= segments.at(-1)!.to)) continue;
    const differs = (what: string) => differences.push(`${JSON.stringify(row)}: ${what}`);
    if (row.to !== rows[index + 1]?.from) differs(`it is followed by ${JSON.stringify(rows[index + 1])}`);
    while (at < segments.length && segments[at]!.from < from - ROUNDED_MS) at += 1;
    const own: AiredSegment[] = [];
    for (; at < segments.length && segments[at]!.from < to - ROUNDED_MS; at += 1) own.push(segments[at]!);
    const [start, end] = [own[0], own.at(-1)];
    if (start === undefined || Math.abs(start.from - from) > ROUNDED_MS) differs(`seen from ${JSON.stringify(start)}`);
    if (end === undefined || Math.abs(end.to - to) > ROUNDED_MS + 1) differs(`seen until ${JSON.stringify(end)}`);
    const of = row.asset === undefined ? 'ours' : folderOf(row.asset.url);
    const other = own.find((one) => one.of !== of);
    if (other !== undefined) differs(`shows ${JSON.stringify(other)}`);
    const isFile = row.asset !== undefined && /\/film|\/[ex]\d+$/.test(of);
    if (isFile && start !== undefined && Math.abs(start.file * SEGMENT_SECONDS - row.asset.in) > FRAME_MS / 1000)
      differs(`seen from ${JSON.stringify(start)}`);
  }
  return differences;
}

/** From the first frame of each entry to its last one, whatever is inserted; again if it is interrupted by something else. */
export function programmesIn(rows: readonly AsRunRow[]): Map<string, Interval[]> {
  const found = new Map<string, Interval[]>();
  let last: string | undefined;
  for (const { entryId, from, to } of rows) {
    const known = found.get(entryId ?? '') ?? [];
    if (entryId !== undefined && last === entryId) known.at(-1)!.to = endOf(to);
    else if (entryId !== undefined) found.set(entryId, [...known, { from: Date.parse(from), to: endOf(to) }]);
    last = entryId;
  }
  return found;
}

/** @param seen where entries were on air. @param since and `until` when the guide was read. @returns what differs */
export function differencesOfGuide(
  programmes: readonly Programme[],
  seen: ReadonlyMap<string, readonly Interval[]>,
  since: number,
  until: number,
): string[] {
  const differences: string[] = [];
  for (const [index, { id, start, end }] of programmes.entries()) {
    const [from, to] = [Date.parse(start), Date.parse(end)];
    const before = programmes[index - 1];
    if (before !== undefined && Date.parse(before.end) > from)
      differences.push(`the guide at ${iso(until)} has ${id} at ${start}, and ${before.id} until ${before.end}`);
    if (from < since || from > until) continue;
    const own = seen.get(id) ?? [];
    const same = own.find((one) => Math.abs(one.from - from) <= ROUNDED_MS);
    const isOver = to <= until;
    const isSame = same !== undefined && (!isOver || Math.abs(same.to - to) <= ROUNDED_MS);
    if (!isSame)
      differences.push(
        `the guide at ${iso(until)} has ${id} from ${start} to ${end}, seen ${JSON.stringify(own.map((one) => [iso(one.from), iso(one.to)]))}`,
      );
  }
  const listed = new Map(programmes.map(({ id, start }) => [`${id} ${Date.parse(start)}`, start]));
  for (const [id, own] of seen)
    for (const { from, to } of own) {
      if (from < since || to > until) continue;
      const isListed = [-1, 0, 1].some((off) => listed.has(`${id} ${from + off}`));
      if (!isListed) differences.push(`the guide at ${iso(until)} lacks ${id} from ${iso(from)} to ${iso(to)}`);
    }
  return differences;
}

/** XMLTV has the same programmes, to the second. @returns what differs */
export function differencesOfXmltv(xmltv: string, programmes: readonly Programme[]): string[] {
  const times = [...xmltv.matchAll(/<programme start="(\d+) \+0000" stop="(\d+) \+0000"/g)].map(([, start, stop]) => [
    start,
    stop,
  ]);
  const digits = (at: string): string =>
    iso(Math.round(Date.parse(at) / 1000) * 1000)
      .slice(0, 19)
      .replace(/\D/g, '');
  const expected = programmes.map(({ start, end }) => [digits(start), digits(end)]);
  return times.join(' ') === expected.join(' ') ? [] : [`XMLTV has ${times}, JSON ${expected}`];
}

/** @param passed when starts were passed by a programme that was not over yet. @returns what differs */
export function differencesOfStarts(
  starts: ReadonlyMap<string, readonly WantedStart[]>,
  segments: readonly AiredSegment[],
  ofEntry: (id: string) => string,
  passed: readonly Interval[],
): { readonly met: number; readonly differences: string[] } {
  const [first, last] = [segments[0]!.from, segments.at(-1)!.from];
  let met = 0;
  const differences = [...starts].flatMap(([id, wanted]) =>
    wanted.flatMap(({ at, since }) => {
      const isPassed = passed.some(({ from, to }) => from < at && at <= to + LEAST_SLATE_MS);
      if (at < first || at > last || at - since < TOO_LATE_MS || isPassed) return [];
      const starting = segments.filter(({ from }) => Math.abs(from - at) <= FRAME_MS);
      met += 1;
      // While its origin is away, slate holds the place of a live programme.
      if (starting.some(({ of }) => of === ofEntry(id) || (id.startsWith('live') && of === 'ours'))) return [];
      return [`${id} was to start at ${iso(at)}, as said at ${iso(since)}: ${JSON.stringify(starting)}`];
    }),
  );
  return { met, differences };
}
