// SPDX-License-Identifier: Apache-2.0
// The contract of webhooks and their deliveries.

import { type Static, Type } from 'typebox';
import { closed, integer, list, recordId, text, time, written } from '../../../http/contract/commonContract.ts';
import { named, namedObject } from '../../../http/contract/named.ts';
import { rotation } from '../../access/contract/accessContract.ts';

const optional = Type.Optional;

const url = text('An http or https URL. Addresses that are not public must be in EGRESS_ALLOW.', {
  minLength: 1,
  maxLength: 2048,
});
const description = optional(Type.String({ maxLength: 500 }));

export const webhookBody = named(
  'WebhookBody',
  closed(
    { id: optional(recordId), url, description, enabled: optional(Type.Boolean({ default: true })) },
    'A webhook, as sent in requests.',
  ),
);

export const webhookResponse = namedObject('Webhook', {
  id: recordId,
  url: optional(url),
  description,
  enabled: Type.Boolean(),
  disabledReason: optional(text('Why Midroll has disabled it.')),
  secrets: integer('How many secrets sign deliveries. More than one during a rotation.'),
  ...written,
});

export const newWebhookResponse = namedObject('NewWebhook', {
  ...webhookResponse.properties,
  secret: text('`whsec_` and base64. Only in this response.'),
});

export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const secretRotationBody = rotation(
  'SecretRotation',
  'the rotation of a secret',
  DEFAULT_OVERLAP_SECONDS,
  'Seconds for which deliveries are signed with the old secret, too.',
);

const deliveryState = Type.Enum(['pending', 'delivered', 'failed']);
const attempt = Type.Object({
  at: time,
  durationMs: optional(Type.Integer()),
  status: optional(Type.Integer()),
  reason: optional(text('Why the attempt failed.')),
  excerpt: optional(text('The start of the body of an error response.')),
});

export const deliveryResponse = namedObject('Delivery', {
  id: text('The header `webhook-id`. The same in all attempts.'),
  type: text('`alert.firing`, `alert.reminder`, `alert.resolved` or `test`.'),
  state: deliveryState,
  createdAt: time,
  nextAttemptAt: optional(time),
  attempts: Type.Integer(),
  log: list(attempt, 'The last 20 attempts, oldest first.'),
  body: text('The body, as it is sent.'),
});

export const deliveryQuery = Type.Object({
  state: optional(deliveryState),
  limit: integer('Deliveries per page.', { minimum: 1, maximum: 200, default: 50 }),
  cursor: optional(text('`x-next-cursor` of the previous page.', { maxLength: 40 })),
});

export type WebhookBody = Static<typeof webhookBody>;
export type WebhookResponse = Static<typeof webhookResponse>;
export type NewWebhookResponse = Static<typeof newWebhookResponse>;
export type SecretRotationBody = Static<typeof secretRotationBody>;
export type DeliveryResponse = Static<typeof deliveryResponse>;
