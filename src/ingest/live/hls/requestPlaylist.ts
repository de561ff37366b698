// SPDX-License-Identifier: Apache-2.0
import type { OriginFailure } from '../../../live/ports.ts';
import type { Origin } from '../../ports.ts';
import { shortUrl } from '../../source/mediaReader.ts';

export type FetchedPlaylist = {
  readonly text: string;
  /** After redirects. */
  readonly url: string;
};

/** Twelve hours of segments of a second, each with a marker. */
const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Each reading parses all of them: more than these would take a large part of a processor. */
const MAX_SEGMENTS = 100_000;

export type PlaylistRequester = (url: string, signal?: AbortSignal) => Promise<FetchedPlaylist | OriginFailure>;

/**
 * Requests playlists again and again. Servers need not send those that have not changed (RFC 9110 §13.1.2).
 * @param count of playlists that are kept. URLs whose tokens have changed are not requested again.
 */
export function createPlaylistRequester(origin: Origin, count: number): PlaylistRequester {
  const kept = new Map<string, FetchedPlaylist & { readonly etag: string }>();
  return async (url, signal) => {
    const known = kept.get(url);
    const read = await origin.read(url, {
      ...{ maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS },
      ...(signal && { signal }),
      ...(known && { headers: { 'if-none-match': known.etag } }),
    });
    if (!read.ok) {
      if (read.status === 304 && known !== undefined) return known;
      const { reason, status } = read;
      return { refused: `${shortUrl(url)} ${reason}`, ...(status === undefined ? {} : { status }) };
    }
    const refused = tooLong(read.bytes);
    if (refused !== undefined) return { refused: `${shortUrl(url)} ${refused}` };
    const fetched = { text: new TextDecoder().decode(read.bytes), url: read.url };
    kept.delete(url);
    if (read.etag !== undefined) kept.set(url, { ...fetched, etag: read.etag });
    if (kept.size > count) kept.delete(kept.keys().next().value!);
    return fetched;
  };
}

function tooLong(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = text.indexOf('#EXTINF:'); at >= 0; at = text.indexOf('#EXTINF:', at + 8)) count += 1;
  return count > MAX_SEGMENTS ? `lists ${count} segments; at most ${MAX_SEGMENTS} are supported` : undefined;
}
