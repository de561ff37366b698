// SPDX-License-Identifier: Apache-2.0
// What the routes of alerts and webhooks need.

import type { ChannelStore } from '../../../channels/ports.ts';
import type { Millis } from '../../../time/units.ts';
import type { AlertRuleStore, AlertStore, EventStore, SilenceStore } from '../rules/ports.ts';
import type { WebhookDeliveryStore, WebhookStore } from '../webhooks/ports.ts';
import type { EventStreams } from './eventStreams.ts';

export type AlertDeps = {
  readonly channels: Pick<ChannelStore, 'find' | 'enabled'>;
  readonly now: () => Millis;
  readonly rules: AlertRuleStore;
  readonly alerts: Pick<AlertStore, 'ofTenant' | 'acknowledge'>;
  readonly silences: SilenceStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: WebhookDeliveryStore;
  readonly streams: EventStreams;
  readonly adminUrl?: string | undefined;
  /** Whether e-mail can be sent. */
  readonly hasMail: boolean;
};
