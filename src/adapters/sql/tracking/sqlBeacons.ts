// SPDX-License-Identifier: Apache-2.0
// The ledger of beacons: records, claims and settles them. A partial index holds only unsettled beacons, so finding due
// ones costs the same however large the ledger is; writes are batched. Sending is left to src/tracking.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type {
  BeaconCursor,
  BeaconFilter,
  BeaconRow,
  ClaimedBeacon,
  HostRow,
  NewBeacon,
  Settlement,
} from '../../../tracking/beacons/beacon.ts';
import { BACKLOG_LIMIT, type BeaconStore } from '../../../tracking/beacons/ports.ts';
import { batchWrites } from '../../batchWrites.ts';
import { jsonRows } from '../jsonRows.ts';
import { present } from '../present.ts';
import type { BeaconTable } from '../schema/trackingTables.ts';
import type { Sql } from '../sql.ts';

const columns =
  'tenant text, channel_id text, session_id text, ad_id text, event text, nth bigint, host text, url text, viewer text, recorded_at bigint, due_at bigint';
const settledColumns =
  'row bigint, outcome text, status bigint, error text, at bigint, next_at bigint, unsure bigint, attempts bigint';

/** Rows removed in one statement. */
const MAX_REMOVED = 5000;

const WRITE_INTERVAL_MS = 4;

/** The longest host with a port. Longer names do not resolve (RFC 1035 §2.3.4), nor fit into PostgreSQL's index. */
const MAX_HOST_CHARACTERS = 260;

const SCHEME_LENGTH = 'https://'.length;

/** The hosts of the origins in recent URLs. */
const hosts = new LRUCache<string, string>({
  max: 1000,
  memoMethod(origin) {
    const host = URL.canParse(origin) ? new URL(origin).host : '';
    return host.length <= MAX_HOST_CHARACTERS ? host : '';
  },
});

function hostOf(url: string): string {
  const end = url.indexOf('/', SCHEME_LENGTH);
  return hosts.memo(end < 0 ? url : url.slice(0, end));
}

/** Always in the same order, so that two processes that write the same rows do not deadlock. Stable within an ad. */
const sortedByKey = (beacons: readonly NewBeacon[]): NewBeacon[] =>
  beacons
    .map((beacon) => ({ beacon, key: `${beacon.sessionId} ${beacon.ownerId}` }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ beacon }) => beacon);

function rowOf(beacon: NewBeacon): (string | number)[] {
  const { tenant, channelId, sessionId, ownerId, event, nth, url, viewer, recordedAt, dueAt } = beacon;
  const asked = JSON.stringify([viewer.address, viewer.userAgent]);
  return [tenant, channelId, sessionId, ownerId, event, nth, hostOf(url), url, asked, recordedAt, dueAt];
}

const settledRow = (settlement: Settlement) => {
  const { seq, outcome, at, status = null, error = null } = settlement;
  if (outcome !== 'later') return [seq, outcome, status, error, at, null, 0, null];
  return [seq, null, status, error, null, settlement.dueAt, settlement.isUnsure ? 1 : 0, settlement.attempts];
};

