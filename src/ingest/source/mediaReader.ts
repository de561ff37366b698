// SPDX-License-Identifier: Apache-2.0
import type { ByteRange, MediaRef } from '../../timeline/asset/asset.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Origin } from '../ports.ts';
import { decryptSegment, wholeEncryption } from './decryptSegment.ts';
import { MANIFEST_BYTES, manifestText } from './manifestText.ts';
import { type NominalTrack, notFetched, type Refusal } from './presentation.ts';

/** Enough for the header boxes of most fragments, and for the program map and first picture of most transport streams. */
const HEAD_BYTES = 16 * 1024;
const MEDIA_LIMIT = 128 * 1024 * 1024;
const READ_TIMEOUT_MS = 30_000;
const LIVE_TIMEOUT_MS = 10_000;
const KEY_BYTES = 16;
/** Object stores return 403 for objects that do not exist. */
const MISSING = new Set([403, 404, 410]);

/** `size`: of the whole resource, if known. */
type SegmentBytes = { readonly bytes: Uint8Array; readonly isWhole: boolean; readonly size?: number | undefined };

export type MediaReader = ReturnType<typeof createMediaReader>;

/** Receives the size of a whole segment, in bytes, whenever a read reveals it. */
type SizeListener = (track: NominalTrack, index: number, bytes: number) => void;

/**
 * Reads and decrypts what an import needs: manifests, initialization sections, heads of segments and whole segments. Reads each
 * initialization section and each key once, however many tracks share them.
 */
