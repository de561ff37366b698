// An origin of content reached over HTTP: whole resources, byte ranges of them, or streamed into a file. It knows
// limits and ranges; how an exchange goes and fails is httpExchange's, who may be reached is egressGuard's.
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { Origin, ReadFailure, ReadOptions } from '../../ingest/ports.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import type { Timers } from '../../time/clock.ts';
import type { ByteRange } from '../../timeline/asset.ts';
import { type ExchangeFailure, ExchangeStopped, failure } from './exchangeFailure.ts';
import { type AnswerHead, createExchange, type ExchangeResult } from './httpExchange.ts';

export type OriginLimits = {
  /** Unless the reader says otherwise. */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Requests at once to one host; the others wait within their own time limit. */
  readonly perHost?: number;
  /** Without a byte while something is saved: who may take minutes for all of it need not be waited for in silence. */
  readonly idleMs?: number;
  /** Keep the deadlines; the system's unless given. */
  readonly timers?: Timers;
};

const MIB = 1024 * 1024;

const rangeHeaders = ({ start, length }: ByteRange) => ({
  range: `bytes=${start}-${start + length - 1}`,
  // Bytes are counted in the resource itself, not in a compressed form of it.
  'accept-encoding': 'identity',
});

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Keeps of a stream of bytes what a range wants, whether the server cut it (206) or sent the whole (200). */
type RangeFilter = (chunk: Uint8Array, head: AnswerHead) => { piece: Uint8Array; done: boolean };

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

/** RFC 9110 §14.4: where the bytes of a partial answer begin. */
function firstByteOf(head: AnswerHead, range: ByteRange): number {
  if (head.status !== 206) return 0;
  const first = Number(/^bytes\s+(\d+)-/i.exec(head.contentRange)?.[1] ?? Number.NaN);
  if (first <= range.start) return first;
  throw new ExchangeStopped('garbage', `answered with other bytes than those from ${range.start} on`);
}

/** The whole resource's bytes, when the server knows them. */
function sizeOf(contentRange: string): number | undefined {
  const [, size] = /\/(\d{1,15})$/.exec(contentRange) ?? [];
  return size === undefined ? undefined : Number(size);
}

const readFailure = ({ reason, status, error }: ExchangeFailure): ReadFailure => ({
  ok: false,
  error,
  reason,
  ...(status === undefined ? {} : { status }),
  ...(error === 'tooLarge' ? { isTooLarge: true } : {}),
});

/** Appends to an open file; a full disk is told as such. */
async function append(file: FileHandle, piece: Uint8Array): Promise<void> {
  try {
    await file.writeFile(piece);
  } catch (error) {
    throw new ExchangeStopped('notStored', `sent what could not be stored (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** @param guard the dispatcher that createEgressGuard made */
export function createHttpOrigin(guard: Dispatcher, limits: OriginLimits = {}): Origin {
  const { maxBytes: usualBytes = 64 * MIB, timeoutMs: usualTimeout = 10_000, perHost = 8, idleMs = 20_000 } = limits;
  const exchange = createExchange(guard, { concurrency: perHost, queue: 10_000 }, limits.timers);

  /** Hands on the bytes that were asked for and no others. */
  const fetchInto = async (
    url: string,
    { range, maxBytes = usualBytes, timeoutMs = usualTimeout, headers = {}, signal }: ReadOptions,
    take: (piece: Uint8Array) => Promise<void> | void,
    patience: { readonly idleMs?: number } = {},
  ): Promise<ExchangeResult> => {
    if (range && range.length > maxBytes) {
      return failure('tooLarge', `was to be asked for ${range.length} bytes, more than the ${maxBytes} allowed`);
    }
    const filter = rangeFilter(range);
    return exchange(
      {
        url,
        // With a range, bytes in front of it may have to be read past; what is kept is bounded by the range itself.
        maxBytes: range ? Number.POSITIVE_INFINITY : maxBytes,
        timeoutMs,
        ...patience,
        headers: { 'user-agent': 'midroll', ...lowerCased(headers), ...(range ? rangeHeaders(range) : {}) },
        ...(signal ? { signal } : {}),
      },
      async (chunk, head) => {
        const { piece, done } = filter(chunk, head);
        if (piece.length > 0) await take(piece);
        return done;
      },
    );
  };

  return {
    async read(url, options = {}) {
      const pieces: Uint8Array[] = [];
      const result = await fetchInto(url, options, (piece) => void pieces.push(piece));
      if (!result.ok) return readFailure(result);
      if (options.range && pieces.length === 0)
        return { ok: false, error: 'noByte', reason: 'has no byte in the range asked for' };
      const size = sizeOf(result.contentRange);
      return {
        ok: true,
        url: result.url,
        status: result.status,
        contentType: result.contentType,
        ...(result.allowOrigin === '' ? {} : { allowOrigin: result.allowOrigin }),
        bytes: joinBytes(pieces),
        ...(size === undefined ? {} : { size }),
      };
    },

    async save(url, path, options = {}) {
      const file = await open(path, 'w');
      let size = 0;
      const keep = async (piece: Uint8Array): Promise<void> => {
        await append(file, piece);
        size += piece.length;
      };
      const result = await fetchInto(url, options, keep, { idleMs }).finally(() => file.close());
      if (result.ok) return { ok: true, size };
      await rm(path, { force: true });
      return readFailure(result);
    },
  };
}