/** @param settleIntervalMs collects outcomes for so long before it writes them, if there are many */
export function sqlBeacons(store: Sql, settleIntervalMs = WRITE_INTERVAL_MS): BeaconStore {
  const { db, kind } = store;

  const names = sql.raw(columns.replaceAll(/ (text|bigint)/g, ''));
  const newRows = jsonRows(kind, columns);
  const settledRows = jsonRows(kind, settledColumns);

  const record = batchWrites<readonly NewBeacon[], void>(async (batch) => {
    await sql`
      insert into beacons (${names}, next_at, is_claimed, attempts, unsure)
      select ${names}, due_at, 0, 0, 0 from ${newRows(sortedByKey(batch.flat()).map(rowOf))} as news
      where true
      on conflict (session_id, ad_id, event, nth) do nothing`.execute(db);
    return batch.map(() => undefined);
  }, WRITE_INTERVAL_MS);

  // A late settlement, after another process has claimed the row, may report the outcome, but not schedule a retry.
  const settle = batchWrites<Settlement, void>(async (settlements) => {
    await sql`
      update beacons set outcome = news.outcome, status = news.status, error = news.error, settled_at = news.at,
        next_at = news.next_at,
        viewer = case when news.outcome is null then beacons.viewer else null end,
        unsure = beacons.unsure + news.unsure, is_claimed = 0
      from ${settledRows(settlements.map(settledRow))} as news
      where beacons.seq = news.row and beacons.outcome is null
        and (news.outcome is not null or beacons.attempts = news.attempts)`.execute(db);
    return settlements.map(() => undefined);
  }, settleIntervalMs);

  /** The hosts with unsettled beacons: one index lookup for each, however many rows it has. */
  const withHosts = sql`with recursive hosts(host) as (
          select min(host) from beacons where outcome is null
          union all
          select (select min(b.host) from beacons b where b.outcome is null and b.host > hosts.host)
          from hosts where hosts.host is not null)`;

  return {
    ...sqlBeaconsRead(store),
    record: (beacons) => (beacons.length === 0 ? Promise.resolve() : record(beacons)),
    settle,
    async dueHosts(now) {
      const { rows } = await sql<{ host: string }>`
        ${withHosts}
        select host from hosts where host is not null and exists (
          select 1 from beacons where outcome is null and beacons.host = hosts.host and next_at <= ${now})`.execute(db);
      return rows.map(({ host }) => host);
    },
    async backlog(now) {
      // Reads a bounded part of the index for the number.
      const { rows } = await sql<{ oldest: number | null; total: number }>`
        ${withHosts}
        select (select min(first) from (select (select min(b.next_at) from beacons b
            where b.outcome is null and b.host = hosts.host and b.next_at <= ${now}) as first
          from hosts where host is not null) as firsts) as oldest,
          (select count(*) from (select 1 from beacons where outcome is null and next_at <= ${now}
            limit ${BACKLOG_LIMIT}) as due) as total`.execute(db);
      const { oldest, total } = rows[0] ?? { oldest: null, total: 0 };
      return { count: total, ...(oldest === null ? {} : { oldestDue: millis(oldest) }) };
    },
    async claim(host, most, now, until) {
      const skipping = kind === 'postgres' ? sql`for update skip locked` : sql``;
      const { rows } = await sql<Omit<ClaimedBeacon, 'viewer'> & { viewer: string | null }>`
        update beacons set is_claimed = 1, attempts = attempts + 1, unsure = unsure + is_claimed, next_at = ${until}
        where seq in (select seq from beacons where outcome is null and host = ${host} and next_at <= ${now}
          order by next_at limit ${most} ${skipping})
        returning seq, tenant, channel_id as "channelId", host, url, viewer, recorded_at as "recordedAt", attempts`.execute(
        db,
      );
      return rows.map(({ viewer, ...row }) => {
        const [address, userAgent] = JSON.parse(viewer ?? '["",""]') as [string, string];
        return { ...row, viewer: { address, userAgent } };
      });
    },
    async forget(before) {
      // Rows are stored roughly in order of time, so the first ones are enough for a ledger of any size. Rows of VoD
      // sessions stay: a viewer who seeks back to an ad would repeat them. If they fill the first rows, others wait.
      const { numAffectedRows } = await sql`
        delete from beacons where recorded_at < ${before} and seq in
          (select seq from beacons order by seq limit ${MAX_REMOVED})
          and not exists (select 1 from sessions where sessions.id = beacons.session_id and keep_until is not null)`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0);
    },
  };
}

/** When the oldest pending beacon of a channel was due: the first entry of an index of pending beacons. */
export const sqlOldestBeacon =
  ({ db }: Sql) =>
  async ({ tenant, id }: ChannelRef): Promise<Millis | undefined> => {
    const row = await db
      .selectFrom('beacons')
      .select('due_at')
      .where((row) => row.and({ tenant, channel_id: id }))
      .where('outcome', 'is', null)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row && millis(row.due_at);
  };

// Reads the ledger for operators: lists and totals of time ranges that may hold millions of rows. SQLite reads in the thread that
// serves viewers, so each query covers a few thousand rows, and other work gets a turn between queries.

/** Rows scanned by one query. */
const ROWS_PER_SLICE = 5000;

/** The rows behind `after` (by default, from the first one) up to `until` (by default, to the last one). */
type Slice = { readonly after: BeaconCursor | undefined; readonly until: BeaconCursor | undefined };
type Range = Pick<BeaconFilter, 'tenant' | 'from' | 'to'>;

function readRow(row: Selectable<BeaconTable>): BeaconRow {
  return {
    seq: row.seq,
    recordedAt: millis(row.recorded_at),
    dueAt: millis(row.due_at),
    channelId: row.channel_id,
    sessionId: row.session_id,
    ownerId: row.ad_id,
    event: row.event,
    host: row.host,
    url: row.url,
    outcome: (row.outcome ?? 'pending') as BeaconRow['outcome'],
    attempts: row.attempts,
    unsure: row.unsure,
    ...present({ status: row.status, error: row.error, settledAt: row.settled_at as Millis | null }),
  };
}

