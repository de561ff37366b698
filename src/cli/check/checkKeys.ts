// SPDX-License-Identifier: Apache-2.0
// API keys: their rights can be read, and the channels that they are restricted to exist.
import type { Sql } from '../../adapters/sql/sql.ts';
import { isScope } from '../../platform/access/rules/scope.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';

/** Further faults are counted. */
const MAX_SHOWN = 20;

function channelsIn(text: string | null): readonly string[] | undefined {
  try {
    const ids: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch {
    return undefined;
  }
}

export async function checkKeys({ db }: Sql): Promise<Finding[]> {
  const keys = await db.selectFrom('api_keys').select(['id', 'tenant', 'scope', 'channels', 'expires_at']).execute();
  const findings: Finding[] = [];
  for (const { id, tenant, scope, channels: text, expires_at } of keys) {
    const name = `key "${id}" of tenant "${tenant}"`;
    const channels = channelsIn(text);
    const isReadable =
      (scope === null || isScope(scope)) && (expires_at === null || !Number.isNaN(Date.parse(expires_at)));
    if (channels === undefined || !isReadable) {
      findings.push(failed('Keys', `${name} has rights that cannot be read`, 'Revoke it with "midroll keys revoke".'));
      continue;
    }
    if (channels.length === 0) continue;
    const found = await db
      .selectFrom('channels')
      .select('id')
      .where('tenant', '=', tenant)
      .where('id', 'in', channels)
      .execute();
    const existing = new Set(found.map((channel) => channel.id));
    for (const missing of channels.filter((one) => !existing.has(one)))
      findings.push(
        warning(
          'Keys',
          `${name} is restricted to channel "${missing}", which does not exist`,
          'Revoke it, or it can access a channel that is created with this id.',
        ),
      );
  }
  const shown = findings.slice(0, MAX_SHOWN);
  const rest = findings.length - shown.length;
  if (rest > 0)
    shown.push(warning('Keys', `${rest} more problems like these`, 'Correct the first ones, and check again.'));
  return shown.length > 0 ? shown : [ok('Keys', `${keys.length} keys can be read`)];
}
