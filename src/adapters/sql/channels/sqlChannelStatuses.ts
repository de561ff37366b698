// SPDX-License-Identifier: Apache-2.0
// Stores the status that the planner reports for each channel, for all nodes. A status never replaces a newer one.
import { type ChannelRef, channelKey } from '../../../channels/channelKey.ts';
import type { ChannelStatusStore } from '../../../planning/ports.ts';
import type { ChannelStatus, ItemStatus } from '../../../planning/status.ts';
import { millis } from '../../../time/units.ts';
import { inChunks } from '../../inChunks.ts';
import type { Sql } from '../sql.ts';

export function sqlChannelStatuses({ db }: Sql): ChannelStatusStore {
  const ofChannel = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('channel_statuses').where('tenant', '=', tenant).where('channel_id', '=', id);
  return {
    async find(channel) {
      const row = await ofChannel(channel).select(['body', 'items']).executeTakeFirst();
      if (row === undefined) return undefined;
      const items = JSON.parse(row.items) as ItemStatus[];
      return { ...(JSON.parse(row.body) as Omit<ChannelStatus, 'items'>), items };
    },
    async findWithoutItems(channel) {
      const row = await ofChannel(channel).select('body').executeTakeFirst();
      return row && (JSON.parse(row.body) as Omit<ChannelStatus, 'items'>);
    },
    async withoutItems(channels) {
      const all = db.selectFrom('channel_statuses').select(['tenant', 'channel_id as id', 'body']);
      const ids = channels && [...new Set(channels.map(({ id }) => id))];
      const rows = await (ids === undefined
        ? all.execute()
        : Promise.all(inChunks(ids).map((some) => all.where('channel_id', 'in', some).execute())));
      const wanted = channels && new Set(channels.map(channelKey));
      return rows
        .flat()
        .filter((row) => wanted?.has(channelKey(row)) ?? true)
        .map(({ tenant, id, body }) => ({ channel: { tenant, id }, status: JSON.parse(body) }));
    },
    async put({ tenant, id }, { items, ...status }, at) {
      const row = {
        at,
        is_preparing: status.preparation === undefined ? 0 : 1,
        has_failed: status.retryAt !== undefined || items.some(({ state }) => state === 'failed') ? 1 : 0,
        plan_at: status.planAt ?? null,
        body: JSON.stringify(status),
        items: JSON.stringify(items),
      };
      await db
        .insertInto('channel_statuses')
        .values({ tenant, channel_id: id, ...row })
        .onConflict((conflict) =>
          conflict.columns(['tenant', 'channel_id']).doUpdateSet(row).where('channel_statuses.at', '<=', at),
        )
        .execute();
    },
    async release({ tenant, id }, at) {
      await db
        .updateTable('channel_statuses')
        .set({ at: 0 })
        .where((row) => row.and({ tenant, channel_id: id, is_preparing: 1 }))
        .where('at', '<=', at)
        .execute();
    },
    async remove({ tenant, id }) {
      await db.deleteFrom('channel_statuses').where('tenant', '=', tenant).where('channel_id', '=', id).execute();
    },
    async all() {
      const rows = await db
        .selectFrom('channel_statuses')
        .select(['tenant', 'channel_id as id', 'at', 'is_preparing', 'has_failed', 'plan_at'])
        .execute();
      return rows.map(({ tenant, id, at, is_preparing, has_failed, plan_at }) => ({
        channel: { tenant, id },
        at: millis(at),
        isPreparing: is_preparing === 1,
        hasFailed: has_failed === 1,
        ...(plan_at === null ? {} : { planAt: millis(Number(plan_at)) }),
      }));
    },
  };
}