/** Adds up the counts of one host in two slices. */
function addCounts(one: HostRow, other: HostRow): HostRow {
  const since = [one, other].flatMap(({ waitingSince }) => waitingSince ?? []);
  return {
    host: one.host,
    pending: one.pending + other.pending,
    sent: one.sent + other.sent,
    recovered: one.recovered + other.recovered,
    failed: one.failed + other.failed,
    unsure: one.unsure + other.unsure,
    ...(since.length === 0 ? {} : { waitingSince: millis(Math.min(...since)) }),
  };
}

function sqlBeaconsRead({ db, kind }: Sql): Pick<BeaconStore, 'list' | 'hosts'> {
  // Exactly one lower and one upper bound: of two redundant ones, SQLite may use the worse one.
  const rowsOf = ({ tenant, from, to }: Range, { after, until }: Slice) => {
    const place = sql`(recorded_at, seq)`;
    const first = after !== undefined && after.recordedAt >= from ? after : { recordedAt: from, seq: 0 };
    return db
      .selectFrom('beacons')
      .where('tenant', '=', tenant)
      .where(sql<boolean>`${place} > (${first.recordedAt}, ${first.seq})`)
      .where(
        until === undefined
          ? sql<boolean>`recorded_at < ${to}`
          : sql<boolean>`${place} <= (${until.recordedAt}, ${until.seq})`,
      );
  };

  async function endOfSlice(range: Range, after: BeaconCursor | undefined): Promise<BeaconCursor | undefined> {
    if (kind === 'postgres') return undefined;
    const ordered = rowsOf(range, { after, until: undefined }).orderBy('recorded_at').orderBy('seq');
    const last = ordered.select(['recorded_at as recordedAt', 'seq']).offset(ROWS_PER_SLICE - 1);
    return last.limit(1).executeTakeFirst();
  }

  async function* slicesOf(range: Range, first: BeaconCursor | undefined): AsyncGenerator<Slice> {
    for (let after = first; ; ) {
      const until = await endOfSlice(range, after);
      yield { after, until };
      if (until === undefined) return;
      after = until;
      await nextTurn();
    }
  }

  async function listSlice(filter: BeaconFilter, slice: Slice, most: number): Promise<BeaconRow[]> {
    const { channelId, sessionId, host, outcome } = filter;
    let query = rowsOf(filter, slice).selectAll().orderBy('recorded_at').orderBy('seq').limit(most);
    if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    if (host !== undefined) query = query.where('host', '=', host);
    if (outcome === 'pending') query = query.where('outcome', 'is', null);
    else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    return (await query.execute()).map(readRow);
  }

  async function countSlice(range: Range, slice: Slice): Promise<HostRow[]> {
    const count = (what: ReturnType<typeof sql>) => sql<number>`sum(case when ${what} then 1 else 0 end)`;
    const rows = await rowsOf(range, slice)
      .select('host')
      .select([
        count(sql`outcome is null`).as('pending'),
        count(sql`outcome = 'sent'`).as('sent'),
        count(sql`outcome = 'sent' and attempts > 1`).as('recovered'),
        count(sql`outcome = 'failed'`).as('failed'),
        sql<number>`sum(unsure)`.as('unsure'),
        sql<number | null>`min(case when outcome is null and attempts > 0 then recorded_at end)`.as('since'),
      ])
      .groupBy('host')
      .execute();
    return rows.map(({ since, ...row }) => ({ ...row, ...(since === null ? {} : { waitingSince: millis(since) }) }));
  }

  return {
    async list(filter, after, most) {
      const found: BeaconRow[] = [];
      for await (const slice of slicesOf(filter, after)) {
        found.push(...(await listSlice(filter, slice, most - found.length)));
        if (found.length >= most) break;
      }
      return found;
    },
    async hosts(tenant: string, from: Millis, to: Millis) {
      const range = { tenant, from, to };
      const byHost = new Map<string, HostRow>();
      for await (const slice of slicesOf(range, undefined))
        for (const row of await countSlice(range, slice)) {
          const known = byHost.get(row.host);
          byHost.set(row.host, known === undefined ? row : addCounts(known, row));
        }
      return [...byHost.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
    },
  };
}
