// SPDX-License-Identifier: Apache-2.0
// Checks an answer: a manifest of the right kind, channel and viewer, from its first to its last byte.
import { gunzipSync } from 'node:zlib';
import type { Answer } from '../harness/load.ts';

export type Marks = {
  /** In the URLs of the channel's content. */
  readonly channel: string;
  readonly session: string;
  /** In the URLs of the viewer's ads; a manifest lists at least one of them. */
  readonly ads: readonly string[];
};

const kinds = {
  hls: { type: 'content-type: application/vnd.apple.mpegurl', begin: '#EXTM3U\n', end: '\n' },
  dash: { type: 'content-type: application/dash+xml', begin: '<?xml ', end: '</MPD>' },
} as const;

const excerpt = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 300).toString('latin1'));

function bodyFault(format: 'hls' | 'dash', { first, last }: Pick<Answer, 'first' | 'last'>): string | undefined {
  const { begin, end } = kinds[format];
  if (first.toString('latin1', 0, begin.length) !== begin)
    return `the manifest does not begin with ${JSON.stringify(begin)}`;
  if (last.toString('latin1', Math.max(0, last.length - end.length)) !== end)
    return `the manifest does not end with ${JSON.stringify(end)}`;
  return undefined;
}

/** @param isWhole whether the body is complete, so that it lists ads */
function marksFault(
  format: 'hls' | 'dash',
  { channel, session, ads }: Marks,
  body: Buffer,
  isWhole: boolean,
): string | undefined {
  if (!body.includes(channel, 0, 'latin1')) return `content of ${channel} is missing`;
  if (format === 'dash' && !body.includes(session, 0, 'latin1')) return `the session ${session} is missing`;
  if (isWhole && !ads.some((ad) => body.includes(ad, 0, 'latin1')))
    return `none of the viewer's ads (${ads.join(' ')}) is listed`;
  return undefined;
}

/** Decompressing costs more than serving: of compressed answers, one in so many is read. */
const READ_ONE_IN = 64;
let compressed = 0;

function readGzip({ first, last }: Answer): Buffer | undefined {
  compressed += 1;
  return first === last && compressed % READ_ONE_IN === 0 ? gunzipSync(first) : undefined;
}

/** @param marks of the viewer; absent for a bare server, which sends the manifest of one of them */
export function manifestFault(
  format: 'hls' | 'dash',
  isGzip: boolean,
  marks: Marks | undefined,
  answer: Answer,
): string | undefined {
  const { head } = answer;
  if (!head.startsWith('HTTP/1.1 200')) return `expected a 200; got ${head} ${excerpt(answer.first)}`;
  if (!head.includes(kinds[format].type)) return `expected ${kinds[format].type}; got ${head}`;
  if (isGzip && !/content-encoding: gzip/i.test(head)) return `expected content-encoding: gzip; got ${head}`;
  const body = isGzip ? readGzip(answer) : answer.first;
  if (body === undefined) return undefined;
  const parts = isGzip ? { first: body, last: body } : answer;
  const isWhole = answer.first === answer.last;
  const found = bodyFault(format, parts) ?? (marks && marksFault(format, marks, body, isWhole));
  return found && `${found}: ${excerpt(body)}`;
}
