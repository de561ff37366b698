// The ledger of beacons. What is to be sent is found by an index that holds nothing else, so it costs the same however
// long the ledger has grown; rows come and go many at a time.
import { sql } from 'kysely';
import { millis } from '../../../time/units.ts';
import type { ClaimedBeacon, NewBeacon, Settlement } from '../../../tracking/beacons/beacon.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import { batchWrites } from '../../batchWrites.ts';
import { jsonRows } from '../jsonRows.ts';
import type { Sql } from '../sql.ts';
import type { BeaconTable } from '../sqlSchema.ts';
import { sqlBeaconsRead } from './sqlBeaconsRead.ts';

const newColumns = {
  tenant: 'text',
  channel_id: 'text',
  session_id: 'text',
  ad_id: 'text',
  event: 'text',
  nth: 'bigint',
  host: 'text',
  url: 'text',
  viewer: 'text',
  recorded_at: 'bigint',
  due_at: 'bigint',
} as const;

const settledColumns = {
  row: 'bigint',
  outcome: 'text',
  status: 'bigint',
  error: 'text',
  at: 'bigint',
  next_at: 'bigint',
  unsure: 'bigint',
  attempts: 'bigint',
} as const;

const FORGOTTEN_AT_ONCE = 5000;

/** Milliseconds that a crowd's writes lie apart. */
const APART = 4;

/** With a port. Longer ones have no address (RFC 1035 §2.3.4), and PostgreSQL's index no room for them. */
const LONGEST_HOST = 260;

function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host.length <= LONGEST_HOST ? host : '';
}

const keyOf = ({ sessionId, ownerId }: NewBeacon): string => `${sessionId} ${ownerId}`;

/** Two processes that write the same rows do not wait for each other in a circle; an ad's stay as they come. */
const inOneOrder = (beacons: readonly NewBeacon[]): NewBeacon[] =>
  beacons
    .map((beacon) => ({ beacon, key: keyOf(beacon) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ beacon }) => beacon);

const rowOf = (beacon: NewBeacon) => [
  ...[beacon.tenant, beacon.channelId, beacon.sessionId, beacon.ownerId, beacon.event, beacon.nth],
  ...[hostOf(beacon.url), beacon.url, JSON.stringify([beacon.viewer.address, beacon.viewer.userAgent])],
  ...[beacon.recordedAt, beacon.dueAt],
];

const settledRow = (settlement: Settlement) => {
  const { seq, outcome, at, status = null, error = null } = settlement;
  if (outcome !== 'later') return [seq, outcome, status, error, at, null, 0, null];
  return [seq, null, status, error, null, settlement.dueAt, settlement.isUnsure ? 1 : 0, settlement.attempts];
};

export function sqlBeacons(store: Sql): BeaconStore {
  const { db, kind } = store;

  const names = sql.raw(Object.keys(newColumns).join(', '));
  const newRows = jsonRows(kind, newColumns);
  const settledRows = jsonRows(kind, settledColumns);

  const record = batchWrites<readonly NewBeacon[], void>(async (groups) => {
    await sql`
      insert into beacons (${names}, next_at, is_claimed, attempts, unsure)
      select ${names}, due_at, 0, 0, 0 from ${newRows(inOneOrder(groups.flat()).map(rowOf))} as news
      where true
      on conflict (session_id, ad_id, event, nth) do nothing`.execute(db);
    return groups.map(() => undefined);
  }, APART);

  // Who settles late, after another has claimed the row, may say that it arrived, but not when to try it again.
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
  }, APART);

  return {
    ...sqlBeaconsRead(store),
    record: (beacons) => (beacons.length === 0 ? Promise.resolve() : record(beacons)),
    settle,
    async dueHosts(now) {
      // One step of the index for each host, however many rows it has.
      const { rows } = await sql<{ host: string }>`
        with recursive hosts(host) as (
          select min(host) from beacons where outcome is null
          union all
          select (select min(b.host) from beacons b where b.outcome is null and b.host > hosts.host)
          from hosts where hosts.host is not null)
        select host from hosts where host is not null and exists (
          select 1 from beacons where outcome is null and beacons.host = hosts.host and next_at <= ${now})`.execute(db);
      return rows.map(({ host }) => host);
    },
    async claim(host, most, now, until) {
      const skipping = kind === 'postgres' ? sql`for update skip locked` : sql``;
      const { rows } = await sql<BeaconTable & { seq: number }>`
        update beacons set is_claimed = 1, attempts = attempts + 1, unsure = unsure + is_claimed, next_at = ${until}
        where seq in (select seq from beacons where outcome is null and host = ${host} and next_at <= ${now}
          order by next_at limit ${most} ${skipping})
        returning seq, tenant, channel_id, host, url, viewer, recorded_at, attempts`.execute(db);
      return rows.map((row): ClaimedBeacon => {
        const [address, userAgent] = JSON.parse(row.viewer ?? '["",""]') as [string, string];
        return {
          seq: Number(row.seq),
          tenant: row.tenant,
          channelId: row.channel_id,
          host: row.host,
          url: row.url,
          viewer: { address, userAgent },
          recordedAt: millis(Number(row.recorded_at)),
          attempts: row.attempts,
        };
      });
    },
    async forget(before) {
      // Rows are about as old as their place: looking at the first few is enough, whatever the ledger holds.
      const { numAffectedRows } = await sql`
        delete from beacons where recorded_at < ${before} and seq in
          (select seq from beacons order by seq limit ${FORGOTTEN_AT_ONCE})`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
