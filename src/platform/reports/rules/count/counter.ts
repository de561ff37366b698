// SPDX-License-Identifier: Apache-2.0
// Counts events in memory until they are flushed, one count for each report, channel, report interval and key. The number
// of viewers does not matter, so it can be called for every request.
import { createHash } from 'node:crypto';
import type { ChannelRef } from '../../../../channels/channelKey.ts';
import type { Session } from '../../../../sessions/session.ts';
import { REPORT_INTERVAL_MS, reportIntervalOf } from '../../../../time/reportInterval.ts';
import type { Millis } from '../../../../time/units.ts';
import { binOf, LAST_BIN } from '../bins.ts';
import type { ReportEvent } from '../event.ts';
import type { Measurement } from '../ports.ts';
import { addMeasurement, emptyRollup, type MutableRollup } from '../rollup.ts';
import { measure } from './measure.ts';

type Interval = { readonly tenant: string; readonly channel: string; readonly at: Millis };
type OwnedMeasurement = Measurement & { readonly tenant: string };
/** A measurement of a system that belongs to no channel. */
type OfSystem = { readonly tenant: string; readonly system: string; readonly measurement: Measurement };

export type Counted = {
  readonly measurements: readonly OwnedMeasurement[];
  /** Viewers of a channel in a report interval, as concatenated marks of eight characters each. */
  readonly viewing: readonly (Interval & { readonly viewers: string })[];
  readonly ofSystems: readonly OfSystem[];
};

type Viewer = Pick<Session, 'id' | 'channelId' | 'tenant'>;

export type Counter = {
  record(event: ReportEvent): void;
  /** A manifest request was served. `ms` is its latency. */
  served(channel: ChannelRef, format: Session['format'], ms: number, isError: boolean, now: Millis): void;
  /** A viewer received a manifest. */
  watched(session: Viewer, now: Millis): void;
  /** Removes and returns the counts. The current report interval is included only in the last call. */
  take(now: Millis, isLast: boolean): Counted;
};

/** Ad servers can invent names, so the values of a dimension between two calls of `take` are limited; the rest is "(other)". */
const MAX_KEYS = 1000;
const OTHER = '(other)';
const MAX_KEY_LENGTH = 200;
const MAX_CHANNELS = 10_000;
/** Milliseconds. A viewer counts as watching between two requests that are at most this far apart. */
const MAX_GAP = 3 * REPORT_INTERVAL_MS;

type Entry = { readonly one: OwnedMeasurement; readonly sum: MutableRollup };
type Served = {
  readonly channel: ChannelRef;
  readonly at: Millis;
  hls: number;
  dash: number;
  errors: number;
  readonly bins: Uint32Array;
};

/** Eight characters that identify a session; collisions within a channel are negligible. */
const markOf = (session: string): string =>
  createHash('sha256').update(session).digest().subarray(0, 6).toString('base64url');

const PLAIN_KEY = /^[\x20-\x7e]{0,200}$/;

/** Stores reject control characters and lone surrogates. */
const cleanKey = (text: string): string =>
  PLAIN_KEY.test(text)
    ? text
    : [...text.slice(0, 2 * MAX_KEY_LENGTH).replace(/[\p{Cc}\p{Cs}]/gu, ' ')].slice(0, MAX_KEY_LENGTH).join('');

