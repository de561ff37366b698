// SPDX-License-Identifier: Apache-2.0
// How the origins of a live channel have changed.
import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { AppError } from '../../../errors.ts';
import { millis } from '../../../time/units.ts';
import type { DeepReadonly } from '../../contract/matching.ts';
import { type OriginEvents, originEvents } from '../../contract/originEventContract.ts';
import { pageQuery, readQuery } from '../request/readQuery.ts';
import { readRange, timeText } from '../request/readRange.ts';
import type { AdminRequest, KeyedRoute } from '../request/route.ts';
import type { CoreApi } from './ports.ts';

/** The latest time that a date can hold. */
const LATEST = millis(8.64e15);

const eventsQuery = Type.Object({
  from: timeText('Events from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Events before this time. Default: all.'),
  ...pageQuery.properties,
});

/** @param find the channel of a request */
export function originEventRoutes(
  { originEventsOf }: Pick<CoreApi, 'originEventsOf'>,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): KeyedRoute[] {
  const list: KeyedRoute = {
    tag: 'channels',
    channelAccess: { param: 'id' },
    method: 'GET',
    path: `${path}/:id/origin-events`,
    operationId: 'listOriginEvents',
    summary: 'List the changes of the origins of a live channel, newest first',
    description:
      'Each change of the state of an origin, and of what is on air: the origin, a backup, or slate. Recorded while the channel has viewers. The last 7 days are kept. The response for channels of other types is a 409.',
    query: eventsQuery,
    response: {
      status: 200,
      description: 'A page of events.',
      schema: originEvents,
      headers: { 'x-total-count': 'Number of items on all pages.' },
    },
    errors: [404, 409],
    example: { params: { id: 'live-one' } },
    handle: async (request) => {
      const query = readQuery(eventsQuery, request.query);
      const range = readRange(query, ({ from = millis(0), to = LATEST }) => ({ from, to }));
      const channel = await find(request);
      if (channel.type !== 'live') {
        const message = `Channel "${channel.id}" must have type "live" to have origins; its type is "${channel.type}".`;
        throw new AppError('CONFLICT', message);
      }
      const { total, items } = await originEventsOf(channel, range, query);
      const json: DeepReadonly<OriginEvents> = {
        total,
        items: items.map(({ at, ...event }) => ({ at: new Date(at).toISOString(), ...event })),
      };
      return { status: 200, headers: { 'x-total-count': String(total) }, json };
    },
  };
  return [list];
}
