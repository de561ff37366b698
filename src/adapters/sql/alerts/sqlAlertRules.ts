// SPDX-License-Identifier: Apache-2.0
// Stores alert rules as JSON records.
import type { AlertRuleStore } from '../../../alerts/ports.ts';
import { type AlertRule, MAX_RULES } from '../../../alerts/rule.ts';
import type { Sql } from '../sql.ts';
import { jsonBody, sqlRecords } from '../sqlRecords.ts';

/** There are few, so there are no pages. */
const ALL = { offset: 0, limit: 10_000 };

export function sqlAlertRules(store: Sql): AlertRuleStore {
  const records = sqlRecords<AlertRule>(store, { table: 'alert_rules', most: MAX_RULES, ...jsonBody });
  return {
    ...records,
    list: async (tenant) => (await records.list(tenant, ALL)).items,
    enabled: async () => {
      const rows = await store.db.selectFrom('alert_rules').select(['version', 'body']).orderBy('seq').execute();
      return rows.map(records.decode).filter(({ enabled }) => enabled);
    },
  };
}
