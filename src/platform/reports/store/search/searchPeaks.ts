// SPDX-License-Identifier: Apache-2.0
// Peaks: the maximum over all 10 s intervals of the sum of what all processes counted. The peaks of past hours are
// stored in documents; others are computed by the query. A process that writes counts to an hour that is over
// recomputes its peak before the write succeeds; if it is killed in between, the write is repeated.
import { createHash } from 'node:crypto';
import { REPORT_INTERVAL_MS } from '../../../../time/reportInterval.ts';
import { millis } from '../../../../time/units.ts';
import { peaked, type ReportName } from '../../rules/catalogue.ts';
import type { Batch, StoreQuery } from '../../rules/ports.ts';
import { keepGreater } from '../../rules/rollup.ts';
import { type Bucket, buckets, sumsOf, type TimeRange, valuesIn } from './searchBuckets.ts';
import { type BulkOptions, writeDocuments } from './searchBulk.ts';
import { dayOf, type SearchDocument } from './searchDocuments.ts';
import type { SearchDomain } from './searchDomain.ts';

const HOUR = 3_600_000;
/** Nearly all counts of an hour have been written this long after its end. */
const SETTLE_MS = 300_000;
/** Time ranges in one query. */
const MAX_GAPS = 500;

type PeakAt = { readonly at: number; readonly key?: string; readonly peaks: Readonly<Record<string, number>> };
export type PeakHour = { readonly system: string; readonly report: ReportName; readonly hour: number };

export const isOver = (hour: number, now: number): boolean => hour + HOUR + SETTLE_MS <= now;

/** The hours of a batch, for reports that have peaks. */
export function hoursOf({ system, measurements }: Batch, now: number): { over: PeakHour[]; open: PeakHour[] } {
  const hours = new Map<string, PeakHour>();
  for (const { report, at } of measurements) {
    if (peaked[report].length === 0) continue;
    const hour = at - (at % HOUR);
    hours.set(`${report} ${hour}`, { system, report, hour });
  }
  const all = [...hours.values()];
  return { over: all.filter(({ hour }) => isOver(hour, now)), open: all.filter(({ hour }) => !isOver(hour, now)) };
}

/** Computes and stores the peaks of an hour, for each channel and for all channels together. */
export async function storePeaks(
  domain: SearchDomain,
  index: string,
  { system, report, hour }: PeakHour,
  options: BulkOptions,
): Promise<void> {
  const names = peaked[report];
  const question: StoreQuery = { system, report, start: millis(hour), end: millis(hour + HOUR), interval: HOUR };
  const selection = { kind: 'amounts', interval: REPORT_INTERVAL_MS, aggs: sumsOf(names) } as const;
  const all: Record<string, number> = {};
  const ofChannel = new Map<string, Record<string, number>>();
  // The peak that includes more documents is newer.
  let version = 0;
  for await (const bucket of buckets(domain, index, question, selection)) {
    keepGreater(all, valuesIn(bucket, names));
    version += bucket.doc_count;
  }
  for await (const bucket of buckets(domain, index, { ...question, by: 'channel' }, selection)) {
    const { key = '' } = bucket.key;
    const peaks = ofChannel.get(key) ?? {};
    keepGreater(peaks, valuesIn(bucket, names));
    ofChannel.set(key, peaks);
  }
  if (version === 0) return;
  const document = (kind: 'peak' | 'channelPeak', peaks: object, channel?: string): SearchDocument => {
    const hash = createHash('sha256').update(JSON.stringify([system, report, hour, channel]));
    const common = { '@timestamp': new Date(hour).toISOString(), system, report, kind };
    const source = { ...common, ...(channel ? { channel } : {}), peaks };
    return { index: `${index}-${dayOf(hour)}`, id: `${kind}-${hash.digest('hex').slice(0, 40)}`, version, source };
  };
  // The total is written last: if it exists, the peaks of all channels do too.
  const ofChannels = [...ofChannel].map(([channel, peaks]) => document('channelPeak', peaks, channel));
  await writeDocuments(domain, ofChannels, options);
  await writeDocuments(domain, [document('peak', all)], options);
}

/** Peaks of hours and of shorter intervals that together cover the query; none of them spans two rows. */
export async function* readPeaks(domain: SearchDomain, index: string, question: StoreQuery): AsyncGenerator<PeakAt> {
  const { report, start, end, interval, channels, by } = question;
  const names = peaked[report];
  if (names.length === 0) return;
  const isWithin = (hour: number): boolean =>
    hour >= start &&
    hour + HOUR <= end &&
    Math.floor((hour - start) / interval) === Math.floor((hour + HOUR - 1 - start) / interval);
  const hourly = { interval: HOUR, offset: 0 } as const;
  const stored = new Set<number>();
  // The peak of several channels is that of their sum, which no document contains.
  const isSumOfSome = by === undefined && channels !== undefined && channels.length > 1;
  if (interval >= HOUR && !isSumOfSome) {
    const { channels: _, by: __, ...whole } = question;
    for await (const { key } of buckets(domain, index, whole, { kind: 'peak', ...hourly, aggs: {} })) {
      if (isWithin(key.row)) stored.add(key.row);
    }
  }
  const gaps = gapsBetween(start, end, stored);
  if (gaps.length > MAX_GAPS) stored.clear();
  if (stored.size > 0) {
    const kind = channels === undefined && by === undefined ? 'peak' : 'channelPeak';
    const aggs = Object.fromEntries(names.map((name) => [`sum ${name}`, { max: { field: `peaks.${name}` } }]));
    for await (const bucket of buckets(domain, index, question, { kind, ...hourly, aggs })) {
      if (stored.has(bucket.key.row)) yield { at: bucket.key.row, ...keyOf(bucket), peaks: valuesIn(bucket, names) };
    }
  }
  if (gaps.length === 0) return;
  const within = stored.size === 0 ? {} : { within: gaps };
  const selection = { kind: 'amounts', interval: REPORT_INTERVAL_MS, aggs: sumsOf(names), ...within } as const;
  for await (const bucket of buckets(domain, index, question, selection)) {
    yield { at: bucket.key.row, ...keyOf(bucket), peaks: valuesIn(bucket, names) };
  }
}

const keyOf = ({ key: { key } }: Bucket) => (key === undefined ? {} : { key });

/** The parts of a range that none of the hours covers. */
function gapsBetween(start: number, end: number, hours: ReadonlySet<number>): TimeRange[] {
  const gaps: TimeRange[] = [];
  let from = start;
  for (const hour of [...hours].sort((a, b) => a - b)) {
    if (hour > from) gaps.push({ from, to: hour });
    from = hour + HOUR;
  }
  if (from < end) gaps.push({ from, to: end });
  return gaps;
}
