// SPDX-License-Identifier: Apache-2.0
// The chapters of an asset, in the JSON format for HLS: an array of objects with a `start-time` in seconds of the presentation.
// https://developer.apple.com/documentation/http-live-streaming/providing-javascript-object-notation-json-chapters
import { fieldsOf } from '../../channels/fieldsOf.ts';
import { type Flicks, flicksToSeconds, secondsToFlicks } from '../../time/units.ts';
import type { Origin } from '../ports.ts';
import { shortUrl } from '../source/mediaReader.ts';

/** JSON is parsed in one turn. */
const MAX_BYTES = 2 ** 20;
const TIMEOUT_MS = 10_000;
/** More than any content has. Chapters are stored with the asset. */
const MAX_CHAPTERS = 1000;

type Chapters = { readonly chapters?: readonly Flicks[]; readonly warnings: readonly string[] };

/** An asset can do without chapters. @param url undefined if the manifest has none @param end of the asset */
export async function readChapters(url: string | undefined, end: Flicks, origin: Origin): Promise<Chapters> {
  if (url === undefined) return { warnings: [] };
  const read = await origin.read(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  if (!read.ok) return unused(url, read.reason);
  const list = parsed(read.bytes);
  if (!Array.isArray(list)) return unused(url, 'must contain a JSON array');
  const starts = list.slice(0, MAX_CHAPTERS).flatMap((chapter) => {
    const start = fieldsOf(chapter)['start-time'];
    return typeof start === 'number' && start >= 0 && start < flicksToSeconds(end) ? [secondsToFlicks(start)] : [];
  });
  const chapters = [...new Set(starts)].sort((a, b) => a - b);
  return chapters.length === 0 ? unused(url, 'has no chapter within the asset') : { chapters, warnings: [] };
}

const unused = (url: string, reason: string): Chapters => ({
  warnings: [`its chapters are not used: ${shortUrl(url)} ${reason}`],
});

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
