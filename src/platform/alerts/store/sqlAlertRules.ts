// SPDX-License-Identifier: Apache-2.0
// Stores alert rules as JSON records.

import type { Sql } from '../../../adapters/sql/sql.ts';
import { jsonBody, sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import { listAll } from '../../systems/store/sqlSystems.ts';
import type { AlertRuleStore } from '../rules/ports.ts';
import { type AlertRule, MAX_RULES } from '../rules/rule.ts';

export function sqlAlertRules(store: Sql): AlertRuleStore {
  const records = sqlRecords<AlertRule>(store, { table: 'alert_rules', most: MAX_RULES, ...jsonBody });
  return {
    ...records,
    list: listAll(records),
    enabled: async () => {
      const rows = await store.db.selectFrom('alert_rules').select(['version', 'body']).orderBy('seq').execute();
      return rows.map(records.decode).filter(({ enabled }) => enabled);
    },
  };
}
