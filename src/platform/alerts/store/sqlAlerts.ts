// SPDX-License-Identifier: Apache-2.0
// Stores alert rules, alerts that are pending or firing, events, and which process evaluates the rules. Each change of an
// alert begins with an update of the row of that process: it fails if the process has lost its right, and it puts changes in
// order, so that events become visible in the order of their numbers.
import { type Selectable, sql } from 'kysely';
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { jsonBody, sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import type { PlatformTables } from '../../../adapters/sql/sqlSchema.ts';
import type { SqlStatement } from '../../../adapters/sql/statement.ts';
import { listAll } from '../../systems/store/sqlSystems.ts';
import { defaultSeverities } from '../contract/alertValues.ts';
import type { AlertEvent } from '../rules/event.ts';
import type {
  Acknowledgement,
  AlertRuleStore,
  AlertStore,
  EventStore,
  NumberedEvent,
  StoredAlert,
} from '../rules/ports.ts';
import { type AlertRule, MAX_RULES } from '../rules/rule.ts';
import { insertDelivery } from './sqlWebhookDeliveries.ts';

const NAME = 'rules';

type Row = Selectable<PlatformTables['alerts']>;

const alertOf = ({ tenant, rule_id, channel_id, body, acknowledged }: Row): StoredAlert => ({
  tenant,
  ruleId: rule_id,
  channelId: channel_id,
  ...(JSON.parse(body) as Pick<StoredAlert, 'state' | 'event' | 'receivers'>),
  ...(acknowledged === null ? {} : { acknowledged: JSON.parse(acknowledged) as Acknowledgement }),
});

export function sqlAlerts(store: Sql): AlertStore {
  const { db, atomically } = store;
  const all = db.selectFrom('alerts').selectAll().orderBy('tenant').orderBy('rule_id').orderBy('channel_id');
  return {
    async lead(holder, now, until) {
      const row = await db
        .insertInto('alert_lead')
        .values({ name: NAME, holder, until_at: until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until_at: until })
            .where(sql<boolean>`(alert_lead.holder = ${holder} or alert_lead.until_at <= ${now})`),
        )
        .returning('holder')
        .executeTakeFirst();
      return row !== undefined;
    },
    release: async (holder) => void (await db.deleteFrom('alert_lead').where('holder', '=', holder).execute()),
    all: async () => (await all.execute()).map(alertOf),
    async ofTenant(tenant, ruleId) {
      const own = all.where('tenant', '=', tenant);
      return (await (ruleId === undefined ? own : own.where('rule_id', '=', ruleId)).execute()).map(alertOf);
    },
    async commit(holder, { tenant, ruleId, channelId, next, event, deliveries }) {
      const leads = sql`exists (select 1 from alert_lead where name = ${NAME} and holder = ${holder})`;
      const statements: SqlStatement[] = [
        db.updateTable('alert_lead').set({ holder }).where('name', '=', NAME).where('holder', '=', holder),
      ];
      if (next === undefined) {
        const removed = db.deleteFrom('alerts').where('tenant', '=', tenant).where('rule_id', '=', ruleId);
        statements.push(removed.where('channel_id', '=', channelId).where(sql<boolean>`${leads}`));
      } else {
        statements.push(sql`
          insert into alerts (tenant, rule_id, channel_id, body)
          select cast(${tenant} as text), cast(${ruleId} as text), cast(${channelId} as text),
            cast(${JSON.stringify(next)} as text) where ${leads}
          on conflict (tenant, rule_id, channel_id) do update set body = excluded.body`);
      }
      if (event !== undefined) {
        statements.push(sql`
          insert into alert_events (tenant, at, rule_id, channel_id, state, body)
          select cast(${tenant} as text), cast(${event.at} as bigint), cast(${ruleId} as text), cast(${channelId} as text),
            cast(${event.state} as text), cast(${JSON.stringify(event)} as text) where ${leads}`);
      }
      for (const one of deliveries) statements.push(...insertDelivery(one, leads));
      return (await atomically(statements))[0] === 1;
    },
    async acknowledge({ tenant, ruleId, channelId }, acknowledgement, entry, deliveries) {
      const statement = db
        .updateTable('alerts')
        .set({ acknowledged: JSON.stringify(acknowledgement) })
        .where((row) => row.and({ tenant, rule_id: ruleId, channel_id: channelId }));
      const isStored = sql`exists (select 1 from alerts where tenant = ${tenant} and rule_id = ${ruleId}
        and channel_id = ${channelId})`;
      const after = deliveries.flatMap((one) => insertDelivery(one, isStored));
      return (await store.change({ statement, ifChanged: auditInsertion(store, entry), after })) === 1;
    },
  };
}

type EventRow = { readonly seq: number | string; readonly body: string };
const eventOf = ({ seq, body }: EventRow): NumberedEvent => ({ ...(JSON.parse(body) as AlertEvent), seq: Number(seq) });

/** Reads events, and deletes old ones. */
export function sqlEvents({ db }: Sql): EventStore {
  const ofTenant = (tenant: string) => db.selectFrom('alert_events').where('tenant', '=', tenant);
  return {
    async list({ tenant, from, to, ruleId, channelId, state, before }, most) {
      let query = ofTenant(tenant).select(['seq', 'body']).where('at', '>=', from).where('at', '<', to);
      if (ruleId !== undefined) query = query.where('rule_id', '=', ruleId);
      if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
      if (state !== undefined) query = query.where('state', '=', state);
      if (before !== undefined) query = query.where('seq', '<', before);
      return (await query.orderBy('seq', 'desc').limit(most).execute()).map(eventOf);
    },
    async after(tenant, seq, most) {
      const rows = ofTenant(tenant).select(['seq', 'body']).where('seq', '>', seq);
      return (await rows.orderBy('seq').limit(most).execute()).map(eventOf);
    },
    async newest(tenant) {
      const row = await ofTenant(tenant).select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
      return Number(row?.seq ?? 0);
    },
    async removeOld(before, most) {
      await db.deleteFrom('alert_events').where('at', '<', before).execute();
      const tenants = await db.selectFrom('alert_events').select('tenant').distinct().execute();
      for (const { tenant } of tenants) {
        const last = ofTenant(tenant).select('seq').orderBy('seq', 'desc').limit(1).offset(most);
        await db.deleteFrom('alert_events').where('tenant', '=', tenant).where('seq', '<=', last).execute();
      }
    },
  };
}

/** Stores rules as JSON records. */
export function sqlAlertRules(store: Sql): AlertRuleStore {
  const read = (body: string): AlertRule => {
    const rule = JSON.parse(body) as AlertRule;
    // Absent in rules that older versions have written.
    return { ...rule, severity: rule.severity ?? defaultSeverities[rule.kind], labels: rule.labels ?? [] };
  };
  const records = sqlRecords<AlertRule>(store, { table: 'alert_rules', most: MAX_RULES, write: jsonBody.write, read });
  return {
    ...records,
    list: listAll(records),
    enabled: async () => {
      const rows = await store.db.selectFrom('alert_rules').select(['version', 'body']).orderBy('seq').execute();
      return rows.map(records.decode).filter(({ enabled }) => enabled);
    },
  };
}
