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

export async function requestPlaylist(
  origin: Origin,
  url: string,
  signal?: AbortSignal,
): Promise<FetchedPlaylist | OriginFailure> {
  const read = await origin.read(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) });
  if (read.ok) return { text: new TextDecoder().decode(read.bytes), url: read.url };
  return {
    refused: `${shortUrl(url)} ${read.reason}`,
    ...(read.status === undefined ? {} : { status: read.status }),
  };
}
