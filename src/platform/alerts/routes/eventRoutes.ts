// SPDX-License-Identifier: Apache-2.0
// The history of events, and a stream of new ones.
import { Type } from 'typebox';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { readRange } from '../../../http/admin/request/readRange.ts';
import { type KeyedRoute, ok, tagged } from '../../../http/admin/request/route.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { millis } from '../../../time/units.ts';
import { type AlertEventResponse, alertEvent, eventQuery, streamQuery } from '../contract/alertContract.ts';
import { showEvent } from '../rules/event.ts';
import type { NumberedEvent } from '../rules/ports.ts';
import type { AlertDeps } from './alertPorts.ts';
import { cursorDoc, pageOf, readCursor } from './readCursor.ts';

const show = ({ seq: _, ...event }: NumberedEvent): AlertEventResponse => showEvent(event);

const EVENT_STREAM = 'text/event-stream';

export function eventRoutes({ events, streams, now }: AlertDeps): KeyedRoute[] {
  return tagged('alerts', [
    {
      method: 'GET',
      path: '/api/v2/events',
      operationId: 'listEvents',
      summary: 'List the events of alerts, newest first',
      description: 'Those of the last 30 days, at most 10,000.',
      query: eventQuery,
      response: ok('A page of events.', Type.Array(alertEvent), cursorDoc),
      errors: [422],
      example: { query: { state: 'firing' } },
      handle: async ({ caller, query }) => {
        const { limit, cursor, rule, channel, state, ...range } = readQuery(eventQuery, query);
        const filter = {
          tenant: caller.tenant,
          ...readRange(range, ({ from = millis(0), to = millis(now() + 1) }) => ({ from, to })),
          ...withoutUndefined({ ruleId: rule, channelId: channel, state }),
          ...readCursor(cursor),
        };
        const { page, headers } = pageOf(await events.list(filter, limit + 1), limit);
        return { status: 200, headers, json: page.map(show) };
      },
    },
    {
      method: 'GET',
      path: '/api/v2/events/stream',
      operationId: 'streamEvents',
      summary: 'Stream new events of alerts',
      description:
        'Server-sent events: `event` is `alert`, `data` an event as JSON. Reconnect with `Last-Event-ID` to get those in between. Comments are sent every 15 s. The stream ends within 15 s after the key or the session.',
      query: streamQuery,
      headers: { 'last-event-id': '`id` of the last event that was received.' },
      response: { status: 200, description: 'Events as they happen.', text: [EVENT_STREAM] },
      errors: [422, 503],
      isStream: true,
      example: { query: { seconds: '1' } },
      handle: async ({ caller, query, headers, isAllowed }) => {
        const { seconds } = readQuery(streamQuery, query);
        const [last] = [headers['last-event-id'] ?? []].flat();
        const after = last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : undefined;
        const options = { after, seconds, isAllowed };
        const content = await streams.open(caller.tenant, options, (event) => JSON.stringify(show(event)));
        return {
          status: 200,
          headers: { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
          pages: { contentType: `${EVENT_STREAM}; charset=utf-8`, content },
        };
      },
    },
  ]);
}
