// SPDX-License-Identifier: Apache-2.0
// Events of paging services: Events API v2 of PagerDuty, which others read, too. An incident is that of an alert; of a receiver
// that groups, that of a rule: it begins with the first channel and ends with the last one.
// Source: developer.pagerduty.com, "Send an Alert Event".
import { plural } from '../../../plural.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { cut, type Events, summarize } from './summary.ts';

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
const MAX_SUMMARY = 1024;
const MAX_SOURCE = 255;

/** An alert of the rule that fires, and that was not held back. */
export type Firing = { readonly alert: string; readonly isAcknowledged: boolean };

type PagingFacts = {
  readonly tenant: string;
  readonly grouped: boolean;
  readonly isAcknowledgement: boolean;
  readonly adminUrl: string | undefined;
};

type PagingEvent = { readonly event: object } | { readonly obsolete: string };

/** What fires if nothing has happened since. */
const undisturbed = (events: Events): Firing[] =>
  events.flatMap(({ state, alert }) => (state === 'resolved' ? [] : [{ alert, isAcknowledged: true }]));

/**
 * @param given the alerts of the rule that fire now: what is sent late must not reopen an incident
 * @returns the event without its routing key, or why there is none
 */
export function pagingEvent(events: Events, given: readonly Firing[] | undefined, facts: PagingFacts): PagingEvent {
  const [first] = events;
  const { tenant, grouped, isAcknowledgement } = facts;
  const firing = given ?? undisturbed(events);
  const own = grouped ? firing : firing.filter(({ alert }) => events.some((event) => event.alert === alert));
  const key = { dedup_key: grouped ? `midroll/${tenant}/${first.rule.id}` : `midroll/${tenant}/${first.alert}` };
  if (isAcknowledgement) {
    const open = own.filter((one) => !one.isAcknowledged).length;
    if (open > 0) return { obsolete: `${plural(open, 'alert')} of the rule not acknowledged` };
    return { event: { event_action: 'acknowledge', ...key } };
  }
  if (first.state === 'resolved') {
    if (own.length > 0) return { obsolete: `${plural(own.length, 'alert')} of the rule still firing` };
    return { event: { event_action: 'resolve', ...key } };
  }
  if (own.length === 0) return { obsolete: 'resolved in the meantime' };
  return { event: { event_action: 'trigger', ...key, ...triggerOf(events, first, facts) } };
}

function triggerOf(events: Events, first: AlertEventResponse, { adminUrl }: PagingFacts): object {
  const { title, severity, facts, lines, link, runbook } = summarize(events, adminUrl);
  const channels = events.map(({ channel }) => channel.id).join(', ');
  return {
    client: 'Midroll',
    ...(link === undefined ? {} : { client_url: link }),
    links: [
      ...(link === undefined ? [] : [{ href: link, text: 'Open console' }]),
      ...(runbook === undefined ? [] : [{ href: runbook, text: 'Runbook' }]),
    ],
    payload: {
      summary: cut(title, MAX_SUMMARY),
      source: channels.slice(0, MAX_SOURCE),
      severity,
      timestamp: first.at,
      component: first.rule.id,
      group: first.rule.name,
      class: first.rule.kind,
      custom_details: { ...Object.fromEntries(facts), ...(lines.length === 0 ? {} : { Channels: lines }) },
    },
  };
}
