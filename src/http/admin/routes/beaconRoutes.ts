// SPDX-License-Identifier: Apache-2.0
// The beacon ledger, row by row for comparison with an ad server's logs, and a summary for each tracking host.

import { Type } from 'typebox';
import { withoutUndefined } from '../../../invariant.ts';

import { isoText, type Millis, millis } from '../../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, HostRow } from '../../../tracking/beacons/beacon.ts';
import { breakIdOf } from '../../../tracking/deliveries/dueEvents.ts';
import {
  type BeaconResponse,
  beaconQuery,
  beaconRow,
  type HostResponse,
  hostQuery,
  hostRow,
} from '../../contract/beaconContract.ts';
import type { Sent } from '../../contract/matching.ts';
import { negotiate } from '../request/negotiate.ts';
import { readTimeCursor, writeTimeCursor } from '../request/readListing.ts';
import { readQuery } from '../request/readQuery.ts';
import { readRange, type TimeRange } from '../request/readRange.ts';
import { type KeyedRoute, ok, tagged } from '../request/route.ts';
import { writeCsv } from '../response/writeCsv.ts';
import type { CoreApi } from './ports.ts';

const DAY_MS = 24 * 3_600_000;
/** Rows per query of an export. */
const EXPORT_PAGE = 1000;
const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';
function showBeacon({ seq, recordedAt, dueAt, settledAt, channelId, sessionId, ownerId, ...row }: BeaconRow) {
  // The id of an ad is the id of its break, followed by its position.
  const owner = /^\d+-\d+-\d+$/.test(ownerId) ? { break: breakIdOf(ownerId), ad: ownerId } : { break: ownerId };
  const times = {
    recordedAt: isoText(recordedAt),
    dueAt: isoText(dueAt),
    ...(settledAt ? { settledAt: isoText(settledAt) } : {}),
  };
  return { id: seq, ...times, channel: channelId, session: sessionId, ...owner, ...row } satisfies BeaconResponse;
}

const showHost = ({ waitingSince, ...row }: HostRow): Sent<HostResponse> => ({
  ...row,
  waitingSince: waitingSince === undefined ? undefined : isoText(waitingSince),
});

/** The requested range, by default the last 24 hours. */
const rangeOf = (query: { from?: string; to?: string }, now: Millis): TimeRange =>
  readRange(query, ({ to = millis(now + 1), from = millis(to - DAY_MS) }) => ({ from, to }));

/** All rows as text, with one page in memory at a time. */
async function* pagesOf(
  { beacons }: CoreApi,
  filter: BeaconFilter,
  first: BeaconCursor | undefined,
  write: (rows: readonly BeaconResponse[], isFirst: boolean) => string,
): AsyncGenerator<string> {
  let after = first;
  for (let isFirst = true; ; isFirst = false) {
    const rows = await beacons.list(filter, after, EXPORT_PAGE);
    if (rows.length > 0 || isFirst) yield write(rows.map(showBeacon), isFirst);
    if (rows.length < EXPORT_PAGE) return;
    after = rows.at(-1);
  }
}

const columns = Object.keys(beaconRow.properties);
const writeLines = (rows: readonly BeaconResponse[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export function beaconRoutes(deps: CoreApi): KeyedRoute[] {
  const { beacons, now } = deps;
  return tagged('beacons', [
    {
      channelAccess: { query: 'channel' },
      method: 'GET',
      path: '/api/v2/beacons',
      operationId: 'listBeacons',
      summary: 'List the beacon ledger',
      description:
        'In the order in which the rows were written. JSON is paged: pass `x-next-cursor` as `cursor` to get the next page. ' +
        'NDJSON and CSV contain all rows.',
      query: beaconQuery,
      headers: { accept: `\`${NDJSON}\` or \`${CSV}\` for an export of all rows.` },
      response: ok('Rows of the ledger.', Type.Array(beaconRow), {
        text: [NDJSON, CSV],
        headers: {
          'x-next-cursor': 'Cursor of the next page. A page with fewer rows than `limit` is the last one so far.',
        },
      }),
      errors: [422],
      example: { query: { outcome: 'failed' } },
      handle: async ({ query, caller, headers }) => {
        const { limit, cursor, channel, session, host, outcome, ...range } = readQuery(beaconQuery, query);
        const filter: BeaconFilter = {
          tenant: caller.tenant,
          ...rangeOf(range, now()),
          ...withoutUndefined({ channelId: channel, sessionId: session, host, outcome }),
        };
        const place = readTimeCursor(cursor);
        const after = place && { recordedAt: place.at, seq: place.seq };
        const type = negotiate(headers.accept, ['application/json', NDJSON, CSV]);
        if (type === NDJSON)
          return { status: 200, pages: { contentType: NDJSON, content: pagesOf(deps, filter, after, writeLines) } };
        if (type === CSV) {
          const content = pagesOf(deps, filter, after, (rows, isFirst) => writeCsv(columns, rows, isFirst));
          return { status: 200, pages: { contentType: `${CSV}; charset=utf-8`, content } };
        }
        const rows = await beacons.list(filter, after, limit);
        const { recordedAt, seq } = rows.at(-1) ?? after ?? { recordedAt: filter.from, seq: 0 };
        const next = { 'x-next-cursor': writeTimeCursor({ at: millis(recordedAt), seq }) };
        return { status: 200, headers: next, json: rows.map(showBeacon) };
      },
    },
    {
      method: 'GET',
      path: '/api/v2/beacons/hosts',
      operationId: 'listBeaconHosts',
      summary: 'List tracking hosts with the outcomes of their beacons',
      query: hostQuery,
      response: ok('One row for each host.', Type.Array(hostRow)),
      errors: [422],
      handle: async ({ query, caller }) => {
        const { from, to } = rangeOf(readQuery(hostQuery, query), now());
        return { status: 200, json: (await beacons.hosts(caller.tenant, from, to)).map(showHost) };
      },
    },
  ]);
}
