// SPDX-License-Identifier: Apache-2.0
// Receivers in requests and responses. Which fields one has depends on its type; secrets that a request omits are kept.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { showRecord } from '../../../http/admin/routes/record.ts';
import { defined, withoutUndefined } from '../../../invariant.ts';
import { type ReceiverType, receiverTypes } from '../contract/alertValues.ts';
import type { WebhookBody } from '../contract/webhookContract.ts';
import { newWebhookSecret, type Receiver, type Webhook } from '../webhooks/webhook.ts';

const fieldsOfTypes = {
  webhook: { required: ['url'], optional: [] },
  email: { required: ['to'], optional: [] },
  slack: { required: ['url'], optional: [] },
  pagerduty: { required: ['routingKey'], optional: ['url'] },
} as const satisfies Readonly<Record<ReceiverType, object>>;
const names = ['url', 'to', 'routingKey'] as const;

const isType = (value: unknown): value is ReceiverType => receiverTypes.some((type) => type === value);

/** The fields that requests set, including secrets. */
function settingsOf(webhook: Webhook | undefined): Pick<WebhookBody, (typeof names)[number]> {
  switch (webhook?.type) {
    case undefined:
      return {};
    case 'webhook':
      return { url: webhook.url };
    case 'email':
      return { to: [...webhook.to] };
    case 'slack':
      return { url: webhook.secrets.url };
    case 'pagerduty':
      return { routingKey: webhook.secrets.routingKey, ...withoutUndefined({ url: webhook.url }) };
  }
}

/** What a request leaves as it is: the secrets of the same type. */
const kept = (type: ReceiverType, previous: Webhook | undefined) =>
  previous?.type === type && (type === 'slack' || type === 'pagerduty') ? settingsOf(previous) : {};

export function receiverFaults(body: unknown, previous: Webhook | undefined, hasMail: boolean): FieldError[] {
  const fields = fieldsOf(body);
  const { type = 'webhook' } = fields;
  if (!isType(type)) return [];
  const { required, optional } = fieldsOfTypes[type];
  const expected: readonly string[] = [...required, ...optional];
  const before: Readonly<Record<string, unknown>> = settingsOf(previous);
  const known = { ...kept(type, previous), ...fields };
  const missing = required
    .filter((name) => known[name] === undefined)
    .map((name) => fieldError('required', `/${name}`, `must be present for the type "${type}"`, { type }));
  const others = names
    // A change of the type removes those of the previous one.
    .filter((name) => fields[name] !== undefined && !expected.includes(name) && fields[name] !== before[name])
    .map((name) => fieldError('type', `/${name}`, `must be omitted for the type "${type}"`, { type }));
  const mail =
    type === 'email' && !hasMail && previous?.type !== 'email'
      ? [fieldError('type', '/type', 'must not be "email" unless SMTP_URL and SMTP_FROM are set on the server')]
      : [];
  return [...mail, ...missing, ...others, ...(expected.includes('url') ? urlFaults(fields.url, '/url') : [])];
}

/** @param body without faults */
function receiverOf(body: WebhookBody, previous: Webhook | undefined): Receiver {
  const { type = 'webhook' } = body;
  const { url, to, routingKey } = { ...kept(type, previous), ...withoutUndefined(body) };
  const given = <Value>(value: Value) => defined(value, 'a receiver has the fields of its type');
  switch (type) {
    case 'webhook': {
      const secrets = previous?.type === type ? previous.secrets : [{ secret: newWebhookSecret() }];
      return { type, url: given(url), secrets };
    }
    case 'email':
      return { type, to: given(to), secrets: {} };
    case 'slack':
      return { type, secrets: { url: given(url) } };
    case 'pagerduty':
      return { type, ...withoutUndefined({ url: body.url }), secrets: { routingKey: given(routingKey) } };
  }
}

export function makeReceiver(body: WebhookBody, previous: Webhook | undefined) {
  const { type = 'webhook', description, enabled = true, grouped = type !== 'webhook' } = body;
  const disabledReason = enabled ? undefined : previous?.disabledReason;
  return { ...receiverOf(body, previous), enabled, grouped, ...withoutUndefined({ description, disabledReason }) };
}

export function showReceiver(webhook: Versioned<Webhook>): Record<string, unknown> {
  const count = webhook.type === 'webhook' ? webhook.secrets.length : 0;
  return { ...showRecord(webhook), ...settingsOf(webhook), secrets: count };
}

export const hasNoSecret = ({ id, type }: Webhook): AppError =>
  new AppError('CONFLICT', `Receiver "${id}" has the type "${type}", which signs nothing. Change its fields instead.`);
