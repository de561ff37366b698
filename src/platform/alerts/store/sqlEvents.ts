// SPDX-License-Identifier: Apache-2.0
// Reads the events of alerts, and deletes old ones. sqlAlerts.ts writes them.

import type { Sql } from '../../../adapters/sql/sql.ts';
import type { AlertEvent } from '../rules/event.ts';
import type { EventStore, NumberedEvent } from '../rules/ports.ts';

type Row = { readonly seq: number | string; readonly body: string };
const eventOf = ({ seq, body }: Row): NumberedEvent => ({ ...(JSON.parse(body) as AlertEvent), seq: Number(seq) });

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
