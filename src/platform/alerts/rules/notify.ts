// SPDX-License-Identifier: Apache-2.0
// What an event becomes for each receiver of its rule: a message of its own, or a part of a group.
import { deliveryIdOf, messageOf, type NewDelivery } from '../webhooks/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { type AlertEvent, showEvent } from './event.ts';

export type ReceiverFacts = Pick<Webhook, 'id' | 'grouped'>;

/** @param ids of the receivers of the event; those that were deleted since get nothing */
export function deliveriesOf(
  event: AlertEvent,
  ids: readonly string[],
  receivers: readonly ReceiverFacts[],
  type = `alert.${event.state}`,
): NewDelivery[] {
  const { tenant, at: createdAt } = event;
  const shown = showEvent(event);
  const told = receivers.filter(({ id }) => ids.includes(id));
  return told.map(({ id: webhookId, grouped }) => ({
    id: deliveryIdOf(event.id, webhookId),
    tenant,
    webhookId,
    type,
    createdAt,
    ...(grouped
      ? { body: JSON.stringify(shown), group: JSON.stringify([event.rule.id, event.state]) }
      : { body: messageOf(type, createdAt, shown) }),
  }));
}
