// SPDX-License-Identifier: Apache-2.0
// Events: what is stored and sent when an alert fires, when it is repeated, and when it resolves.
import type { Millis } from '../../../time/units.ts';
import type { Judgement } from './judge.ts';
import { type AlertKind, type AlertRule, describeCondition } from './rule.ts';

export const EVENTS_KEPT_MS = 30 * 24 * 3_600_000;

export type EventState = 'firing' | 'reminder' | 'resolved';

export type AlertEvent = {
  readonly id: string;
  readonly tenant: string;
  readonly at: Millis;
  readonly state: EventState;
  /** The id of the event with which the alert started to fire. */
  readonly alert: string;
  readonly rule: { readonly id: string; readonly name: string; readonly kind: AlertKind };
  readonly channel: { readonly id: string; readonly name?: string };
  /** Since when the condition holds, or held. */
  readonly since: Millis;
  readonly value?: number;
  readonly threshold?: number;
  readonly unit?: '%' | 'min' | 'creatives';
  /** One sentence for people. */
  readonly text: string;
  /** The most frequent failure, or why the alert was resolved, as a clause. */
  readonly reason?: string;
  /** A page of the console. Absent if its address is unknown. */
  readonly link?: string;
};

type Subject = {
  readonly rule: Pick<AlertRule, 'id' | 'name'> & Parameters<typeof describeCondition>[0];
  readonly channel: AlertEvent['channel'];
};

const MINUTE = 60_000;

/** Where in the console the cause can be found. */
function pageOf({ rule: { kind }, channel: { id } }: Subject, since: Millis, at: Millis): string {
  const channel = encodeURIComponent(id);
  const range = `from=${new Date(since - MINUTE).toISOString()}&to=${new Date(at).toISOString()}`;
  if (kind === 'fill' || kind === 'ad-server') return `/sessions?channel=${channel}&${range}&outcome=empty`;
  if (kind === 'creative') return '/creatives';
  if (kind === 'beacons') return '/reports';
  return `/channels/${channel}`;
}

const clock = (time: Millis): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}

function textOf(
  { rule, channel }: Subject,
  state: EventState,
  { value, unit, reason }: Omit<Judgement, 'level'>,
  since: Millis,
  at: Millis,
): string {
  const on = channel.name ?? channel.id;
  const why = reason === undefined ? '' : `: ${reason}`;
  if (state === 'resolved')
    return `Resolved on ${on} after ${durationOf(at - since)}: ${describeCondition(rule)}${reason ? ` (${reason})` : ''}.`;
  const measured = value === undefined ? '' : ` (now ${value} ${unit ?? ''})`.replace(' )', ')');
  const still = state === 'reminder' ? 'Still firing: ' : '';
  return `${still}${describeCondition(rule)} on ${on} since ${clock(since)}${measured}${why}.`;
}

/**
 * @param id of the event; `alert` is the one with which the alert started to fire
 * @param adminUrl the public URL of the console, if known
 */
export function makeEvent(
  subject: Subject,
  facts: { readonly id: string; readonly tenant: string; readonly alert: string; readonly state: EventState },
  judgement: Omit<Judgement, 'level'>,
  { since, at }: { readonly since: Millis; readonly at: Millis },
  adminUrl: string | undefined,
): AlertEvent {
  const { rule, channel } = subject;
  const { value, threshold, unit, reason } = judgement;
  return {
    ...facts,
    at,
    rule: { id: rule.id, name: rule.name, kind: rule.kind },
    channel,
    since,
    ...(value === undefined ? {} : { value }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(unit === undefined ? {} : { unit }),
    text: textOf(subject, facts.state, judgement, since, at),
    ...(reason === undefined ? {} : { reason }),
    ...(adminUrl === undefined ? {} : { link: `${adminUrl.replace(/\/+$/, '')}/#${pageOf(subject, since, at)}` }),
  };
}

const iso = (time: Millis): string => new Date(time).toISOString();

/** An event as the API returns it and webhooks send it. */
export const showEvent = ({ tenant: _, at, since, ...event }: AlertEvent) => ({
  ...event,
  at: iso(at),
  since: iso(since),
});
