// SPDX-License-Identifier: Apache-2.0
// The contract of webhooks and their deliveries.

import { type Static, Type } from 'typebox';
import { closed, recordId, time, written } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';
import { rotation } from '../../access/contract/accessContract.ts';

const optional = Type.Optional;

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An http or https URL. Addresses that are not public must be in EGRESS_ALLOW.',
});
const description = optional(Type.String({ maxLength: 500 }));

export const webhookBody = named(
  'WebhookBody',
  closed(
    { id: optional(recordId), url, description, enabled: optional(Type.Boolean({ default: true })) },
    'A webhook, as sent in requests.',
  ),
);

export const webhookResponse = named(
  'Webhook',
  Type.Object({
    id: recordId,
    url: optional(url),
    description,
    enabled: Type.Boolean(),
    disabledReason: optional(Type.String({ description: 'Why Midroll has disabled it.' })),
    secrets: Type.Integer({ description: 'How many secrets sign deliveries. More than one during a rotation.' }),
    ...written,
  }),
);

const secret = Type.String({ description: '`whsec_` and base64. Only in this response.' });
export const newWebhookResponse = named('NewWebhook', Type.Object({ ...webhookResponse.properties, secret }));

export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const secretRotationBody = rotation(
  'SecretRotation',
  'the rotation of a secret',
  DEFAULT_OVERLAP_SECONDS,
  'Seconds for which deliveries are signed with the old secret, too.',
);

const deliveryState = Type.Enum(['pending', 'delivered', 'failed']);

export const deliveryResponse = named(
  'Delivery',
  Type.Object({
    id: Type.String({ description: 'The header `webhook-id`. The same in all attempts.' }),
    type: Type.String({ description: '`alert.firing`, `alert.reminder`, `alert.resolved` or `test`.' }),
    state: deliveryState,
    createdAt: time,
    nextAttemptAt: optional(time),
    attempts: Type.Integer(),
    log: Type.Array(
      Type.Object({
        at: time,
        durationMs: optional(Type.Integer()),
        status: optional(Type.Integer()),
        reason: optional(Type.String({ description: 'Why the attempt failed.' })),
        excerpt: optional(Type.String({ description: 'The start of the body of an error response.' })),
      }),
      { description: 'The last 20 attempts, oldest first.' },
    ),
    body: Type.String({ description: 'The body, as it is sent.' }),
  }),
);

export const deliveryQuery = Type.Object({
  state: optional(deliveryState),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Deliveries per page.' }),
  cursor: optional(Type.String({ maxLength: 40, description: '`x-next-cursor` of the previous page.' })),
});

export type WebhookBody = Static<typeof webhookBody>;
export type WebhookResponse = Static<typeof webhookResponse>;
export type NewWebhookResponse = Static<typeof newWebhookResponse>;
export type SecretRotationBody = Static<typeof secretRotationBody>;
export type DeliveryResponse = Static<typeof deliveryResponse>;
