// SPDX-License-Identifier: Apache-2.0
// A receiver as a form. It keeps what was typed for other types until it is saved.
import type { ReceiverType } from '../../../src/platform/alerts/contract/alertValues.ts';
import type { WebhookBody, WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';

export type ReceiverForm = {
  readonly type: ReceiverType;
  readonly url: string;
  /** Addresses, separated by commas. */
  readonly to: string;
  readonly routingKey: string;
  readonly description: string;
  readonly grouped: boolean;
  readonly enabled: boolean;
};

/** @param webhook undefined for a new one */
export const receiverForm = (webhook: WebhookResponse | undefined): ReceiverForm => ({
  type: webhook?.type ?? 'webhook',
  url: webhook?.url ?? '',
  to: webhook?.to?.join(', ') ?? '',
  routingKey: webhook?.routingKey ?? '',
  description: webhook?.description ?? '',
  grouped: webhook?.grouped ?? false,
  enabled: webhook?.enabled ?? true,
});

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

/** The fields of its type. */
export function receiverBody({ type, url, to, routingKey, description, grouped, enabled }: ReceiverForm): WebhookBody {
  return {
    type,
    grouped,
    enabled,
    ...(description === '' ? {} : { description }),
    ...(type === 'email' ? { to: addressesIn(to) } : {}),
    ...(type === 'pagerduty' ? { routingKey: routingKey.trim() } : {}),
    ...(type === 'email' || (type === 'pagerduty' && url.trim() === '') ? {} : { url: url.trim() }),
  };
}
