// SPDX-License-Identifier: Apache-2.0
// A delivery as its receiver gets it, and as it is shown.
import { signedHeaders } from '../../../adapters/http/signedHeaders.ts';
import type { Millis } from '../../../time/units.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { chatMessage, mailMessage } from './chatMessages.ts';
import { ACKNOWLEDGED, messageOf, type NewDelivery } from './delivery.ts';
import { type Firing, PAGERDUTY_URL, pagingEvent } from './pagingEvent.ts';
import type { Outgoing } from './ports.ts';
import { type Events, type Summary, summarize } from './summary.ts';
import type { Webhook } from './webhook.ts';

type Content = { readonly kind: 'test'; readonly text: string } | { readonly kind: 'events'; readonly events: Events };

/** What is known when a delivery is sent. */
type SendFacts = {
  readonly now: Millis;
  readonly adminUrl: string | undefined;
  /** The alerts of the rule that fire now, for paging services; undefined: those of the delivery. */
  readonly firing: readonly Firing[] | undefined;
};

type Stored = Pick<NewDelivery, 'id' | 'tenant' | 'type' | 'body' | 'createdAt' | 'group'>;

/** Those of a group. */
const eventsIn = (body: string): Events => JSON.parse(`[${body}]`);

function contentOf({ type, body, group }: Stored): Content {
  if (group !== undefined) return { kind: 'events', events: eventsIn(body) };
  const { data } = JSON.parse(body) as { readonly data: AlertEventResponse };
  return type === 'test' ? { kind: 'test', text: data.text } : { kind: 'events', events: [data] };
}

/** The rule that a delivery is about. @returns undefined for a test */
export function ruleOf(delivery: Stored): string | undefined {
  const content = contentOf(delivery);
  return content.kind === 'test' ? undefined : content.events[0].rule.id;
}

const testSummary = (title: string): Summary => ({ title, state: 'firing', severity: 'info', facts: [], lines: [] });

const summaryOf = (content: Content, adminUrl: string | undefined): Summary =>
  content.kind === 'test' ? testSummary(content.text) : summarize(content.events, adminUrl);

/** A group as a signed webhook gets it. */
function groupMessage({ type, body, createdAt }: Stored, adminUrl: string | undefined): string {
  const events = eventsIn(body);
  const { title, link, runbook } = summarize(events, adminUrl);
  const { rule, severity, state } = events[0];
  const data = { state, rule, severity, text: title, link, runbook, count: events.length, events };
  return messageOf(type.replace(/^alert\./, 'alerts.'), createdAt, data);
}

/** Opens an incident of the lowest severity. */
const testEvent = ({ id, tenant }: Stored, summary: string) => ({
  event_action: 'trigger',
  dedup_key: `midroll/${tenant}/${id}`,
  payload: { summary, source: 'Midroll', severity: 'info' },
});

type Obsolete = { readonly kind: 'obsolete'; readonly reason: string };

const jsonTo = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: 'http', url, headers: { ...headers, 'content-type': 'application/json' }, body }) as const;

/** @param routingKey of paging services: the only secret that is part of a body */
function compose(
  delivery: Stored,
  webhook: Webhook,
  { now, adminUrl, firing }: SendFacts,
  routingKey?: string,
): Outgoing | Obsolete {
  const { id, tenant } = delivery;
  if (webhook.type === 'webhook') {
    const body = delivery.group === undefined ? delivery.body : groupMessage(delivery, adminUrl);
    return jsonTo(webhook.url, body, signedHeaders(webhook.secrets, { id, body }, now));
  }
  const content = contentOf(delivery);
  switch (webhook.type) {
    case 'slack':
      return jsonTo(webhook.secrets.url, chatMessage(summaryOf(content, adminUrl)));
    case 'email': {
      const thread = content.kind === 'test' ? id : content.events[0].alert;
      return { kind: 'mail', to: webhook.to, id, ...mailMessage(summaryOf(content, adminUrl), thread) };
    }
    case 'pagerduty': {
      const facts = { tenant, grouped: webhook.grouped, adminUrl, isAcknowledgement: delivery.type === ACKNOWLEDGED };
      const paging =
        content.kind === 'test'
          ? { event: testEvent(delivery, content.text) }
          : pagingEvent(content.events, firing, facts);
      if ('obsolete' in paging) return { kind: 'obsolete', reason: `not sent: ${paging.obsolete}` };
      const body = JSON.stringify({ routing_key: routingKey, ...paging.event });
      return jsonTo(webhook.url ?? PAGERDUTY_URL, body);
    }
  }
}

/** What is sent now; nothing, if there is no reason for it any more. */
export const outgoingOf = (delivery: Stored, webhook: Webhook, facts: SendFacts): Outgoing | Obsolete =>
  compose(delivery, webhook, facts, webhook.type === 'pagerduty' ? webhook.secrets.routingKey : undefined);

/** What a receiver gets, without secrets. */
export function shownBody(delivery: Stored, webhook: Webhook, facts: Omit<SendFacts, 'firing'>): string {
  const composed = compose(delivery, webhook, { ...facts, firing: undefined });
  if (composed.kind === 'obsolete') return composed.reason;
  return composed.kind === 'mail' ? composed.text : composed.body;
}
