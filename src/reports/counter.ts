// Counts in memory what happens, until it is handed on: one entry for each report, channel, stretch of 10 s and key,
// however many viewers there are. It knows nothing of systems and stores, and can be called on the way of every request.
import { createHash } from 'node:crypto';
import type { Millis } from '../time/units.ts';
import { binOf, LAST_BIN } from './bins.ts';
import { type ReportEvent, STRETCH, stretchOf } from './event.ts';
import { measure } from './measure.ts';
import type { Measurement } from './ports.ts';
import { addMeasurement, emptySum, type Sum } from './rollup.ts';

/** Viewers of a channel in a stretch: marks of eight characters each. */
export type Viewing = { readonly channel: string; readonly at: Millis; readonly viewers: string };

/** What a cloud system holds is of no channel. */
export type OfSystem = { readonly tenant: string; readonly system: string; readonly measurement: Measurement };

export type Counted = {
  readonly measurements: readonly Measurement[];
  readonly viewing: readonly Viewing[];
  readonly ofSystems: readonly OfSystem[];
  /** Whose channels these are, as far as it was told. */
  readonly tenants: Readonly<Record<string, string>>;
};

export type Counter = {
  record(event: ReportEvent): void;
  /** A manifest was answered after so many milliseconds. */
  served(channel: string, format: 'hls' | 'dash', ms: number, isError: boolean, now: Millis): void;
  /** A viewer was sent a manifest. */
  watched(session: { readonly id: string; readonly channelId: string }, now: Millis): void;
  /** Hands over what was counted, without the stretch that is not over; with it when there is no later. */
  take(now: Millis, isLast: boolean): Counted;
};

/** Values of a dimension that one hand-over tells apart; what an ad server makes up beyond is "(other)". */
const MOST_KEYS = 1000;
const OTHER = '(other)';
const LONGEST_KEY = 200;
const MOST_CHANNELS = 10_000;
/** A viewer whose requests are less than so many milliseconds apart watched in between. */
const PAUSE = 3 * STRETCH;

type Entry = { readonly one: Measurement; readonly sum: Sum };
type Served = { readonly at: Millis; hls: number; dash: number; errors: number; readonly bins: Uint32Array };

/** Eight characters for a session; two of a channel's viewers share one as good as never. */
const markOf = (session: string): string =>
  createHash('sha256').update(session).digest().subarray(0, 6).toString('base64url');

/** Stores refuse control characters and halves of characters. */
const cleanKey = (text: string): string =>
  [...text.slice(0, 2 * LONGEST_KEY).replace(/[\p{Cc}\p{Cs}]/gu, ' ')].slice(0, LONGEST_KEY).join('');

export function createCounter(): Counter {
  let entries = new Map<string, Entry>();
  let keysOf = new Map<string, Set<string>>();
  let viewing = new Map<string, { channel: string; at: Millis; marks: string[] }>();
  let ofSystems: OfSystem[] = [];
  let tenants = new Map<string, string>();
  const serving = new Map<string, Served>();
  const watching = new Map<string, { readonly mark: string; at: Millis }>();

  function boundedKey(report: string, dimension: string, text: string): string {
    const key = cleanKey(text);
    const name = `${report} ${dimension}`;
    const known = keysOf.get(name) ?? new Set();
    if (!known.has(key) && known.size >= MOST_KEYS) return OTHER;
    keysOf.set(name, known.add(key));
    return key;
  }

  function add(one: Measurement): void {
    const keys: Record<string, string> = {};
    for (const [dimension, text] of Object.entries(one.keys)) keys[dimension] = boundedKey(one.report, dimension, text);
    const name = JSON.stringify([one.report, one.channel, one.at, keys]);
    const entry = entries.get(name) ?? { one: { ...one, keys }, sum: emptySum() };
    addMeasurement(entry.sum, one);
    entries.set(name, entry);
  }

  function record(event: ReportEvent): void {
    if (event.type === 'stored') {
      const { tenant, system } = event;
      for (const measurement of measure(event)) ofSystems.push({ tenant, system, measurement });
      return;
    }
    if (event.tenant !== undefined) tenants.set(event.channel, event.tenant);
    for (const one of measure(event)) add(one);
  }

  function close(channel: string, { at, hls, dash, errors, bins }: Served): void {
    const latency: Record<number, number> = {};
    for (let bin = 0; bin <= LAST_BIN; bin += 1) if (bins[bin]! > 0) latency[bin] = bins[bin]!;
    record({ type: 'manifests', at, channel, hls, dash, errors, latency });
  }

  function note(channel: string, at: Millis, mark: string): void {
    const name = `${at} ${channel}`;
    const known = viewing.get(name);
    if (known === undefined) viewing.set(name, { channel, at, marks: [mark] });
    else known.marks.push(mark);
  }

  return {
    record,
    served(channel, format, ms, isError, now) {
      const at = stretchOf(now);
      let served = serving.get(channel);
      if (served === undefined || served.at !== at) {
        if (served !== undefined) close(channel, served);
        else if (serving.size >= MOST_CHANNELS) return;
        served = { at, hls: 0, dash: 0, errors: 0, bins: new Uint32Array(LAST_BIN + 1) };
        serving.set(channel, served);
      }
      if (isError) served.errors += 1;
      else {
        served[format] += 1;
        served.bins[binOf(ms)]! += 1;
      }
    },
    watched({ id, channelId }, now) {
      const at = stretchOf(now);
      const seen = watching.get(id);
      if (seen === undefined) {
        const mark = markOf(id);
        watching.set(id, { mark, at });
        note(channelId, at, mark);
        return;
      }
      if (seen.at >= at) return;
      const first = at - seen.at <= PAUSE ? seen.at + STRETCH : at;
      for (let stretch = first; stretch <= at; stretch += STRETCH) note(channelId, stretch as Millis, seen.mark);
      seen.at = at;
    },
    take(now, isLast) {
      const current = stretchOf(now);
      const isOpen = (at: Millis) => !isLast && at === current;
      for (const [channel, served] of serving) {
        if (isOpen(served.at)) continue;
        close(channel, served);
        serving.delete(channel);
      }
      for (const [id, { at }] of watching) if (now - at > PAUSE + STRETCH) watching.delete(id);
      const taken = { entries, viewing, ofSystems, tenants };
      entries = new Map([...entries].filter(([, { one }]) => isOpen(one.at)));
      viewing = new Map([...viewing].filter(([, { at }]) => isOpen(at)));
      ofSystems = [];
      tenants = new Map(
        [...tenants].filter(([channel]) => [...entries.values()].some(({ one }) => one.channel === channel)),
      );
      keysOf = new Map();
      return {
        measurements: [...taken.entries.values()]
          .filter(({ one }) => !isOpen(one.at))
          .map(({ one, sum }) => ({
            ...one,
            amounts: sum.amounts,
            ...(Object.keys(sum.bins).length > 0 ? { bins: sum.bins } : {}),
          })),
        viewing: [...taken.viewing.values()]
          .filter(({ at }) => !isOpen(at))
          .map(({ channel, at, marks }) => ({ channel, at, viewers: marks.join('') })),
        ofSystems: taken.ofSystems,
        tenants: Object.fromEntries(taken.tenants),
      };
    },
  };
}
