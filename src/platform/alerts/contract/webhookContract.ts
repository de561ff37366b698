// SPDX-License-Identifier: Apache-2.0
// The contract of webhooks and their deliveries.

import { type Static, Type } from 'typebox';
import { integer, list, oneOf, recordId, text, time, written } from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';
import { rotation } from '../../access/contract/accessContract.ts';
import { receiverTypes } from './alertValues.ts';

const optional = Type.Optional;

const url = text(
  'An http or https URL; `slack`: of an incoming webhook; `pagerduty`: of the Events API, if not that of PagerDuty. Addresses that are not public must be in EGRESS_ALLOW.',
  { minLength: 1, maxLength: 2048 },
);
const emailAddresses = list(
  text('An e-mail address.', {
    maxLength: 254,
    pattern: '^[^\\s@<>,;"\\\\\\x00-\\x1f\\x7f]+@[^\\s@<>,;"\\\\\\x00-\\x1f\\x7f]+$',
  }),
  '`email`: addresses. SMTP_URL must be set.',
  { minItems: 1, maxItems: 20, uniqueItems: true },
);
const fields = {
  description: optional(Type.String({ maxLength: 500 })),
  url: optional(url),
  to: optional(emailAddresses),
  routingKey: optional(
    text('`pagerduty`: the integration key.', { pattern: '^[\\x21-\\x7e]{1,200}$', examples: ['0123456789abcdef'] }),
  ),
};
const type = oneOf(
  [...receiverTypes],
  '`webhook`: signed events. `email`; `slack`: incoming webhooks of Slack, Mattermost and others; `pagerduty`: Events API v2.',
  { default: 'webhook' },
);
const grouped = Type.Boolean({
  description:
    'Whether alerts of one rule that start or end within 20 seconds are one message. Default: `false` for `webhook`, `true` for the others.',
});

export const webhookBody = namedBody('WebhookBody', 'A receiver of events, as sent in requests.', {
  id: optional(recordId),
  type: optional(type),
  ...fields,
  grouped: optional(grouped),
  enabled: optional(Type.Boolean({ default: true })),
});

export const webhookResponse = namedObject('Webhook', {
  id: recordId,
  type,
  ...fields,
  grouped,
  enabled: Type.Boolean(),
  disabledReason: optional(text('Why Midroll has disabled it.')),
  secrets: integer('How many secrets sign deliveries. More than one during a rotation; 0 unless it is a `webhook`.'),
  ...written,
});

export const newWebhookResponse = namedObject('NewWebhook', {
  ...webhookResponse.properties,
  secret: optional(text('`whsec_` and base64. Only in this response, and only of a `webhook`.')),
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
  type: text('`alert.firing`, `alert.reminder`, `alert.resolved`, `alert.acknowledged` (`pagerduty` only) or `test`.'),
  state: deliveryState,
  createdAt: time,
  nextAttemptAt: optional(time),
  attempts: Type.Integer(),
  log: list(attempt, 'The last 20 attempts, oldest first.'),
  body: text('The body, as it is sent; of e-mail, its text.'),
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
