// SPDX-License-Identifier: Apache-2.0
// Events: what is stored and sent when an alert fires, when it is repeated, and when it resolves.

import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { consoleUrl, minuteInWords, runbookPath, valuesInWords } from '../contract/alertValues.ts';
import type { Judgement } from './judge.ts';
import { type AlertRule, type Condition, describeCondition, MINUTE_MS } from './rule.ts';

export const EVENTS_KEPT_MS = 30 * 24 * 3_600_000;

/** What the API returns, with numbers as times. */
export type AlertEvent = DeepReadonly<Omit<AlertEventResponse, 'at' | 'since'>> & {
  readonly tenant: string;
  readonly at: Millis;
  readonly since: Millis;
};

type Subject = {
  readonly rule: Pick<AlertRule, 'id' | 'name' | 'severity' | 'runbook'> & Condition;
  readonly channel: AlertEvent['channel'];
};

/** Where in the console the cause can be found. */
function pageOf({ rule: { kind }, channel: { id } }: Subject, since: Millis, at: Millis): string {
  const channel = encodeURIComponent(id);
  const range = `from=${isoText(millis(since - MINUTE_MS))}&to=${isoText(at)}`;
  if (kind === 'fill' || kind === 'ad-server') return `/sessions?channel=${channel}&${range}&outcome=empty`;
  if (kind === 'creative') return '/creatives';
  if (kind === 'beacons') return '/reports';
  return `/channels/${channel}`;
}

function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}

type Reported = Omit<Judgement, 'level'> & Pick<AlertEvent, 'valueAtStart'>;

function textOf(
  { rule, channel }: Subject,
  { state, since, at }: Pick<AlertEvent, 'state' | 'since' | 'at'>,
  reported: Reported,
): string {
  const on = channel.name ?? channel.id;
  const { reason } = reported;
  if (state === 'resolved')
    return `Resolved on ${on} after ${durationOf(at - since)}: ${describeCondition(rule)}${reason ? ` (${reason})` : ''}.`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const values = valuesInWords({ ...reported, state });
  const measured = values === undefined ? '' : ` (${values})`;
  const still = state === 'reminder' ? 'Still firing: ' : '';
  return `${still}${describeCondition(rule)} on ${on} since ${minuteInWords(isoText(since))}${measured}${why}.`;
}

type Facts = Pick<AlertEvent, 'id' | 'tenant' | 'alert' | 'state' | 'since' | 'at' | 'silenced'>;

/** @param adminUrl the public URL of the console, if known */
export function makeEvent(
  subject: Subject,
  facts: Facts,
  reported: Reported,
  adminUrl: string | undefined,
): AlertEvent {
  const { rule, channel } = subject;
  const link = adminUrl && consoleUrl(adminUrl, `#${pageOf(subject, facts.since, facts.at)}`);
  const runbook = rule.runbook ?? (adminUrl && consoleUrl(adminUrl, runbookPath(rule.kind)));
  return {
    ...facts,
    rule: { id: rule.id, name: rule.name, kind: rule.kind },
    channel,
    severity: rule.severity,
    ...reported,
    text: textOf(subject, facts, reported),
    ...withoutUndefined({ link, runbook }),
  };
}

/** An event as the API returns it and webhooks send it. */
export const showEvent = ({ tenant: _, at, since, ...event }: AlertEvent) => ({
  ...event,
  at: isoText(at),
  since: isoText(since),
});
