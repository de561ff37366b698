// SPDX-License-Identifier: Apache-2.0
// Stores webhooks as JSON records whose secrets are encrypted.

import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import type { WebhookStore } from '../webhooks/ports.ts';
import { MAX_WEBHOOKS, type Webhook } from '../webhooks/webhook.ts';

type Sealed = Omit<Webhook, 'secrets'> & { readonly sealed: string };

/** There are few, so there are no pages. */
const ALL = { offset: 0, limit: 10_000 };

const ownerOf = ({ tenant, id }: { tenant: string; id: string }) => `webhooks/${tenant}/${id}`;

/** Decrypts a stored webhook. @throws if the key differs, or the text was changed */
export function openWebhook(box: SecretBox, body: string): Webhook {
  const { sealed, ...rest } = JSON.parse(body) as Sealed;
  return { ...rest, secrets: JSON.parse(box.open(sealed, ownerOf(rest))) };
}

/** Secrets are encrypted before they leave this process. */
export function sqlWebhooks(store: Sql, box: SecretBox): WebhookStore {
  const records = sqlRecords<Webhook>(store, {
    table: 'webhooks',
    most: MAX_WEBHOOKS,
    write: (webhook) => {
      const { secrets, version: _, ...rest } = webhook as Webhook & { version?: number };
      return JSON.stringify({ ...rest, sealed: box.seal(JSON.stringify(secrets), ownerOf(webhook)) } satisfies Sealed);
    },
    read: (body) => openWebhook(box, body),
  });
  return {
    ...records,
    list: async (tenant) => (await records.list(tenant, ALL)).items,
    remove: async (tenant, id, version, entry) => {
      const { db } = store;
      const rest = db.selectFrom('webhooks').select('id').where('tenant', '=', tenant).where('id', '=', id);
      const deliveries = db
        .deleteFrom('webhook_deliveries')
        .where('tenant', '=', tenant)
        .where('webhook_id', '=', id)
        .where((where) => where.not(where.exists(rest)));
      return records.removeWith([deliveries], tenant, id, version, entry);
    },
  };
}
