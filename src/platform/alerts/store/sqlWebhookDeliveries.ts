// SPDX-License-Identifier: Apache-2.0
// Stores deliveries to webhooks: adds, claims and settles them. A partial index holds only pending ones. Sending is left to
// src/platform/alerts/webhooks.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { SqlStatement } from '../../../adapters/sql/statement.ts';
import { millis } from '../../../time/units.ts';
import {
  type Attempt,
  addAttempt,
  type Delivery,
  firstDueAt,
  MAX_GROUP_CHARACTERS,
  type NewDelivery,
} from '../webhooks/delivery.ts';
import type { WebhookDeliveryStore } from '../webhooks/ports.ts';
import type { WebhookDeliveryTable } from './alertTables.ts';

/** The reason of an attempt whose claim has expired. */
const INTERRUPTED = 'outcome unknown: the process ended during the attempt';

const deliveryOf = (row: Selectable<WebhookDeliveryTable>): Delivery => ({
  seq: Number(row.seq),
  id: row.id,
  tenant: row.tenant,
  webhookId: row.webhook_id,
  type: row.type,
  body: row.body,
  ...(row.group_key === null ? {} : { group: row.group_key }),
  createdAt: millis(Number(row.created_at)),
  state: row.state as Delivery['state'],
  ...(row.next_at === null ? {} : { dueAt: millis(Number(row.next_at)) }),
  queuedAt: millis(Number(row.queued_at)),
  attempts: row.attempts,
  log: JSON.parse(row.log) as Attempt[],
});

/**
 * Adds the event to a delivery of its group that has not been attempted; otherwise inserts one.
 * @param condition nothing is stored if it is false
 */
export function insertDelivery(delivery: NewDelivery, condition: RawBuilder<unknown> = sql`true`): SqlStatement[] {
  const { id, tenant, webhookId, type, body, createdAt, group } = delivery;
  const inGroup = sql`tenant = ${tenant} and webhook_id = ${webhookId} and group_key = ${group} and next_at is not null`;
  const own = sql`cast(${body} as text)`;
  const isOpen = sql`${inGroup} and claim is null and attempts = 0 and length(body) < ${MAX_GROUP_CHARACTERS}`;
  // One delivery only: two nodes that begin a group at once insert one each.
  const added = sql`
    update webhook_deliveries set body = body || ',' || ${own}
    where seq = (select min(seq) from webhook_deliveries where ${isOpen}) and ${isOpen} and ${condition}`;
  // The body states whether the event was added: the delivery may be full since.
  const isAdded = sql`exists (
    select 1 from webhook_deliveries where ${inGroup} and substr(body, length(body) - length(${own}) + 1) = ${own})`;
  const inserted = sql`
    insert into webhook_deliveries
      (id, tenant, webhook_id, type, body, created_at, state, next_at, queued_at, attempts, tries, log, group_key)
    select cast(${id} as text), cast(${tenant} as text), cast(${webhookId} as text), cast(${type} as text),
      cast(${body} as text), cast(${createdAt} as bigint), 'pending', cast(${firstDueAt(delivery)} as bigint),
      cast(${createdAt} as bigint), 0, 0, '[]', cast(${group ?? null} as text)
    where ${condition} ${group === undefined ? sql`` : sql`and not ${isAdded}`}
    on conflict (id) do nothing`;
  return group === undefined ? [inserted] : [added, inserted];
}

