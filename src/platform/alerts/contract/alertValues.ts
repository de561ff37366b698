// SPDX-License-Identifier: Apache-2.0
// Defaults of alert rules. Plain values: the console imports this module.

/** The threshold fields of each kind, with their defaults. */
export const thresholds = {
  fill: { belowPercent: 80 },
  'ad-server': { abovePercent: 20, outcome: 'failed', minRequests: 10 },
  'off-air': {},
  origin: { when: 'failing' },
  creative: { minFailures: 1 },
  beacons: { abovePercent: 20, minBeacons: 10, olderMinutes: 15 },
} as const;

export const DEFAULT_FOR_MINUTES = 5;

export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** What a rule of each kind has unless it states another severity. */
export const defaultSeverities = {
  fill: 'warning',
  'ad-server': 'critical',
  'off-air': 'critical',
  origin: 'warning',
  creative: 'warning',
  beacons: 'warning',
} as const satisfies Readonly<Record<string, Severity>>;

/** The pages of docs/runbooks that the console serves, by kind of rule. */
const runbookPages = {
  fill: 'viewers-see-slate',
  'ad-server': 'ad-server-is-dead',
  'off-air': 'channel-is-black',
  origin: 'channel-is-black',
  creative: 'viewers-see-slate',
  beacons: 'ad-server-is-dead',
} as const;

/** Below the address of the console. @param kind of the rule */
export const runbookPath = (kind: keyof typeof runbookPages): string => `runbooks/${runbookPages[kind]}.html`;

export const receiverTypes = ['webhook', 'email', 'slack', 'pagerduty'] as const;
export type ReceiverType = (typeof receiverTypes)[number];

/** The most minutes that a silence lasts: four weeks. */
export const MAX_SILENCE_MINUTES = 40_320;

/** Such as `12.5%`, `20 min` or `1 creative`. */
export const withUnit = (value: number, unit: string | undefined): string =>
  unit === undefined || unit === '%'
    ? `${value}${unit ?? ''}`
    : `${value} ${value === 1 ? unit.replace(/s$/, '') : unit}`;

/** @param time ISO 8601, UTC @returns such as `2026-03-01 20:15 UTC` */
export const minuteInWords = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

type Values = Readonly<{ state: string; value?: number; valueAtStart?: number; unit?: string }>;

/** Such as `12% at the start, now 40%`. */
export function valuesInWords({ state, value, valueAtStart, unit }: Values): string | undefined {
  if (value === undefined) return undefined;
  const isFirst = valueAtStart === undefined || state === 'firing';
  return `${isFirst ? '' : `${withUnit(valueAtStart, unit)} at the start, `}now ${withUnit(value, unit)}`;
}

/** A page of the console, with its public URL. */
export const consoleUrl = (adminUrl: string, page: string): string => `${adminUrl.replace(/\/+$/, '')}/${page}`;
