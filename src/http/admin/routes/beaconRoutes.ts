// The ledger of beacons: row by row, to be compared with an ad server's own logs, and what each tracking host made of it.
import { Type } from 'typebox';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, HostRow } from '../../../tracking/beacon.ts';
import { breakOf } from '../../../tracking/recordDelivery.ts';
import { type BeaconAnswer, beaconQuery, beaconRow, hostQuery, hostRow } from '../../beaconContract.ts';
import { negotiate } from '../request/negotiate.ts';
import { readQuery, refuse } from '../request/readQuery.ts';
import { readTime } from '../request/readRange.ts';
import type { KeyedRoute } from '../request/route.ts';
import { writeCsvRows } from '../response/writeCsv.ts';
import type { AdminDeps } from './ports.ts';

const DAY = 24 * 3_600_000;
/** Rows that an export reads at a time. */
const PAGE = 1000;
const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

const iso = (time: Millis): string => new Date(time).toISOString();
/** An ad's id is its break's and its place in it. */
const isAd = (ownerId: string): boolean => /^\d+-\d+-\d+$/.test(ownerId);

export function showBeacon({ seq, recordedAt, dueAt, settledAt, channelId, sessionId, ownerId, ...row }: BeaconRow) {
  const place = isAd(ownerId) ? { break: breakOf(ownerId), ad: ownerId } : { break: ownerId };
  const times = { recordedAt: iso(recordedAt), dueAt: iso(dueAt), ...(settledAt ? { settledAt: iso(settledAt) } : {}) };
  return { id: seq, ...times, channel: channelId, session: sessionId, ...place, ...row } satisfies BeaconAnswer;
}

const showHost = ({ waitingSince, ...row }: HostRow) => ({
  ...row,
  ...(waitingSince === undefined ? {} : { waitingSince: iso(waitingSince) }),
});

function stretchOf(query: { from?: string; to?: string }, now: Millis): { from: Millis; to: Millis } {
  const faults: FieldError[] = [];
  const read = (name: 'from' | 'to', fallback: number): Millis => {
    const text = query[name];
    const time = text === undefined ? millis(fallback) : readTime(text);
    if (time === undefined) {
      const wanted = 'must be a time as ISO 8601 with a zone, or UNIX seconds';
      faults.push(fieldError('time', `/${name}`, `${wanted}; got ${JSON.stringify(text)}`));
    }
    return time ?? millis(0);
  };
  const to = read('to', now + 1);
  const from = read('from', to - DAY);
  if (faults.length === 0 && to <= from) faults.push(fieldError('range', '/to', 'must be after from'));
  refuse(faults, 'The range is not valid.');
  return { from, to };
}

const writeCursor = ({ recordedAt, seq }: BeaconCursor): string => `${recordedAt}.${seq}`;

function readCursor(text: string | undefined): BeaconCursor | undefined {
  if (text === undefined) return undefined;
  const [, recordedAt, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (recordedAt === undefined) {
    throw new AppError('VALIDATION_ERROR', 'The cursor is not one that this route answered.', [
      fieldError('cursor', '/cursor', 'must be the x-next-cursor of the page before'),
    ]);
  }
  return { recordedAt: Number(recordedAt), seq: Number(seq) };
}

/** The whole of it, a page in memory at a time, each as text. */
async function* pagesOf(
  { beacons }: AdminDeps,
  filter: BeaconFilter,
  first: BeaconCursor | undefined,
  write: (rows: readonly BeaconAnswer[], isFirst: boolean) => string,
): AsyncGenerator<string> {
  let after = first;
  for (let isFirst = true; ; isFirst = false) {
    const rows = await beacons.list(filter, after, PAGE);
    if (rows.length > 0 || isFirst) yield write(rows.map(showBeacon), isFirst);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
  }
}

const columns = Object.keys(beaconRow.properties);
const writeLines = (rows: readonly BeaconAnswer[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

export function beaconRoutes(deps: AdminDeps): KeyedRoute[] {
  const { beacons, now } = deps;
  return [
    {
      tag: 'beacons',
      method: 'GET',
      path: '/api/v2/beacons',
      operationId: 'listBeacons',
      summary: 'The ledger of beacons',
      description:
        'In the order in which they were written down. JSON comes in pages: `x-next-cursor` leads to the next one. ' +
        'NDJSON and CSV give all of it at once, however much it is.',
      query: beaconQuery,
      headers: { accept: `${NDJSON} or ${CSV} for an export` },
      answer: {
        status: 200,
        description: 'beacons',
        schema: Type.Array(beaconRow),
        text: [NDJSON, CSV],
        headers: {
          'x-next-cursor': 'what leads to the rows behind these; a page shorter than its limit is the last so far',
        },
      },
      errors: [422],
      example: { query: { outcome: 'failed' } },
      handle: async ({ query, caller, headers }) => {
        const { limit, cursor, channel, session, host, outcome, ...range } = readQuery(beaconQuery, query);
        const filter: BeaconFilter = {
          tenant: caller.tenant,
          ...stretchOf(range, now()),
          ...(channel === undefined ? {} : { channelId: channel }),
          ...(session === undefined ? {} : { sessionId: session }),
          ...(host === undefined ? {} : { host }),
          ...(outcome === undefined ? {} : { outcome }),
        };
        const after = readCursor(cursor);
        const type = negotiate(headers.accept, ['application/json', NDJSON, CSV]);
        if (type === NDJSON)
          return { status: 200, pages: { contentType: NDJSON, content: pagesOf(deps, filter, after, writeLines) } };
        if (type === CSV) {
          const content = pagesOf(deps, filter, after, (rows, isFirst) => writeCsvRows(columns, rows, isFirst));
          return { status: 200, pages: { contentType: `${CSV}; charset=utf-8`, content } };
        }
        const rows = await beacons.list(filter, after, limit);
        const next = { 'x-next-cursor': writeCursor(rows.at(-1) ?? after ?? { recordedAt: filter.from, seq: 0 }) };
        return { status: 200, headers: next, json: rows.map(showBeacon) };
      },
    },
    {
      tag: 'beacons',
      method: 'GET',
      path: '/api/v2/beacons/hosts',
      operationId: 'listBeaconHosts',
      summary: 'What became of the beacons of each tracking host',
      query: hostQuery,
      answer: { status: 200, description: 'a row for each host', schema: Type.Array(hostRow) },
      errors: [422],
      example: {},
      handle: async ({ query, caller }) => {
        const { from, to } = stretchOf(readQuery(hostQuery, query), now());
        return { status: 200, json: (await beacons.hosts(caller.tenant, from, to)).map(showHost) };
      },
    },
  ];
}
