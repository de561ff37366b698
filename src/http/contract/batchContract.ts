// SPDX-License-Identifier: Apache-2.0
// The contract of batches: many changes in one request.
import { type Static, Type } from 'typebox';
import { closed, errorResponse, flag, integer, list, oneOf, recordId, text } from './commonContract.ts';
import { namedBody, namedObject } from './named.ts';

const optional = Type.Optional;

const MAX_CHANGES = 500;
/** Changes that count as one request for the rate limit. */
export const CHANGES_PER_REQUEST = 50;

const batchChange = closed('A request that is part of a batch.', {
  method: oneOf(['POST', 'PUT', 'PATCH', 'DELETE'], 'Method of the request.'),
  path: text('A path of this API, with its query. For example `/api/v2/channels/channel-one?force=true`.', {
    minLength: 1,
    maxLength: 2048,
  }),
  body: optional(Type.Unknown({ description: 'The JSON body of the request.' })),
  ifMatch: optional(
    text('ETag of the expected version. The result is a 412 if the record has changed.', { maxLength: 300 }),
  ),
});

export const batchBody = namedBody('Batch', 'Changes that are made with one request.', {
  atomic: optional(
    flag('Make all changes, in one transaction, or none. Otherwise each one that is valid is made.', {
      default: false,
    }),
  ),
  changes: list(batchChange, 'The changes in their order.', { minItems: 1, maxItems: MAX_CHANGES }),
});

export const batchResponse = namedObject('BatchResults', {
  applied: flag('Whether the changes with a status of success were made. False only for atomic batches.'),
  results: list(
    Type.Object({
      status: integer('HTTP status that the request would have alone. 424: not made because another one failed.'),
      etag: optional(text('The new version of the record, for If-Match.')),
      restore: optional(text('Path that restores the deleted record with POST, also in a batch, for 24 hours.')),
      body: optional(Type.Unknown({ description: 'The body of the response to a POST.' })),
      error: optional(errorResponse),
    }),
    'One result for each change, in the same order.',
  ),
});

const affectedIds = (records: string) => optional(list(recordId, `IDs of ${records}.`, { maxItems: MAX_CHANGES }));
export const affectedBody = namedBody('AffectedRecords', 'Records that will be changed.', {
  channels: affectedIds('channels'),
  playlists: affectedIds('playlists'),
});
export const affectedResponse = namedObject('AffectedViewers', {
  viewers: integer('Viewers who watch one of the channels now.'),
  channels: list(
    Type.Object({ id: recordId, viewers: integer('Viewers of the channel.') }),
    'The channels, and those that play one of the playlists, that have viewers.',
  ),
});

type Batch = Static<typeof batchBody>;
export type BatchChange = Batch['changes'][number];
export type BatchResponse = Static<typeof batchResponse>;
export type BatchResult = BatchResponse['results'][number];
