// SPDX-License-Identifier: Apache-2.0
// Reads content from an origin over HTTP: whole resources, byte ranges, or streamed into a file. Handles limits and
// ranges; exchanges and their failures are in httpExchange.ts, allowed addresses in egressGuard.ts.
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { ExchangeFailure } from '../../ads/request/ports.ts';
import type { Origin, ReadFailure, ReadOptions } from '../../ingest/ports.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import type { Timers } from '../../time/clock.ts';
import type { ByteRange } from '../../timeline/asset/asset.ts';
import { systemTimers } from '../systemClock.ts';
import { createExchangeCookies, type ExchangeCookies } from './exchangeCookies.ts';
import { ExchangeStopped, failure } from './exchangeFailure.ts';
import { createExchange, type ExchangeResult, type ResponseHead } from './httpExchange.ts';

const MIB = 1024 * 1024;

const rangeHeaders = ({ start, length }: ByteRange) => ({
  range: `bytes=${start}-${start + length - 1}`,
  // The range counts bytes of the resource itself, not of a compressed form.
  'accept-encoding': 'identity',
});

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Keeps the bytes of a range, from a partial response (206) or from the whole resource (200). */
type RangeFilter = (chunk: Uint8Array, head: ResponseHead) => { piece: Uint8Array; done: boolean };

function rangeFilter(range: ByteRange | undefined): RangeFilter {
  if (!range) return (chunk) => ({ piece: chunk, done: false });
  const end = range.start + range.length;
  let at: number | undefined;
  return (chunk, head) => {
    at ??= firstByteOf(head, range);
    const piece = chunk.subarray(Math.max(0, range.start - at), Math.max(0, end - at));
    at += chunk.length;
    return { piece, done: at >= end };
  };
}

function firstByteOf(head: ResponseHead, range: ByteRange): number {
  if (head.status !== 206) return 0;
  const first = Number(/^bytes\s+(\d+)-/i.exec(head.contentRange)?.[1] ?? Number.NaN);
  if (first <= range.start) return first;
  throw new ExchangeStopped('garbage', `returned other bytes than the requested ones from ${range.start} on`);
}

function sizeOf(contentRange: string): number | undefined {
  const [, size] = /\/(\d{1,15})$/.exec(contentRange) ?? [];
  return size === undefined ? undefined : Number(size);
}

const readFailure = ({ body: _body, retryAfter: _retryAfter, ...failed }: ExchangeFailure): ReadFailure =>
  failed.error === 'tooLarge' ? { ...failed, isTooLarge: true } : failed;

/** @throws {ExchangeStopped} `notStored` if the disk is full or fails */
async function append(file: FileHandle, piece: Uint8Array): Promise<void> {
  try {
    await file.writeFile(piece);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ExchangeStopped('notStored', `sent a body that could not be stored (${code})`, { cause: error });
  }
}

export function createHttpOrigin(
  guard: Dispatcher,
  {
    /** The default of a read; the same for `timeoutMs`. */
    maxBytes: most = 64 * MIB,
    timeoutMs: longest = 10_000,
    /** Requests to one host at once; others wait, within their own timeout. */
    perHost = 8,
    /** The maximum time without a byte during `save`, whose total timeout may be minutes. */
    idleMs = 20_000,
    timers = systemTimers,
  } = {},
): Origin {
  const exchange = createExchange(guard, { concurrency: perHost, queue: 10_000 }, timers);

  /** Passes only the requested bytes to `take`. */
  const fetchInto = async (
    url: string,
    { range, maxBytes = most, timeoutMs = longest, headers = {}, signal }: ReadOptions,
    take: (piece: Uint8Array) => Promise<void> | void,
    more: { readonly idleMs?: number; readonly cookies?: ExchangeCookies; readonly isCollected?: boolean },
  ): Promise<ExchangeResult> => {
    if (range && range.length > maxBytes) {
      return failure('tooLarge', `has a range of ${range.length} bytes, which exceeds the limit of ${maxBytes}`);
    }
    const filter = rangeFilter(range);
    return exchange(
      {
        url,
        // A server may ignore the range and send the bytes before it; what is kept is limited by the range itself.
        maxBytes: range ? Number.POSITIVE_INFINITY : maxBytes,
        timeoutMs,
        ...more,
        headers: { 'user-agent': 'midroll', ...lowerCased(headers), ...(range ? rangeHeaders(range) : {}) },
        signal,
      },
      async (chunk, head) => {
        const { piece, done } = filter(chunk, head);
        if (piece.length > 0) await take(piece);
        return done;
      },
    );
  };

  const originWith = (kept: { readonly cookies?: ExchangeCookies }): Origin => ({
    async read(url, options = {}) {
      const pieces: Uint8Array[] = [];
      // A server may send more than the requested range, so a range is not collected.
      const more = { ...kept, isCollected: options.range === undefined };
      const result = await fetchInto(url, options, (piece) => void pieces.push(piece), more);
      if (!result.ok) return readFailure(result);
      if (options.range && pieces.length === 0)
        return { ok: false, error: 'noByte', reason: 'has no byte in the requested range' };
      const { contentRange, ...head } = result;
      const size = sizeOf(contentRange);
      return { ...head, bytes: joinBytes(pieces), ...(size === undefined ? {} : { size }) };
    },

    async save(url, path, options = {}) {
      const file = await open(path, 'w');
      let size = 0;
      const keep = async (piece: Uint8Array): Promise<void> => {
        await append(file, piece);
        size += piece.length;
      };
      const result = await fetchInto(url, options, keep, { idleMs, ...kept }).finally(() => file.close());
      if (result.ok) return { ok: true, size };
      await rm(path, { force: true });
      return readFailure(result);
    },

    session: () => originWith({ cookies: createExchangeCookies() }),
  });
  return originWith({});
}

/** 500 live channels of three playlists each, read every two seconds, need 75 if a response takes a tenth of a second. */
export const READINGS_PER_HOST = 256;

/**
 * For the manifests of live origins. Hundreds of channels may have one host, and each is read every second or two: as few requests
 * at once as for imports would delay the readings of all of them behind a network.
 */
export const createReadingsOrigin = (guard: Dispatcher, timers: Timers): Origin =>
  createHttpOrigin(guard, { timers, perHost: READINGS_PER_HOST });
