// The ledger as people read it: lists and sums over stretches of time that may hold millions of rows. SQLite answers in the
// thread that serves viewers, so it is asked for some thousands of rows at a time, and others have their turn between.
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Millis, millis } from '../../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, HostRow } from '../../../tracking/beacons/beacon.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import type { Sql } from '../sql.ts';
import type { BeaconTable } from '../sqlSchema.ts';

/** Rows that are looked at in one turn. */
const AT_ONCE = 5000;

/** Rows behind `after`, else the first; up to `until`, else the last. */
type Stretch = { readonly after: BeaconCursor | undefined; readonly until: BeaconCursor | undefined };
type Range = Pick<BeaconFilter, 'tenant' | 'from' | 'to'>;

function shown(row: Omit<BeaconTable, 'seq'> & { seq: number }): BeaconRow {
  return {
    seq: Number(row.seq),
    recordedAt: millis(Number(row.recorded_at)),
    dueAt: millis(Number(row.due_at)),
    channelId: row.channel_id,
    sessionId: row.session_id,
    ownerId: row.ad_id,
    event: row.event,
    host: row.host,
    url: row.url,
    outcome: (row.outcome ?? 'pending') as BeaconRow['outcome'],
    attempts: row.attempts,
    unsure: row.unsure,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.settled_at === null ? {} : { settledAt: millis(Number(row.settled_at)) }),
  };
}

/** Of one host in two stretches. */
function together(one: HostRow, other: HostRow): HostRow {
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

export function sqlBeaconsRead({ db, kind }: Sql): Pick<BeaconStore, 'list' | 'hosts'> {
  // One bound below and one above: of two that say the same, SQLite may take the one that is worse.
  const rowsOf = ({ tenant, from, to }: Range, { after, until }: Stretch) => {
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

  async function endOf(range: Range, after: BeaconCursor | undefined): Promise<BeaconCursor | undefined> {
    if (kind === 'postgres') return undefined;
    const query = rowsOf(range, { after, until: undefined }).select(['recorded_at', 'seq']);
    const ordered = query
      .orderBy('recorded_at')
      .orderBy('seq')
      .limit(1)
      .offset(AT_ONCE - 1);
    const row = await ordered.executeTakeFirst();
    return row && { recordedAt: Number(row.recorded_at), seq: Number(row.seq) };
  }

  async function* stretchesOf(range: Range, first: BeaconCursor | undefined): AsyncGenerator<Stretch> {
    for (let after = first; ; ) {
      const until = await endOf(range, after);
      yield { after, until };
      if (until === undefined) return;
      after = until;
      await turn();
    }
  }

  async function listStretch(filter: BeaconFilter, stretch: Stretch, most: number): Promise<BeaconRow[]> {
    const { channelId, sessionId, host, outcome } = filter;
    let query = rowsOf(filter, stretch).selectAll().orderBy('recorded_at').orderBy('seq').limit(most);
    if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    if (host !== undefined) query = query.where('host', '=', host);
    if (outcome === 'pending') query = query.where('outcome', 'is', null);
    else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    return (await query.execute()).map(shown);
  }

  async function sumStretch(range: Range, stretch: Stretch): Promise<HostRow[]> {
    const count = (what: ReturnType<typeof sql>) => sql<number>`sum(case when ${what} then 1 else 0 end)`;
    const rows = await rowsOf(range, stretch)
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
    return rows.map(
      ({ host, since, ...counts }): HostRow => ({
        host,
        pending: Number(counts.pending),
        sent: Number(counts.sent),
        recovered: Number(counts.recovered),
        failed: Number(counts.failed),
        unsure: Number(counts.unsure),
        ...(since === null ? {} : { waitingSince: millis(Number(since)) }),
      }),
    );
  }

  return {
    async list(filter, after, most) {
      const found: BeaconRow[] = [];
      for await (const stretch of stretchesOf(filter, after)) {
        found.push(...(await listStretch(filter, stretch, most - found.length)));
        if (found.length >= most) break;
      }
      return found;
    },
    async hosts(tenant: string, from: Millis, to: Millis) {
      const range = { tenant, from, to };
      const byHost = new Map<string, HostRow>();
      for await (const stretch of stretchesOf(range, undefined)) {
        for (const row of await sumStretch(range, stretch)) {
          const known = byHost.get(row.host);
          byHost.set(row.host, known === undefined ? row : together(known, row));
        }
      }
      return [...byHost.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
    },
  };
}
