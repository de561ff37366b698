// SPDX-License-Identifier: Apache-2.0
// A playlist as an MRSS response, and an MRSS request as the body of a playlist.
import { type TSchema, Type } from 'typebox';
import { playlistFaults } from '../../../channels/playlistFaults.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../../errors.ts';
import { inTurns } from '../../../ingest/source/inTurns.ts';
import { describeRefusal } from '../../../mrss/feed.ts';
import { playlistOfFeed } from '../../../mrss/playlistOfFeed.ts';
import { readingFeed } from '../../../mrss/readFeed.ts';
import { type FeedSource, writeMrss } from '../../../mrss/writeMrss.ts';
import { oneOf } from '../../contract/commonContract.ts';
import { negotiate } from '../request/negotiate.ts';
import type { RouteResponse } from '../request/route.ts';
import { schemaFaults } from '../request/validate.ts';

export const MRSS = 'application/rss+xml';
/** Content types of feeds in requests. Servers and tools send RSS under the general types of XML, too (RFC 7303). */
export const feedTypes = [MRSS, 'application/xml', 'text/xml'] as const;

export const formatQuery = Type.Object({
  format: Type.Optional(oneOf(['json', 'mrss'], 'Format of the response.')),
});

/** The format of a response: as in the query, else as in the Accept header, else JSON. */
export const chooseFormat = (format: 'json' | 'mrss' | undefined, accept: string | undefined): 'json' | 'mrss' =>
  format ?? (negotiate(accept, ['application/json', MRSS]) === MRSS ? 'mrss' : 'json');

/** @throws {AppError} VALIDATION_ERROR if an item has no URL, or a cue point in per cent is in an item without a duration */
export function feedResponse(source: FeedSource, headers: Readonly<Record<string, string>> = {}): RouteResponse {
  const { text, faults } = writeMrss(source);
  if (faults.length > 0) throw validationError('Cannot write the playlist as MRSS', uniqueFaults(faults));
  return { status: 200, headers, text: { contentType: `${MRSS}; charset=utf-8`, content: text } };
}

const uniqueFaults = (faults: readonly FieldError[]): FieldError[] => [
  ...new Map(faults.map((fault) => [fault.dataPath, fault])).values(),
];

/**
 * The body of a playlist from a feed. Its faults are found here rather than by the caller, because only here their lines
 * are known.
 * @throws {AppError} MALFORMED if the text is not XML; VALIDATION_ERROR with every invalid field and its line
 */
export async function feedRequest(text: string, schema: TSchema): Promise<unknown> {
  const feed = await inTurns(text.length, readingFeed(text));
  if ('refused' in feed) {
    const { code, line } = feed;
    if (code === 'EMPTY' || code === 'NOT_XML') throw new AppError('MALFORMED', `The feed ${describeRefusal(feed)}.`);
    throw validationError('Invalid playlist', [fieldError('feed', '', describeRefusal(feed), { line })]);
  }
  const { body, faults, lineOf } = playlistOfFeed(feed);
  const itemOf = ({ dataPath }: FieldError) => /^\/contents\/\d+\//.exec(dataPath)?.[0];
  const unread = new Set(faults.map(itemOf));
  const others = [...schemaFaults(schema, body), ...playlistFaults(body)].filter((fault) => {
    const item = itemOf(fault);
    return item === undefined || !unread.has(item);
  });
  const all = [...faults, ...others].map((fault) => withLine(fault, lineOf(fault.dataPath)));
  if (all.length > 0) throw validationError('Invalid playlist', all);
  return body;
}

function withLine(fault: FieldError, ofElement: number): FieldError {
  const line = typeof fault.params.line === 'number' ? fault.params.line : ofElement;
  return { ...fault, params: { ...fault.params, line }, message: `${fault.message} (line ${line} of the feed)` };
}
