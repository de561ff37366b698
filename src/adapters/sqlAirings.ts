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

  return {
    current,
    begin: async (airing, editions) => {
      await store.atomically([
        ...endOf(airing.channelId),
        db
          .insertInto('airings')
          .values({ channel_id: airing.channelId, life: airing.life, body: JSON.stringify(airing) }),
        ...editions.map(insertion),
      ]);
    },
    append: async (editions) => {
      try {
        await store.atomically(editions.map(insertion));
        return true;
      } catch (error) {
        const [first] = editions;
        const taken = await db
          .selectFrom('editions')
          .select('number')
          .where('life', '=', first?.life ?? '')
          .where('number', '=', first?.number ?? -1)
          .executeTakeFirst();
        if (taken !== undefined) return false;
        throw error;
      }
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
