// SPDX-License-Identifier: Apache-2.0
// Stores what operators order by hand for channels: inserted breaks, and changes of breaks of live origins.
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { type BreakOrder, endsAt, type InsertedBreak, isInserted } from '../../../channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../../../channels/inserted/ports.ts';
import type { Sql } from '../sql.ts';
import { countOf } from '../sqlRecords.ts';

/** The latest time that a date can hold. */
const FOREVER = 8.64e15;

/** A change of a marked break has an effect until it is in the timeline, which may be idle. */
const overAt = (order: BreakOrder): number => (isInserted(order) ? (endsAt(order) ?? FOREVER) : order.startsAt);

const rowOf = (order: BreakOrder) => ({
  kind: order.kind,
  revision: order.revision,
  starts_at: order.startsAt,
  over_at: overAt(order),
  is_cancelled: isInserted(order) && order.cancelledAt !== undefined ? 1 : 0,
  body: JSON.stringify(order),
});

export function sqlBreakOrders({ db }: Sql): BreakOrderStore {
  const ofChannel = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('break_orders').where('tenant', '=', tenant).where('channel_id', '=', id);
  const orderOf = ({ body }: { readonly body: string }) => JSON.parse(body) as BreakOrder;
  const named = async (channel: ChannelRef, id: string): Promise<BreakOrder | undefined> => {
    const row = await ofChannel(channel).where('id', '=', id).select('body').executeTakeFirst();
    return row && orderOf(row);
  };

  return {
    async insert<Order extends BreakOrder>(order: Order, limit: number) {
      const channel = { tenant: order.tenant, id: order.channelId };
      const known = (await named(channel, order.id)) as Order | undefined;
      if (known !== undefined) return { outcome: 'known', order: known };
      const count = await countOf(ofChannel(channel).where('over_at', '>', order.createdAt));
      if (count >= limit) return { outcome: 'full' };
      const inserted = await db
        .insertInto('break_orders')
        .values({ tenant: order.tenant, channel_id: order.channelId, id: order.id, ...rowOf(order) })
        .onConflict((conflict) => conflict.columns(['tenant', 'channel_id', 'id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (inserted !== undefined) return { outcome: 'inserted', order };
      return { outcome: 'known', order: ((await named(channel, order.id)) ?? order) as Order };
    },
    async find(channel, id) {
      const order = await named(channel, id);
      return order !== undefined && isInserted(order) ? order : undefined;
    },
    async list(channel, from, to) {
      const rows = await ofChannel(channel)
        .where('kind', '!=', 'marked')
        .where('is_cancelled', '=', 0)
        .where('over_at', '>', from)
        .where('starts_at', '<', to)
        .select('body')
        .orderBy('starts_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => orderOf(row) as InsertedBreak);
    },
    async replace(changed) {
      const { tenant, channelId, id, revision } = changed;
      const row = await db
        .updateTable('break_orders')
        .set(rowOf(changed))
        .where((row) => row.and({ tenant, channel_id: channelId, id, revision: revision - 1 }))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
    async current(after) {
      const rows = await db.selectFrom('break_orders').select('body').where('over_at', '>', after).execute();
      return rows.map(orderOf);
    },
    async removeBefore(before) {
      await db.deleteFrom('break_orders').where('over_at', '<', before).execute();
    },
  };
}
