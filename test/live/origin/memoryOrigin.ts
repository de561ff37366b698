// SPDX-License-Identifier: Apache-2.0
// Origins in memory, for readers of origins.
import { createDashOriginReader } from '../../../src/ingest/live/dash/createDashOriginReader.ts';
import type { Origin, ReadOptions, ReadResult } from '../../../src/ingest/ports.ts';
import type { OriginReading } from '../../../src/live/origin.ts';
import type { OriginReader, ReadingWay } from '../../../src/live/ports.ts';
import type { Millis } from '../../../src/time/units.ts';

type Body = string | Uint8Array;
/** A body, the status of a failure, or a body with headers. Absent: 404. */
type Answer = Body | number | undefined | (Partial<Extract<ReadResult, { ok: true }>> & { readonly body: Body });

export const memoryOrigin = (answer: (url: string, options: ReadOptions) => Answer): Origin => ({
  async read(requested, options = {}) {
    const found = answer(requested, options) ?? 404;
    if (typeof found === 'number') return { ok: false, reason: `returned status ${found}`, status: found };
    const { body, ...more } = typeof found === 'string' || found instanceof Uint8Array ? { body: found } : found;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return { ok: true, url: requested, status: 200, contentType: '', bytes, ...more };
  },
  save: async () => ({ ok: false, reason: 'is not stored' }),
});

/** The origins of MPDs begin at this instant, unless they state another one. */
export const START = Date.parse('2026-01-01T00:00:00Z');
export const MPD_URL = 'https://o.example/live/manifest.mpd?token=secret';

const rates = { bandwidth: 900_000, averageBandwidth: 900_000, container: 'fmp4' } as const;
export const videoRung = { ...rates, key: '1/v', kind: 'video', codecs: 'avc1.64001f', timescale: 90_000 } as const;
const english = { language: 'en', codecs: 'mp4a.40.2', timescale: 48_000 };
export const audioRung = { ...rates, ...english, key: '2/a', kind: 'audio' } as const;
type Rungs = Parameters<typeof createDashOriginReader>[0]['feed']['rungs'];

/** An origin of one MPD and of other files, and its clock. */
export function dashOrigin(mpd: (seconds: number) => string | number) {
  const files = new Map<string, Body>();
  const requests: { url: string; range?: ReadOptions['range'] }[] = [];
  const state = { seconds: 0, ahead: 0 };
  const now = () => (START + (state.seconds + state.ahead) * 1000) as Millis;
  const origin = memoryOrigin((url, { range }) => {
    requests.push({ url, ...(range && { range }) });
    const body = files.get(url) ?? (/\.mpd/.test(url) ? mpd(state.seconds) : 404);
    return typeof body === 'number' ? body : { body, date: new Date(START + state.seconds * 1000).toUTCString() };
  });
  return { files, requests, state, now, origin };
}

/** @returns undefined if nothing has changed @throws if the origin is refused */
export async function readFrom(reader: Pick<OriginReader, 'read'>): Promise<OriginReading | undefined> {
  const reading = await reader.read();
  if (reading !== undefined && 'refused' in reading) throw new Error(reading.refused);
  return reading;
}

export function dashReader(
  { origin, now, state }: Pick<ReturnType<typeof dashOrigin>, 'origin' | 'now' | 'state'>,
  rungs: Rungs = [videoRung],
  way?: ReadingWay,
) {
  const reader = createDashOriginReader({ origin, feed: { url: MPD_URL, rungs }, now, way });
  /** Undefined if nothing has changed. */
  const read = async (seconds: number): Promise<OriginReading | undefined> => {
    state.seconds = seconds;
    return readFrom(reader);
  };
  const at = async (seconds: number): Promise<OriginReading> => {
    const reading = await read(seconds);
    if (reading === undefined) throw new Error('nothing has changed');
    return reading;
  };
  return { reader, read, at };
}

/** The numbers of the segments of each rung. */
export const numbers = ({ renditions }: OriginReading) =>
  renditions.map(({ segments }) => segments.map(({ number }) => number));
