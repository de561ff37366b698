// SPDX-License-Identifier: Apache-2.0
// Which segments of their ads viewers requested, as bits that are only ever set, so that concurrent processes lose
// nothing. Beacons and reports derive from these rows; what they count is left to src/tracking and src/platform/reports.

import { type RawBuilder, sql } from 'kysely';
import { BITS_PER_NUMBER, type RequestedSegments } from '../../../ads/record/delivery.ts';
import { groupBy } from '../../../invariant.ts';
import { millis } from '../../../time/units.ts';
import type { Delivered, DeliveryStore, Mark, Marked } from '../../../tracking/deliveries/ports.ts';
import { batchWrites } from '../../batchWrites.ts';
import { jsonRows } from '../jsonRows.ts';
import type { DeliveryTable } from '../schema/trackingTables.ts';
import type { Sql } from '../sql.ts';

/** The bits of a mark that belong to one row. */
type Chunk = {
  readonly key: string;
  readonly mark: Mark;
  readonly chunk: number;
  pictures: number;
  sound: number;
  firstAt: number;
  lastAt: number;
};
type Row = Pick<DeliveryTable, 'session_id' | 'ad_id' | 'chunk' | 'pictures' | 'sound' | 'first_at'>;

/** Rows removed in one statement. */
const MAX_REMOVED = 5000;

/** May delay the redirect of a segment by as much. */
const WRITE_INTERVAL_MS = 4;

const columns =
  'session_id text, ad_id text, chunk bigint, ends text, pictures bigint, sound bigint, first_at bigint, last_at bigint, counted text, keep_until bigint';

function chunksOf(mark: Mark): Chunk[] {
  const chunks = new Map<number, Chunk>();
  for (const place of mark.segments) {
    const chunk = Math.floor(place / BITS_PER_NUMBER);
    const key = `${mark.sessionId} ${mark.adId} ${chunk}`;
    const times = { firstAt: mark.at, lastAt: mark.lastAt ?? mark.at };
    const known = chunks.get(chunk) ?? { key, mark, chunk, pictures: 0, sound: 0, ...times };
    known[mark.kind] |= 1 << (place % BITS_PER_NUMBER);
    chunks.set(chunk, known);
  }
  return [...chunks.values()];
}

/** The bits of an ad's rows; a missing row has none. */
export function requestedSegmentsOf(
  rows: readonly Pick<DeliveryTable, 'chunk' | 'pictures' | 'sound'>[],
): RequestedSegments {
  const requested = { pictures: [] as number[], sound: [] as number[] };
  for (const { chunk, pictures, sound } of rows) {
    while (requested.pictures.length <= chunk) {
      requested.pictures.push(0);
      requested.sound.push(0);
    }
    requested.pictures[chunk] = pictures;
    requested.sound[chunk] = sound;
  }
  return requested;
}

/** Rows that reports do not count yet: the condition of the index `deliveries_uncounted`. */
export const uncounted = sql<boolean>`counted is not null and (pictures <> pictures_counted or sound <> sound_counted)`;

export function sqlDeliveries(store: Sql): DeliveryStore {
  const { db, kind } = store;
  const markRows = jsonRows(kind, columns);

  async function upsert(chunks: readonly Chunk[]): Promise<Map<string, Row>> {
    const merged = new Map<string, Chunk>();
    for (const one of chunks) {
      const known = merged.get(one.key);
      if (known === undefined) merged.set(one.key, { ...one });
      else {
        known.pictures |= one.pictures;
        known.sound |= one.sound;
        known.firstAt = Math.min(known.firstAt, one.firstAt);
        known.lastAt = Math.max(known.lastAt, one.lastAt);
      }
    }
    // Always in the same order, so that two processes that write the same rows do not deadlock.
    const rows = [...merged.values()]
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ mark, chunk, pictures, sound, firstAt, lastAt }) => [
        ...[mark.sessionId, mark.adId, chunk, JSON.stringify(mark.ends), pictures, sound, firstAt, lastAt],
        mark.counted === undefined ? null : JSON.stringify(mark.counted),
        mark.keepUntil ?? null,
      ]);
    const written = await sql<Row>`
      insert into deliveries as known (session_id, ad_id, chunk, ends, pictures, sound,
        pictures_counted, sound_counted, first_at, last_at, counted, keep_until)
      select session_id, ad_id, chunk, ends, pictures, sound, 0, 0, first_at, last_at, counted, keep_until from ${markRows(rows)} as marks
      where true
      on conflict (session_id, ad_id, chunk) do update set
        pictures = known.pictures | excluded.pictures, sound = known.sound | excluded.sound,
        last_at = excluded.last_at, counted = coalesce(excluded.counted, known.counted)
      returning session_id, ad_id, chunk, pictures, sound, first_at`.execute(db);
    return new Map(written.rows.map((row) => [`${row.session_id} ${row.ad_id} ${row.chunk}`, row]));
  }

  const rowsOf = (sessionId: string, adId: string): Promise<Row[]> =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where((row) => row.and({ session_id: sessionId, ad_id: adId }))
      .orderBy('chunk')
      .execute();

  const write = batchWrites<Mark, Marked>(async (marks) => {
    const chunks = marks.map((mark) => ({ mark, own: chunksOf(mark) }));
    const written = await upsert(chunks.flatMap(({ own }) => own));
    return Promise.all(
      chunks.map(async ({ mark: { sessionId, adId, ends }, own }) => {
        const touched = own.flatMap(({ key }) => written.get(key) ?? []);
        const others = ends.length > BITS_PER_NUMBER ? await rowsOf(sessionId, adId) : [];
        const rows = [...others.filter(({ chunk }) => !touched.some((one) => one.chunk === chunk)), ...touched];
        return {
          after: requestedSegmentsOf(rows),
          firstAt: millis(Math.min(...rows.map(({ first_at }) => first_at))),
        };
      }),
    );
  }, WRITE_INTERVAL_MS);

  /** @param by of the index to use: without an order, PostgreSQL would read all rows. */
  async function remove(by: 'last_at' | 'keep_until', condition: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows } = await sql`
      delete from deliveries where (session_id, ad_id, chunk) in
        (select session_id, ad_id, chunk from deliveries where ${condition} and not (${uncounted})
         order by ${sql.ref(by)} limit ${MAX_REMOVED})`.execute(db);
    return Number(numAffectedRows ?? 0);
  }

  return {
    mark: write,
    async ofSession(sessionId) {
      const rows = await db.selectFrom('deliveries').selectAll().where('session_id', '=', sessionId).execute();
      return [...groupBy(rows, (row) => row.ad_id)].map(([adId, own]): Delivered => {
        const sorted = own.sort((one, other) => one.chunk - other.chunk);
        return { adId, ends: JSON.parse(own[0].ends) as number[], requested: requestedSegmentsOf(sorted) };
      });
    },
    async forget(before, now) {
      // A VoD session outlives `keepUntil` while it is watched, and the history shows what was delivered of it.
      const live = await remove('last_at', sql`keep_until is null and last_at < ${before}`);
      const kept = await remove(
        'keep_until',
        sql`keep_until < ${now} and last_at < ${before}
        and not exists (select 1 from sessions where sessions.id = deliveries.session_id)
        and not exists (select 1 from breaks where breaks.session_id = deliveries.session_id and breaks.is_aside = 1)`,
      );
      return live + kept;
    },
  };
}
