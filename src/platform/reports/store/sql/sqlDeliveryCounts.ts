// SPDX-License-Identifier: Apache-2.0
// Deliveries that reports do not count yet, and the counts that wait to be written to the systems' report stores. Both
// change in one transaction that inserts the next number, so of two processes that count at once, one stores nothing
// (docs/decisions/010-report-counting.md).
import { sql } from 'kysely';
import { jsonRows } from '../../../../adapters/sql/jsonRows.ts';
import type { DeliveryTable } from '../../../../adapters/sql/schema/trackingTables.ts';
import type { Sql } from '../../../../adapters/sql/sql.ts';
import { requestedSegmentsOf, uncounted } from '../../../../adapters/sql/tracking/sqlDeliveries.ts';
import { isStoredOnce } from '../../../../adapters/sql/uniqueViolation.ts';
import { BITS_PER_NUMBER } from '../../../../ads/record/delivery.ts';
import { isNonEmpty, type NonEmpty } from '../../../../invariant.ts';
import { millis } from '../../../../time/units.ts';
import type { CountedAd } from '../../../../tracking/deliveries/deliveryFact.ts';
import type { DeliveryCounts, Spool, UncountedAd } from '../../rules/ports.ts';

/** Used numbers are kept, so that a process that was suspended cannot insert its number again. */
const NUMBERS_KEPT = 10_000;

type Options = {
  readonly now: () => number;
  /** The most bytes of the waiting counts. */
  readonly maxBytes: number;
  /** Called with the number of old entries that were removed because there were more than `maxBytes`. */
  readonly onLost: (entries: number) => void;
  /** Milliseconds after which an entry of another process counts as abandoned. */
  readonly leftAfter?: number;
};

function uncountedAd(rows: NonEmpty<DeliveryTable>): UncountedAd {
  const [{ session_id, ad_id, ends, counted }] = rows;
  return {
    sessionId: session_id,
    adId: ad_id,
    ad: JSON.parse(counted ?? '{}') as CountedAd,
    ends: JSON.parse(ends) as number[],
    before: requestedSegmentsOf(
      rows.map((row) => ({ ...row, pictures: row.pictures_counted, sound: row.sound_counted })),
    ),
    after: requestedSegmentsOf(rows),
    at: millis(Math.max(...rows.map(({ last_at }) => Number(last_at)))),
  };
}

export function sqlDeliveryCounts(
  store: Sql,
  { now, maxBytes, onLost, leftAfter = 30_000 }: Options,
): DeliveryCounts & Spool {
  const { db, kind } = store;
  const countedRows = jsonRows(kind, 'session_id text, ad_id text, chunk bigint, pictures bigint, sound bigint');
  const ours = new Set<string>();
  const ofNumber = (id: string) => db.updateTable('delivery_counts').where('number', '=', Number(id));

  /** All rows of an ad: a long one has several, of which some may be unchanged. */
  const wholeAd = ({ session_id, ad_id }: DeliveryTable): Promise<DeliveryTable[]> =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('session_id', '=', session_id)
      .where('ad_id', '=', ad_id)
      .orderBy('chunk')
      .execute();

  /** A report store that is unavailable for days must not fill the database. */
  async function dropOldest(): Promise<void> {
    const { rows } = await sql<{ number: number | null }>`
      select max(number) as number from (
        select number, sum(length(body)) over (order by number desc) as bytes
        from delivery_counts where body is not null) as sized
      where bytes > ${maxBytes}`.execute(db);
    const last = rows[0]?.number ?? null;
    if (last === null) return;
    const dropped = db.updateTable('delivery_counts').set({ body: null }).where('body', 'is not', null);
    const { numUpdatedRows } = await dropped.where('number', '<=', last).executeTakeFirst();
    onLost(Number(numUpdatedRows));
  }

  return {
    async uncounted(most) {
      const last = await db
        .selectFrom('delivery_counts')
        .select(({ fn }) => fn.max('number').as('number'))
        .executeTakeFirst();
      const rows = await db
        .selectFrom('deliveries')
        .selectAll()
        .where(uncounted)
        .orderBy('last_at')
        .limit(most)
        .execute();
      const byAd = new Map<string, DeliveryTable[]>();
      for (const row of rows) {
        const key = `${row.session_id} ${row.ad_id}`;
        if (byAd.has(key)) continue;
        const isLong = row.chunk > 0 || (JSON.parse(row.ends) as number[]).length > BITS_PER_NUMBER;
        byAd.set(key, isLong ? await wholeAd(row) : [row]);
      }
      return {
        number: Number(last?.number ?? 0) + 1,
        ads: [...byAd.values()].flatMap((own) => (isNonEmpty(own) ? [uncountedAd(own)] : [])),
        isAll: rows.length < most,
      };
    },
    async count(number, ads, body) {
      const rows = ads.flatMap(({ sessionId, adId, after: { pictures, sound } }) =>
        pictures.map((bits, chunk) => [sessionId, adId, chunk, bits, sound[chunk] ?? 0]),
      );
      const counted = countedRows(rows);
      const ofRows = sql`deliveries.session_id = counted.session_id and deliveries.ad_id = counted.ad_id
        and deliveries.chunk = counted.chunk`;
      // In the order in which `mark` locks the same rows, to avoid deadlocks.
      const lock = sql`
        select 1 from deliveries, ${counted} as counted where ${ofRows}
        order by (deliveries.session_id || ' ' || deliveries.ad_id || ' ' || deliveries.chunk) collate "C"
        for update of deliveries`;
      const mark = sql`
        update deliveries set pictures_counted = counted.pictures, sound_counted = counted.sound
        from ${counted} as counted where ${ofRows}`;
      const counting = store.atomically([
        db.insertInto('delivery_counts').values({ number, at: now(), body: body ?? null }),
        db
          .deleteFrom('delivery_counts')
          .where('number', '<', number - NUMBERS_KEPT)
          .where('body', 'is', null),
        ...(kind === 'postgres' ? [lock, mark] : [mark]),
      ]);
      const isOurs = await isStoredOnce(counting);
      if (isOurs) ours.add(String(number));
      return isOurs;
    },
    async list() {
      await dropOldest();
      const waiting = db.selectFrom('delivery_counts').select(['number', 'at']).where('body', 'is not', null);
      return (await waiting.orderBy('number').execute())
        .map(({ number, at }) => ({ id: String(number), writtenAt: Number(at) }))
        .filter(({ id, writtenAt }) => ours.has(id) || now() - writtenAt > leftAfter);
    },
    async read(id) {
      const waiting = db.selectFrom('delivery_counts').select('body').where('number', '=', Number(id));
      return (await waiting.executeTakeFirst())?.body ?? undefined;
    },
    async put(id, text) {
      await ofNumber(id).set({ body: text }).where('body', 'is not', null).execute();
      return 0;
    },
    async remove(id) {
      ours.delete(id);
      await ofNumber(id).set({ body: null }).execute();
    },
  };
}
