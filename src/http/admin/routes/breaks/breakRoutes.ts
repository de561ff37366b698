// SPDX-License-Identifier: Apache-2.0
// The breaks of a channel: listing them, and inserting, ending and cancelling them by hand.

import { createHash, randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  type Channel,
  DEFAULT_MAX_BREAK_DURATION,
  type LinearChannel,
  type LiveChannel,
} from '../../../../channels/channel.ts';
import { orderFaults, startFaults } from '../../../../channels/inserted/orderFaults.ts';
import { AppError, validationError } from '../../../../errors.ts';
import { defined } from '../../../../invariant.ts';
import type { Insertion, Ordered } from '../../../../planning/breaks/breakDesk.ts';
import { type Millis, millis } from '../../../../time/units.ts';
import {
  type BreakOrderBody,
  breakOrderBody,
  type OrderedBreak,
  orderedBreak,
} from '../../../contract/breakContract.ts';
import { timeText } from '../../../contract/commonContract.ts';
import { liveBreaks } from '../../../contract/liveContract.ts';
import type { Sent } from '../../../contract/matching.ts';
import { totalDocs } from '../../request/readListing.ts';
import { pageQuery, readQuery } from '../../request/readQuery.ts';
import { readOpenRange } from '../../request/readRange.ts';
import { type AdminRequest, ok, readIdempotencyKey, type UntaggedRoute } from '../../request/route.ts';
import type { CoreApi } from '../ports.ts';
import { readFields } from '../record.ts';
import { listBreaks, showInserted, showMarked } from './listBreaks.ts';

const breaksQuery = Type.Object({
  from: timeText('Breaks that start from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Breaks that start before this time. Default: all.'),
  ...pageQuery.properties,
});

/** An Idempotency-Key may have any characters, an id may not. */
const idOfKey = (key: string): string => `k-${createHash('sha256').update(key).digest('base64url')}`;

function insertionOf(body: BreakOrderBody, key: string | undefined): Insertion {
  const { kind = 'ads', startsAt, duration, asset, id = key === undefined ? undefined : idOfKey(key) } = body;
  return {
    id: id ?? `b-${randomUUID()}`,
    kind,
    ...(startsAt === undefined ? {} : { startsAt: millis(Date.parse(startsAt)) }),
    ...(duration === undefined ? {} : { duration: millis(Math.round(duration * 1000)) }),
    ...(asset === undefined ? {} : { assetUrl: asset }),
    request: JSON.stringify({ kind, startsAt, duration, asset }),
  };
}

/** @param find the channel of a request */
export function breakRoutes(
  deps: CoreApi,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): UntaggedRoute[] {
  const { breakDesk, blackoutAssetOf, now } = deps;

  async function findWithBreaks(request: AdminRequest): Promise<LinearChannel | LiveChannel> {
    const channel = await find(request);
    if (channel.type !== 'vod') return channel;
    const message = `Channel "${channel.id}" must have type "live" or "vod2live" to have breaks by the clock; its type is "vod".`;
    throw new AppError('CONFLICT', message);
  }

  async function show(channel: Channel, id: string | undefined, ordered: Ordered): Promise<Sent<OrderedBreak>> {
    if (ordered.outcome === 'conflict') throw new AppError('CONFLICT', ordered.reason);
    if (ordered.outcome === 'unknown')
      throw new AppError('NOT_FOUND', `Break "${id ?? ''}" not found on channel "${channel.id}".`);
    if ('marked' in ordered) return showMarked(ordered.marked);
    return showInserted(ordered.break, now(), await blackoutAssetOf(ordered.break));
  }

  const order: UntaggedRoute = {
    scope: 'operate',
    channelAccess: { param: 'id' },
    method: 'POST',
    ownsIdempotency: true,
    path: `${path}/:id/breaks`,
    operationId: 'orderBreak',
    summary: 'Insert, end or cancel a break',
    description:
      'For `live` and `vod2live` channels. Takes effect at the first segment border that is not in the timeline yet. For `live` channels on one node, that is the first segment that is listed after the response; on nodes that share a database, a segment of content may be listed before. The status is 201 for a new break, and 200 for a repeated request, for `end` and for `cancel`. The same `id` or `Idempotency-Key` with another body is a 409, and so is an action that the state of the break does not allow.',
    body: { schema: breakOrderBody },
    headers: { 'idempotency-key': 'With `insert` and without `id`: names the request, so that it can be repeated.' },
    response: { status: 201, description: 'The break.', schema: orderedBreak },
    errors: [404, 409],
    example: { params: { id: 'live-one' }, body: { id: 'half-time', duration: 30 } },
    handle: async (request) => {
      const channel = await findWithBreaks(request);
      const maxBreakDuration = channel.maxBreakDuration ?? DEFAULT_MAX_BREAK_DURATION;
      const body = await readFields(request.body, 'break', breakOrderBody, (fields) =>
        orderFaults(fields, maxBreakDuration),
      );
      const { action = 'insert', id } = body;
      const check = (startsAt: Millis) => {
        const faults = startFaults(startsAt, now());
        if (faults.length > 0) throw validationError('Invalid break', faults);
      };
      const ordered =
        action === 'insert'
          ? await breakDesk.insert(channel, insertionOf(body, readIdempotencyKey(request.headers)), check)
          : await (action === 'end'
              ? breakDesk.end(channel, id)
              : breakDesk.cancel(channel, defined(id, 'a cancellation names its break')));
      const json = await show(channel, id, ordered);
      const isDone = ordered.outcome === 'inserted' || ordered.outcome === 'changed';
      request.audit.note({
        kind: 'channel',
        id: channel.id,
        name: channel.name,
        outcome: isDone ? 'done' : 'unchanged',
        details: { action, break: json },
      });
      return { status: ordered.outcome === 'inserted' ? 201 : 200, json };
    },
  };

  const list: UntaggedRoute = {
    channelAccess: { param: 'id' },
    method: 'GET',
    path: `${path}/:id/breaks`,
    operationId: 'listLiveBreaks',
    summary: 'List the breaks of a live channel and those inserted by operators, newest first',
    description:
      'For `live` channels, the breaks that were found in the origins and those that were inserted by operators; for `vod2live` channels, those inserted by operators: the others are in the timeline. The response for `vod` channels is a 409.',
    query: breaksQuery,
    response: ok('A page of breaks, with what of the markers was not used as written.', liveBreaks, totalDocs),
    errors: [404, 409],
    example: { params: { id: 'live-one' } },
    handle: async (request) => {
      const query = readQuery(breaksQuery, request.query);
      const range = readOpenRange(query);
      const json = await listBreaks(deps, await findWithBreaks(request), range, query);
      return { status: 200, headers: { 'x-total-count': String(json.total) }, json };
    },
  };

  return [list, order];
}
