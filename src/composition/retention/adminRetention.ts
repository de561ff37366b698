// SPDX-License-Identifier: Apache-2.0
// What the administrative process deletes in the background: old entries of the audit log, old idempotency keys, and sessions of
// users that have expired, with the tokens of the provider.
import type { Sql } from '../../adapters/sql/sql.ts';
import type { SecretBox } from '../../adapters/sql/tenants/secretBox.ts';
import { sqlAudit } from '../../adapters/sql/tenants/sqlAudit.ts';
import { sqlConsoleSessions } from '../../adapters/sql/tenants/sqlConsoleSessions.ts';
import { sqlIdempotency } from '../../adapters/sql/tenants/sqlIdempotency.ts';
import type { Config } from '../../config.ts';
import { type Millis, millis } from '../../time/units.ts';

const DAY_MS = 24 * 3_600_000;
/** Statements in a row. What remains is deleted at the next time. */
const MAX_STATEMENTS = 100;

async function repeat(removeSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < MAX_STATEMENTS; count += 1) if (!(await removeSome())) return;
}

type RetentionDeps = {
  readonly config: Pick<Config, 'AUDIT_RETENTION'>;
  readonly sql: Sql;
  readonly secretBox: SecretBox;
  readonly now: () => Millis;
};

/** @returns the task that deletes them */
export function adminRetention({ config, sql, secretBox, now }: RetentionDeps) {
  const audit = sqlAudit(sql);
  const sessions = sqlConsoleSessions(sql, secretBox);
  const idempotency = sqlIdempotency(sql, secretBox);
  return async () => {
    await repeat(() => audit.removeBefore(millis(now() - config.AUDIT_RETENTION * DAY_MS)));
    await repeat(() => idempotency.removeOld(now()));
    await sessions.removeExpired(now());
  };
}
