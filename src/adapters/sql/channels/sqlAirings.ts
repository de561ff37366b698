// SPDX-License-Identifier: Apache-2.0
// Stores the lives and editions of channels. Their meaning and the rules of their order are in src/channels/schedule.
import { sql } from 'kysely';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AiringRecord, EditionRecord } from '../../../channels/schedule/airing.ts';
import type { AiringStore } from '../../../channels/schedule/ports.ts';
import { playedBefore, readEditions } from '../../../channels/schedule/readEditions.ts';
import type { Sql } from '../sql.ts';
import { sqlLives } from '../sqlLives.ts';
import type { SqlStatement } from '../statement.ts';

export function sqlAirings(store: Sql): AiringStore {
  const { db } = store;
  /** The editions of lives, for as long as something uses them. */
  const held = new Map<string, WeakRef<readonly EditionRecord[]>>();
  const released = new FinalizationRegistry<string>((life) => {
    if (held.get(life)?.deref() === undefined) held.delete(life);
  });
  const insertion = (record: EditionRecord) =>
    db.insertInto('editions').values({ life: record.life, number: record.number, body: JSON.stringify(record) });

  const lifeOf = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('airings').select('life').where('tenant', '=', tenant).where('channel_id', '=', id);

  const airing: AiringStore['airing'] = async (channel) => {
    const row = await lifeOf(channel).select('body').executeTakeFirst();
    return row && { ...(JSON.parse(row.body) as AiringRecord), tenant: channel.tenant };
  };

  const current: AiringStore['current'] = async (channel) => {
    const found = await airing(channel);
    if (found === undefined) return undefined;
    const { life } = found;
    const known = held.get(life)?.deref();
    const newest = known?.at(-1)?.number ?? -1;
    const { rows } = await sql<{ readonly number: number; readonly body: string | null }>`
      select number, case when number > ${newest} then body end as body from editions where life = ${life}
      order by number`.execute(db);
    const editions = readEditions(rows, known);
    held.set(life, new WeakRef(editions));
    released.register(editions, life);
    return { airing: found, editions };
  };

  /** Shortens the edition that others leave, if this process holds it: a restart reads all editions of a day. */
  function shortening([next]: readonly EditionRecord[], dropped: readonly number[]): SqlStatement[] {
    if (next === undefined) return [];
    const known = held.get(next.life)?.deref();
    const left = known?.findLast(({ number }) => number < next.number && !dropped.includes(number));
    if (left === undefined) return [];
    const played = playedBefore(next, left);
    if (played === left) return [];
    const { life, number } = left;
    const body = JSON.stringify(played);
    return [db.updateTable('editions').set({ body }).where('life', '=', life).where('number', '=', number)];
  }

  const endOfLife = (life: string) => [
    db.deleteFrom('editions').where('life', '=', life),
    db.deleteFrom('airings').where('life', '=', life),
  ];

  /** @returns false if the write failed because another node had written, which `taken` finds out */
  async function unlessTaken(statements: readonly SqlStatement[], taken: () => Promise<boolean>): Promise<boolean> {
    try {
      await store.atomically(statements);
      return true;
    } catch (error) {
      if (await taken()) return false;
      throw error;
    }
  }

  return {
    ...sqlLives(store, 'airings'),
    airing,
    current,
    begin: (airing, editions, replaced) => {
      const { tenant, channelId, life } = airing;
      const row = { tenant, channel_id: channelId, life, body: JSON.stringify(airing) };
      const statements = [
        ...(replaced === undefined ? [] : endOfLife(replaced)),
        db.insertInto('airings').values(row),
        ...editions.map(insertion),
      ];
      return unlessTaken(statements, async () => {
        const other = await lifeOf({ tenant, id: channelId }).executeTakeFirst();
        return other !== undefined && other.life !== replaced;
      });
    },
    append: (editions, dropped) => {
      const { life = '', number = -1 } = editions[0] ?? {};
      const ofLife = db.deleteFrom('editions').where('life', '=', life);
      const removal = dropped.length === 0 ? [] : [ofLife.where('number', 'in', [...dropped])];
      return unlessTaken([...editions.map(insertion), ...removal, ...shortening(editions, dropped)], async () => {
        const editionsOfLife = db.selectFrom('editions').select('number').where('life', '=', life);
        return (await editionsOfLife.where('number', '=', number).executeTakeFirst()) !== undefined;
      });
    },
    end: async (channel, offSince) => {
      const row = await lifeOf(channel).executeTakeFirst();
      if (row === undefined) return;
      const { life } = row;
      const airing = db.deleteFrom('airings').where('life', '=', life);
      const isLeft = db.selectFrom('airings').select('life').where('life', '=', life);
      await store.atomically([
        offSince === undefined ? airing : airing.where('off_since', '<', offSince),
        db.deleteFrom('editions').where('life', '=', life).where('life', 'not in', isLeft),
      ]);
    },
    versions: async () => {
      const { rows } = await sql<ChannelRef & { life: string; last: number | null }>`
        select tenant, channel_id as id, life, (select max(number) from editions where editions.life = airings.life) as last
        from airings`.execute(db);
      return rows.map(({ life, last, ...channel }) => ({ channel, version: `${life} ${last}` }));
    },
  };
}
