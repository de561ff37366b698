// SPDX-License-Identifier: Apache-2.0
// Stores webhooks as JSON records whose secrets are encrypted.

import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import { listAll, sealedKind } from '../../systems/store/sqlSystems.ts';
import type { WebhookStore } from '../webhooks/ports.ts';
import { MAX_WEBHOOKS, type Webhook } from '../webhooks/webhook.ts';

function webhookKind(box: SecretBox) {
  const kind = sealedKind<Webhook>(box, 'webhooks', 'secrets');
  return {
    ...kind,
    // Older versions have written webhooks only, without their type.
    read: (body: string) => ({ type: 'webhook', grouped: false, ...(kind.read(body) as object) }) as Webhook,
  };
}

/** Decrypts a stored webhook. @throws if the key differs, or the text was changed */
export const openWebhook = (box: SecretBox, body: string): Webhook => webhookKind(box).read(body);

export function sqlWebhooks(store: Sql, box: SecretBox): WebhookStore {
  const { db } = store;
  const records = sqlRecords(store, { ...webhookKind(box), most: MAX_WEBHOOKS });
  return {
    ...records,
    list: listAll(records),
    remove: async (tenant, id, version, entry) => {
      const rest = db.selectFrom('webhooks').select('id').where('tenant', '=', tenant).where('id', '=', id);
      const deliveries = db
        .deleteFrom('webhook_deliveries')
        .where('tenant', '=', tenant)
        .where('webhook_id', '=', id)
        .where((where) => where.not(where.exists(rest)));
      return records.remove(tenant, id, version, entry, [deliveries]);
    },
  };
}