export function createMediaReader(origin: Origin, onSize: SizeListener = () => undefined) {
  const kept = new Map<string, Promise<Uint8Array | Refusal>>();
  const decode = origin.decode ?? manifestText;

  async function bytesOf(url: string, range?: ByteRange): Promise<SegmentBytes | Refusal> {
    const read = await origin.read(url, { maxBytes: MEDIA_LIMIT, timeoutMs: READ_TIMEOUT_MS, range });
    if (!read.ok) {
      const refused = `${shortUrl(url)} ${read.reason}`;
      return { ...notFetched(read), refused, isMissing: MISSING.has(read.status ?? 0) };
    }
    if (range === undefined) return { bytes: read.bytes, isWhole: true };
    const isWhole = read.bytes.length < range.length;
    return { bytes: read.bytes, isWhole, size: read.size };
  }

  function once(ref: MediaRef): Promise<Uint8Array | Refusal> {
    const name = `${ref.range?.start ?? ''}+${ref.range?.length ?? ''} ${ref.url}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const reading = bytesOf(ref.url, ref.range).then((read) => ('refused' in read ? read : read.bytes));
    kept.set(name, reading);
    return reading;
  }

  async function keyOf(
    track: Pick<NominalTrack, 'protection'>,
  ): Promise<{ key: Uint8Array; iv: bigint | undefined } | Refusal | undefined> {
    const encryption = wholeEncryption(track.protection);
    if (encryption === undefined) return undefined;
    const key = await once({ url: encryption.keyUrl });
    if ('refused' in key) {
      const refused = `its segments are encrypted, and their key could not be read: ${key.refused}`;
      return { ...key, refused, isMissing: false };
    }
    if (key.length !== KEY_BYTES)
      return { code: 'NO_KEY', refused: `the AES-128 key must have ${KEY_BYTES} bytes; got ${key.length} bytes` };
    return { key, iv: encryption.iv };
  }

  async function segment(track: NominalTrack, index: number, length?: number): Promise<SegmentBytes | Refusal> {
    const { url, range } = segmentUrl({ urls: track.urls, borders: track.nominalBorders }, index);
    const requested: ByteRange | undefined =
      length === undefined
        ? range
        : { start: range?.start ?? 0, length: Math.min(length, range?.length ?? Number.POSITIVE_INFINITY) };
    const read = await bytesOf(url, requested);
    if ('refused' in read) return read;
    const isWhole = read.isWhole || (range !== undefined && requested?.length === range.length);
    const size = range?.length ?? (isWhole ? read.bytes.length : read.size);
    if (size !== undefined) onSize(track, index, size);
    const encrypted = await keyOf(track);
    if (encrypted === undefined) return { bytes: read.bytes, isWhole };
    if ('refused' in encrypted) return encrypted;
    const iv = encrypted.iv ?? BigInt((track.protection?.firstIv ?? 0) + index);
    return { bytes: decryptSegment(read.bytes, encrypted.key, iv, isWhole), isWhole };
  }

  return {
    async text(url: string): Promise<FetchedManifest | Refusal> {
      const { refusal } = decode;
      const read = await origin.read(url, { maxBytes: MANIFEST_BYTES, timeoutMs: READ_TIMEOUT_MS, refusal });
      if (!read.ok) return { ...notFetched(read), refused: `${shortUrl(url)} ${read.reason}` };
      const text = await decode(read.bytes);
      return typeof text === 'string' ? { text, url: read.url } : { refused: `${shortUrl(url)} ${text.refused}` };
    },
    async init(track: NominalTrack): Promise<Uint8Array | undefined | Refusal> {
      if (track.init === undefined) return undefined;
      const bytes = await once(track.init);
      if ('refused' in bytes || looksClear(bytes)) return bytes;
      const ofInit = track.protection?.hlsOfInit;
      const encrypted = await keyOf(ofInit === undefined ? track : { protection: { hls: ofInit } });
      if (encrypted === undefined || 'refused' in encrypted) return encrypted ?? bytes;
      return decryptSegment(bytes, encrypted.key, encrypted.iv ?? 0n, true);
    },
    /** At least the first `length` bytes of a segment, or all of it. */
    head: (track: NominalTrack, index: number, length = HEAD_BYTES) => segment(track, index, length),
    whole: (track: NominalTrack, index: number) => segment(track, index, undefined),
  };
}

export type FetchedManifest = {
  readonly text: string;
  /** After redirects. */
  readonly url: string;
};

export type ManifestRequester = ReturnType<typeof createManifestRequester>;

/**
 * Requests manifests of live origins again and again. Servers need not send those that have not changed (RFC 9110 §13.1.2).
 * @param count of manifests that are kept. URLs whose tokens have changed are not requested again.
 * @returns a function that returns the same object while the server states that the manifest has not changed
 */
export function createManifestRequester(origin: Origin, count: number) {
  const decode = origin.decode ?? manifestText;
  const kept = new Map<string, FetchedManifest & { readonly etag: string | undefined }>();
  return async (url: string, signal?: AbortSignal) => {
    const known = kept.get(url);
    const headers = known?.etag ? { 'if-none-match': known.etag } : undefined;
    const read = await origin.read(url, { maxBytes: MANIFEST_BYTES, timeoutMs: LIVE_TIMEOUT_MS, signal, headers });
    if (!read.ok) {
      if (read.status === 304 && known !== undefined) return known;
      const { reason, status } = read;
      return { refused: `${shortUrl(url)} ${reason}`, ...(status && { status }) };
    }
    const text = await decode(read.bytes);
    if (typeof text !== 'string') return { refused: `${shortUrl(url)} ${text.refused}` };
    const fetched = { text, url: read.url, etag: read.etag };
    kept.delete(url);
    kept.set(url, fetched);
    const [oldest] = kept.keys();
    if (kept.size > count && oldest !== undefined) kept.delete(oldest);
    return fetched;
  };
}

/** Whether the bytes begin with a box or a transport packet. Packagers disagree on whether AES-128 covers EXT-X-MAP. */
const looksClear = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x47 || ['ftyp', 'moov', 'styp'].includes(String.fromCharCode(...bytes.subarray(4, 8)));

/** Removes the query, which may contain a token. */
export const shortUrl = (url: string): string => url.replace(/\?.*$/s, '');
