// SPDX-License-Identifier: Apache-2.0
// Alerts that fire, by their rules: an ad server that fails is one entry, not one for each of its channels.
import { groupBy, type NonEmpty } from '../../../src/invariant.ts';
import type { AlertResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { withUnit } from '../../../src/platform/alerts/contract/alertValues.ts';
import { plural } from '../format/numbers.ts';

export type FiringAlert = AlertResponse & Required<Pick<AlertResponse, 'id' | 'event'>>;
/** Of one rule, in the order in which they started. */
export type AlertGroup = NonEmpty<FiringAlert>;

const ranks = { critical: 0, warning: 1, info: 2 } as const;

const isFiring = (alert: AlertResponse): alert is FiringAlert =>
  alert.state === 'firing' && alert.event !== undefined && alert.id !== undefined;

export const firingOf = (alerts: readonly AlertResponse[]): FiringAlert[] => alerts.filter(isFiring);

/** Those that need somebody come first: neither acknowledged nor silenced, then the most severe. */
export function groupAlerts(alerts: readonly AlertResponse[]): AlertGroup[] {
  const oldestFirst = firingOf(alerts).sort((a, b) => (a.since < b.since ? -1 : 1));
  const rankOf = (group: AlertGroup) => (needsSomebody(group) ? 0 : 10) + ranks[group[0].severity];
  return [...groupBy(oldestFirst, ({ rule }) => rule).values()].sort((a, b) => rankOf(a) - rankOf(b));
}

const needsSomebody = (group: AlertGroup): boolean =>
  group.some(({ acknowledged, silenced }) => acknowledged === undefined && silenced === undefined);

/** `12.5% at the start, now 40%`. @returns undefined without a value */
export function valueInWords({ value, event }: FiringAlert): string | undefined {
  const { unit, valueAtStart } = event;
  if (value === undefined) return undefined;
  if (valueAtStart === undefined || valueAtStart === value) return withUnit(value, unit);
  return `${withUnit(valueAtStart, unit)} at the start, now ${withUnit(value, unit)}`;
}

/** The value and the reason; empty without both. */
export const factsOf = (alert: FiringAlert): string =>
  [valueInWords(alert), alert.event.reason].filter((text) => text !== undefined).join(', ');

/** `Ad server: 12 channels`, or the one channel. */
export function alertTitle([{ event }, ...others]: AlertGroup): string {
  const { rule, channel } = event;
  return `${rule.name}: ${others.length === 0 ? channel.name || channel.id : plural(others.length + 1, 'channel')}`;
}
