// The greatest stretch of 10 s: sums of what all processes counted in it, so it cannot be told from any one document. Of
// an hour that is over it is worked out once and kept in a document of its own; of other times it is worked out when it
// is asked for. Who brings something to an hour that is over works it out again, before it is told that all is well: a
// process that dies in between brings it again.
import { createHash } from 'node:crypto';
import { peaked, type ReportName } from '../../reports/catalogue.ts';
import { REPORT_INTERVAL_MS } from '../../reports/event.ts';
import type { Batch, StoreQuery } from '../../reports/ports.ts';
import { millis } from '../../time/units.ts';
import { type Bucket, buckets, type Stretch, sumsOf } from './searchBuckets.ts';
import { type BulkOptions, bringDocuments } from './searchBulk.ts';
import { dayOf, type SearchDocument } from './searchDocuments.ts';
import type { SearchDomain } from './searchDomain.ts';

const HOUR = 3_600_000;
/** Milliseconds after its end when nearly everything of an hour has come. */
const SETTLED = 300_000;
/** Stretches of time in one question. */
const MOST_GAPS = 500;

export type PeakAt = { readonly at: number; readonly key?: string; readonly peaks: Readonly<Record<string, number>> };
export type PeakHour = { readonly system: string; readonly report: ReportName; readonly hour: number };

export const isOver = (hour: number, now: number): boolean => hour + HOUR + SETTLED <= now;

/** The hours that a batch adds to, of reports that have peaks. */
export function hoursOf({ system, measurements }: Batch, now: number): { over: PeakHour[]; open: PeakHour[] } {
  const hours = new Map<string, PeakHour>();
  for (const { report, at } of measurements) {
    if (peaked(report).length === 0) continue;
    const hour = at - (at % HOUR);
    hours.set(`${report} ${hour}`, { system, report, hour });
  }
  const all = [...hours.values()];
  return { over: all.filter(({ hour }) => isOver(hour, now)), open: all.filter(({ hour }) => !isOver(hour, now)) };
}

const valuesIn = (bucket: Bucket, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, bucket[`sum ${name}`]!.value]));

function raise(peaks: Record<string, number>, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) peaks[name] = Math.max(peaks[name] ?? 0, value);
}

/** Works out the peaks of an hour, of each channel and of all together, and keeps them. */
export async function keepPeaks(
  domain: SearchDomain,
  index: string,
  peak: PeakHour,
  options: BulkOptions,
): Promise<void> {
  const { system, report, hour } = peak;
  const names = peaked(report);
  const question: StoreQuery = { system, report, start: millis(hour), end: millis(hour + HOUR), interval: HOUR };
  const asked = { kind: 'amounts', interval: REPORT_INTERVAL_MS, aggs: sumsOf(names) } as const;
  const all: Record<string, number> = {};
  const ofChannel = new Map<string, Record<string, number>>();
  // Who knows of more documents knows better.
  let version = 0;
  for await (const bucket of buckets(domain, index, question, asked)) {
    raise(all, valuesIn(bucket, names));
    version += bucket.doc_count;
  }
  for await (const bucket of buckets(domain, index, { ...question, by: 'channel' }, asked)) {
    const peaks = ofChannel.get(bucket.key.key!) ?? {};
    raise(peaks, valuesIn(bucket, names));
    ofChannel.set(bucket.key.key!, peaks);
  }
  if (version === 0) return;
  const document = (kind: 'peak' | 'channelPeak', peaks: object, channel?: string): SearchDocument => ({
    index: `${index}-${dayOf(hour)}`,
    id: `${kind}-${createHash('sha256')
      .update(JSON.stringify([system, report, hour, channel]))
      .digest('hex')
      .slice(0, 40)}`,
    version,
    source: {
      '@timestamp': new Date(hour).toISOString(),
      system,
      report,
      kind,
      ...(channel ? { channel } : {}),
      peaks,
    },
  });
  // An hour whose own document is there has those of all its channels.
  await bringDocuments(
    domain,
    [...ofChannel].map(([channel, peaks]) => document('channelPeak', peaks, channel)),
    options,
  );
  await bringDocuments(domain, [document('peak', all)], options);
}

/** Peaks of hours and of stretches that, together, are all of what is asked for; none reaches over a row. */
export async function* readPeaks(domain: SearchDomain, index: string, question: StoreQuery): AsyncGenerator<PeakAt> {
  const { report, start, end, interval, channel, by } = question;
  const names = peaked(report);
  if (names.length === 0) return;
  const isWithin = (hour: number): boolean =>
    hour >= start &&
    hour + HOUR <= end &&
    Math.floor((hour - start) / interval) === Math.floor((hour + HOUR - 1 - start) / interval);
  const hourly = { interval: HOUR, offset: 0 } as const;
  const kept = new Set<number>();
  if (interval >= HOUR) {
    const { channel: _, by: __, ...whole } = question;
    for await (const { key } of buckets(domain, index, whole, { kind: 'peak', ...hourly, aggs: {} })) {
      if (isWithin(key.row)) kept.add(key.row);
    }
  }
  const gaps = gapsBetween(start, end, kept);
  if (gaps.length > MOST_GAPS) kept.clear();
  if (kept.size > 0) {
    const kind = channel === undefined && by === undefined ? 'peak' : 'channelPeak';
    const aggs = Object.fromEntries(names.map((name) => [`sum ${name}`, { max: { field: `peaks.${name}` } }]));
    for await (const bucket of buckets(domain, index, question, { kind, ...hourly, aggs })) {
      if (kept.has(bucket.key.row)) yield { at: bucket.key.row, ...keyOf(bucket), peaks: valuesIn(bucket, names) };
    }
  }
  if (gaps.length === 0) return;
  const within = kept.size === 0 ? {} : { within: gaps };
  const asked = { kind: 'amounts', interval: REPORT_INTERVAL_MS, aggs: sumsOf(names), ...within } as const;
  for await (const bucket of buckets(domain, index, question, asked)) {
    yield { at: bucket.key.row, ...keyOf(bucket), peaks: valuesIn(bucket, names) };
  }
}

const keyOf = ({ key: { key } }: Bucket) => (key === undefined ? {} : { key });

/** What of a range is in none of these hours. */
function gapsBetween(start: number, end: number, hours: ReadonlySet<number>): Stretch[] {
  const gaps: Stretch[] = [];
  let from = start;
  for (const hour of [...hours].sort((a, b) => a - b)) {
    if (hour > from) gaps.push({ from, to: hour });
    from = hour + HOUR;
  }
  if (from < end) gaps.push({ from, to: end });
  return gaps;
}
