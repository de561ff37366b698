import type { Compilable } from 'kysely';
import type { AiringRecord, EditionRecord } from '../channels/airing.ts';
import type { AiringStore } from '../channels/ports.ts';
import type { Sql } from './sql.ts';

export function sqlAirings(store: Sql): AiringStore {
  const { db } = store;
  const insertion = (record: EditionRecord) =>
    db.insertInto('editions').values({ life: record.life, number: record.number, body: JSON.stringify(record) });

  const current: AiringStore['current'] = async (channelId) => {
    const row = await db.selectFrom('airings').selectAll().where('channel_id', '=', channelId).executeTakeFirst();
    if (row === undefined) return undefined;
    const editions = await db
      .selectFrom('editions')
      .select('body')
      .where('life', '=', row.life)
      .orderBy('number')
      .execute();
    return {
      airing: JSON.parse(row.body) as AiringRecord,
      editions: editions.map(({ body }) => JSON.parse(body) as EditionRecord),
    };
  };

  const lifeOf = (channelId: string) => db.selectFrom('airings').select('life').where('channel_id', '=', channelId);
  const endOf = (channelId: string) => [
    db.deleteFrom('editions').where('life', 'in', lifeOf(channelId)),
    db.deleteFrom('airings').where('channel_id', '=', channelId),
  ];
  const endOfLife = (life: string) => [
    db.deleteFrom('editions').where('life', '=', life),
    db.deleteFrom('airings').where('life', '=', life),
  ];

  /** @returns false when nothing was written because of what `taken` finds */
  async function unlessTaken(statements: readonly Compilable[], taken: () => Promise<boolean>): Promise<boolean> {
    try {
      await store.atomically(statements);
      return true;
    } catch (error) {
      if (await taken()) return false;
      throw error;
    }
  }

  return {
    current,
    begin: ({ channelId, life, ...rest }, editions, replaced) => {
      const row = { channel_id: channelId, life, body: JSON.stringify({ channelId, life, ...rest }) };
      const statements = [
        ...(replaced === undefined ? [] : endOfLife(replaced)),
        db.insertInto('airings').values(row),
        ...editions.map(insertion),
      ];
      return unlessTaken(statements, async () => {
        const other = await lifeOf(channelId).executeTakeFirst();
        return other !== undefined && other.life !== replaced;
      });
    },
    append: (editions, dropped) => {
      const { life = '', number = -1 } = editions[0] ?? {};
      const ofLife = db.deleteFrom('editions').where('life', '=', life);
      const removal = dropped.length === 0 ? [] : [ofLife.where('number', 'in', [...dropped])];
      return unlessTaken([...editions.map(insertion), ...removal], async () => {
        const editionsOfLife = db.selectFrom('editions').select('number').where('life', '=', life);
        return (await editionsOfLife.where('number', '=', number).executeTakeFirst()) !== undefined;
      });
    },
    end: async (channelId) => {
      await store.atomically(endOf(channelId));
    },
    versions: async () => {
      const rows = await db
        .selectFrom('airings')
        .leftJoin('editions', 'editions.life', 'airings.life')
        .select(['airings.channel_id', 'airings.life', (query) => query.fn.max('editions.number').as('last')])
        .groupBy(['airings.channel_id', 'airings.life'])
        .execute();
      return new Map(rows.map(({ channel_id, life, last }) => [channel_id, `${life} ${last}`]));
    },
  };
}
