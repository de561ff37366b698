// SPDX-License-Identifier: Apache-2.0
import type { OriginFailure } from '../../../live/ports.ts';
import type { Origin } from '../../ports.ts';
import { MANIFEST_BYTES, manifestText } from '../../source/manifestText.ts';
import { shortUrl } from '../../source/mediaReader.ts';

export type FetchedPlaylist = {
  readonly text: string;
  /** After redirects. */
  readonly url: string;
};

const TIMEOUT_MS = 10_000;

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
      ...{ maxBytes: MANIFEST_BYTES, timeoutMs: TIMEOUT_MS },
      ...(signal && { signal }),
      ...(known && { headers: { 'if-none-match': known.etag } }),
    });
    if (!read.ok) {
      if (read.status === 304 && known !== undefined) return known;
      const { reason, status } = read;
      return { refused: `${shortUrl(url)} ${reason}`, ...(status === undefined ? {} : { status }) };
    }
    const text = await manifestText(read.bytes);
    if (typeof text !== 'string') return { refused: `${shortUrl(url)} ${text.refused}` };
    const fetched = { text, url: read.url };
    kept.delete(url);
    if (read.etag !== undefined) kept.set(url, { ...fetched, etag: read.etag });
    if (kept.size > count) kept.delete(kept.keys().next().value!);
    return fetched;
  };
}