export function sqlWebhookDeliveries({ db, kind, atomically }: Sql): WebhookDeliveryStore {
  const table = 'webhook_deliveries';
  const ofWebhook = (tenant: string, webhookId: string) =>
    sql<boolean>`tenant = ${tenant} and webhook_id = ${webhookId}`;
  const of = (tenant: string, webhookId: string) => db.selectFrom(table).where(ofWebhook(tenant, webhookId));

  /** The webhooks of all tenants that have deliveries. */
  const webhooksWith = db.selectFrom(table).select(['tenant', 'webhook_id']).distinct();

  return {
    add: async (deliveries) => {
      if (deliveries.length > 0) await atomically(deliveries.flatMap((one) => insertDelivery(one)));
    },
    async due(now) {
      const rows = await webhooksWith.where('next_at', '<=', now).execute();
      return rows.map(({ tenant, webhook_id: webhookId }) => ({ tenant, webhookId }));
    },
    async claim({ tenant, webhookId }, most, now, until) {
      const due = of(tenant, webhookId).select(['seq', 'claim', 'next_at']).where('next_at', '<=', now);
      const before = await due.orderBy('next_at').limit(most).execute();
      if (before.length === 0) return [];
      const seqs = before.map(({ seq }) => seq);
      const next = db.selectFrom(table).select('seq').where('next_at', '<=', now);
      const chosen = next.where('seq', 'in', seqs).orderBy('seq');
      const claimed = { claim: randomUUID(), next_at: until };
      const rows = await db
        .updateTable(table)
        .set({ ...claimed, attempts: sql<number>`attempts + 1`, tries: sql<number>`tries + 1` })
        .where('seq', 'in', kind === 'postgres' ? chosen.forUpdate().skipLocked() : chosen)
        .returningAll()
        .execute();
      const expired = before.filter(({ claim }) => claim !== null);
      const interrupted = new Map(expired.map(({ seq, next_at }) => [Number(seq), millis(Number(next_at))]));
      return rows.map((row) => {
        const delivery = deliveryOf(row);
        // An earlier claim that was not settled is part of the log.
        const at = interrupted.get(delivery.seq);
        const log = at === undefined ? delivery.log : addAttempt(delivery.log, { at, reason: INTERRUPTED });
        return { ...delivery, log, claim: row.claim ?? '', tries: row.tries };
      });
    },
    async settle({ seq, claim, log }, outcome) {
      await db
        .updateTable(table)
        .set({
          state: outcome.state,
          next_at: outcome.state === 'pending' ? outcome.dueAt : null,
          claim: null,
          log: JSON.stringify(addAttempt(log, outcome.attempt)),
        })
        .where('seq', '=', seq)
        .where('claim', '=', claim)
        .execute();
    },
    async list({ tenant, webhookId, state, before }, most) {
      let query = of(tenant, webhookId).selectAll();
      if (state !== undefined) query = query.where('state', '=', state);
      if (before !== undefined) query = query.where('seq', '<', before);
      return (await query.orderBy('seq', 'desc').limit(most).execute()).map(deliveryOf);
    },
    async find(tenant, webhookId, id) {
      const row = await of(tenant, webhookId).selectAll().where('id', '=', id).executeTakeFirst();
      return row && deliveryOf(row);
    },
    async retry(tenant, webhookId, id, now) {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ state: 'pending', next_at: now, queued_at: now, tries: 0 })
        .where(ofWebhook(tenant, webhookId))
        .where('id', '=', id)
        .where('claim', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async backlog(now) {
      const count = (condition: RawBuilder<unknown>) =>
        sql<number | string>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
      const { due, retrying, oldest } = await db
        .selectFrom(table)
        .where('next_at', 'is not', null)
        .select(count(sql`next_at <= ${now}`).as('due'))
        .select(count(sql`next_at > ${now} and claim is null and attempts > 0`).as('retrying'))
        .select(({ fn }) => fn.min('next_at').as('oldest'))
        .executeTakeFirstOrThrow();
      const oldestDue = oldest === null ? undefined : millis(Number(oldest));
      const isDue = oldestDue !== undefined && oldestDue <= now;
      return { due: Number(due), retrying: Number(retrying), ...(isDue ? { oldestDue } : {}) };
    },
    async removeOld(before, most) {
      await db.deleteFrom(table).where('created_at', '<', before).execute();
      for (const { tenant, webhook_id } of await webhooksWith.execute()) {
        const last = of(tenant, webhook_id).select('seq').orderBy('seq', 'desc').limit(1).offset(most);
        await db.deleteFrom(table).where(ofWebhook(tenant, webhook_id)).where('seq', '<=', last).execute();
      }
    },
  };
}