export function createCounter(): Counter {
  let entries = new Map<string, Entry>();
  let keysOf = new Map<string, Set<string>>();
  let viewing = new Map<string, Interval & { marks: string[] }>();
  let ofSystems: OfSystem[] = [];
  /** By tenant and channel: this is looked up for each request, so the names are not joined. */
  const serving = new Map<string, Map<string, Served>>();
  let channels = 0;
  const watching = new Map<string, { readonly mark: string; at: Millis }>();

  function boundedKey(report: string, dimension: string, text: string): string {
    const key = cleanKey(text);
    const name = `${report} ${dimension}`;
    const known = keysOf.get(name) ?? new Set();
    if (known.has(key)) return key;
    if (known.size >= MAX_KEYS) return OTHER;
    keysOf.set(name, known.add(key));
    return key;
  }

  function add(one: Measurement, tenant: string): void {
    const keys: Record<string, string> = {};
    // None of these contains a line break.
    let name = `${one.report}\n${tenant}\n${one.channel}\n${one.at}`;
    for (const [dimension, text] of Object.entries(one.keys)) {
      const key = boundedKey(one.report, dimension, text);
      keys[dimension] = key;
      name += `\n${dimension}\n${key}`;
    }
    let entry = entries.get(name);
    if (entry === undefined) {
      entry = { one: { ...one, keys, tenant }, sum: emptyRollup() };
      entries.set(name, entry);
    }
    addMeasurement(entry.sum, one);
  }

  function record(event: ReportEvent): void {
    if (event.type === 'stored') {
      const { tenant, system } = event;
      for (const measurement of measure(event)) ofSystems.push({ tenant, system, measurement });
      return;
    }
    for (const one of measure(event)) add(one, event.tenant);
  }

  function close({ channel, at, hls, dash, errors, bins }: Served): void {
    const latency: Record<number, number> = {};
    for (const [bin, count] of bins.entries()) if (count > 0) latency[bin] = count;
    record({ type: 'manifests', at, channel: channel.id, tenant: channel.tenant, hls, dash, errors, latency });
  }

  function addViewer({ tenant, channelId }: Viewer, at: Millis, mark: string): void {
    const name = `${at} ${tenant}/${channelId}`;
    const known = viewing.get(name);
    if (known === undefined) viewing.set(name, { tenant, channel: channelId, at, marks: [mark] });
    else known.marks.push(mark);
  }

  return {
    record,
    served(channel, format, ms, isError, now) {
      const at = reportIntervalOf(now);
      let ofTenant = serving.get(channel.tenant);
      let served = ofTenant?.get(channel.id);
      if (served === undefined || served.at !== at) {
        if (served !== undefined) close(served);
        else if (channels >= MAX_CHANNELS) return;
        else channels += 1;
        served = { channel, at, hls: 0, dash: 0, errors: 0, bins: new Uint32Array(LAST_BIN + 1) };
        ofTenant ??= new Map();
        serving.set(channel.tenant, ofTenant);
        ofTenant.set(channel.id, served);
      }
      if (isError) served.errors += 1;
      else {
        served[format] += 1;
        const bin = binOf(ms);
        served.bins[bin] = (served.bins[bin] ?? 0) + 1;
      }
    },
    watched(session, now) {
      const { id } = session;
      const at = reportIntervalOf(now);
      const seen = watching.get(id);
      if (seen === undefined) {
        const mark = markOf(id);
        watching.set(id, { mark, at });
        return addViewer(session, at, mark);
      }
      if (seen.at >= at) return;
      const first = at - seen.at <= MAX_GAP ? seen.at + REPORT_INTERVAL_MS : at;
      for (let interval = first; interval <= at; interval += REPORT_INTERVAL_MS)
        addViewer(session, interval as Millis, seen.mark);
      seen.at = at;
    },
    take(now, isLast) {
      const current = reportIntervalOf(now);
      const isOpen = (at: Millis) => !isLast && at === current;
      for (const [tenant, ofTenant] of serving) {
        for (const [id, served] of ofTenant) {
          if (isOpen(served.at)) continue;
          close(served);
          ofTenant.delete(id);
          channels -= 1;
        }
        if (ofTenant.size === 0) serving.delete(tenant);
      }
      for (const [id, { at }] of watching) if (now - at > MAX_GAP + REPORT_INTERVAL_MS) watching.delete(id);
      const counted = { entries, viewing, ofSystems };
      entries = new Map([...entries].filter(([, { one }]) => isOpen(one.at)));
      viewing = new Map([...viewing].filter(([, { at }]) => isOpen(at)));
      ofSystems = [];
      keysOf = new Map();
      return {
        measurements: [...counted.entries.values()]
          .filter(({ one }) => !isOpen(one.at))
          .map(({ one, sum: { amounts, bins } }) =>
            Object.keys(bins).length > 0 ? { ...one, amounts, bins } : { ...one, amounts },
          ),
        viewing: [...counted.viewing.values()]
          .filter(({ at }) => !isOpen(at))
          .map(({ marks, ...of }) => ({ ...of, viewers: marks.join('') })),
        ofSystems: counted.ofSystems,
      };
    },
  };
}
