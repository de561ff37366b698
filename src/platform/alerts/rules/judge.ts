// SPDX-License-Identifier: Apache-2.0
// Judges one measurement of a channel by the condition of a rule. Missing data is `unknown`, not `bad`: a channel without
// breaks has no fill. Between `bad` and `good` is a margin, so that an alert does not fire and resolve repeatedly.
import type { OriginHealth } from '../../../live/originHealth.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { type Condition, MINUTE_MS } from './rule.ts';

/** Sums of reports over a time range; the catalogue of reports names them. */
export type Counts = Readonly<Record<string, number>>;

export type Measurement = {
  readonly now: Millis;
  readonly breaks?: Counts | undefined;
  readonly adRequests?: Counts | undefined;
  readonly creatives?: Counts | undefined;
  /** Creatives that have failed and are tried again. */
  readonly failingCreatives?: number;
  readonly beacons?: Counts | undefined;
  /** When the oldest pending beacon was due. */
  readonly oldestBeacon?: Millis | undefined;
  /** `reason`: why it is not on air. */
  readonly air?: { readonly isOnAir: boolean; readonly reason?: string };
  readonly origins?: readonly OriginHealth[];
  /** How the ad server fails, if it is known to. */
  readonly serverFailure?: ServerFailure | undefined;
};

/** `reason`: a sentence without its period. */
export type ServerFailure = { readonly isTimeout: boolean; readonly reason: string };

export type Judgement = Pick<AlertEventResponse, 'value' | 'threshold' | 'unit' | 'reason'> & {
  readonly level: 'bad' | 'near' | 'good' | 'unknown';
};

const UNKNOWN: Judgement = { level: 'unknown' };
/** Percentage points between the threshold and the value at which an alert may resolve. */
const MARGIN = 5;

const percentOf = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10;

function below(value: number, threshold: number): Judgement {
  const clear = threshold + Math.min(MARGIN, (100 - threshold) / 2);
  return { level: value < threshold ? 'bad' : value < clear ? 'near' : 'good', value, threshold, unit: '%' };
}

function above(value: number, threshold: number): Judgement {
  const clear = threshold - Math.min(MARGIN, threshold / 2);
  return { level: value > threshold ? 'bad' : value > clear ? 'near' : 'good', value, threshold, unit: '%' };
}

const amount = (counts: Counts | undefined, name: string): number => counts?.[name] ?? 0;

/** The most frequent of the ways in which ad requests failed. */
function failureOf(adRequests: Counts | undefined): string | undefined {
  const sent = amount(adRequests, 'sent');
  const failures = Object.entries({ timeouts: 'timed out', errors: 'failed', empty: 'returned no ad' });
  const [first] = failures
    .map(([name, text]) => ({ count: amount(adRequests, name), text }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return sent === 0 || first === undefined ? undefined : `${first.count} of ${sent} ad requests ${first.text}`;
}

const because = (judgement: Judgement, reason: string | undefined): Judgement =>
  reason === undefined ? judgement : { ...judgement, reason };

function judgeOrigins(when: 'failing' | 'slate', origins: readonly OriginHealth[]): Judgement {
  const read = origins.filter(({ state }) => state !== 'idle');
  if (read.length === 0) return UNKNOWN;
  const isBad = ({ state, onAir }: OriginHealth) =>
    onAir?.kind === 'slate' || (when === 'failing' && (state !== 'ok' || onAir?.kind === 'backup'));
  const bad = read.find(isBad);
  return bad === undefined ? { level: 'good' } : because({ level: 'bad' }, bad.reason);
}

/** A channel with few viewers sends too few requests for a percentage, but its ad server may be known to fail. */
function judgeAdServer(
  { abovePercent, outcome, minRequests }: Extract<Condition, { kind: 'ad-server' }>,
  { adRequests, serverFailure }: Measurement,
): Judgement {
  const sent = amount(adRequests, 'sent');
  const failed = amount(adRequests, 'timeouts') + (outcome === 'failed' ? amount(adRequests, 'errors') : 0);
  if (sent >= Math.max(1, minRequests))
    return because(above(percentOf(failed, sent), abovePercent), failureOf(adRequests));
  const isFailing = serverFailure !== undefined && (outcome === 'failed' || serverFailure.isTimeout);
  if (isFailing) return because({ level: 'bad' }, serverFailure.reason);
  return sent > 0 && failed === 0 ? { level: 'good' } : UNKNOWN;
}

function judgeBeacons(
  { abovePercent, minBeacons, olderMinutes }: Extract<Condition, { kind: 'beacons' }>,
  { now, beacons, oldestBeacon }: Measurement,
): Judgement {
  if (oldestBeacon !== undefined && now - oldestBeacon > olderMinutes * MINUTE_MS) {
    const late = Math.floor((now - oldestBeacon) / MINUTE_MS);
    const reason = `the oldest pending beacon is ${late} minutes late`;
    return { level: 'bad', value: late, threshold: olderMinutes, unit: 'min', reason };
  }
  const failed = amount(beacons, 'failed');
  // Retries that succeed are the only beacons of a minute after an outage without viewers.
  const settled = Math.max(amount(beacons, 'sent'), failed + amount(beacons, 'recovered'));
  // Nothing pending is late: without beacons, that is good news about those that were.
  if (settled < minBeacons) return oldestBeacon === undefined && settled === 0 ? UNKNOWN : { level: 'good' };
  return because(above(percentOf(failed, settled), abovePercent), `${failed} of ${settled} beacons failed`);
}

export function judge(condition: Condition, measured: Measurement): Judgement {
  switch (condition.kind) {
    case 'fill': {
      const offered = amount(measured.breaks, 'offeredMs');
      if (offered <= 0) return UNKNOWN;
      const value = percentOf(amount(measured.breaks, 'filledMs'), offered);
      return because(below(value, condition.belowPercent), failureOf(measured.adRequests));
    }
    case 'ad-server':
      return judgeAdServer(condition, measured);
    case 'off-air':
      return measured.air === undefined
        ? UNKNOWN
        : because({ level: measured.air.isOnAir ? 'good' : 'bad' }, measured.air.reason);
    case 'origin':
      return judgeOrigins(condition.when, measured.origins ?? []);
    case 'creative': {
      const value = amount(measured.creatives, 'failed') + (measured.failingCreatives ?? 0);
      const threshold = condition.minFailures;
      return { level: value >= threshold ? 'bad' : 'good', value, threshold, unit: 'creatives' };
    }
    case 'beacons':
      return judgeBeacons(condition, measured);
  }
}

/** What a measurement covers: a minute that the counts of all nodes have reached. */
export function measuredRange(now: Millis, minutes = 1): { readonly from: Millis; readonly to: Millis } {
  const to = now - (now % COUNTED_EVERY_MS) - SETTLED_AFTER_MS;
  return { from: millis(to - minutes * MINUTE_MS), to: millis(to) };
}

/** The report interval. */
const COUNTED_EVERY_MS = 10_000;
/** Nodes store their counts within this time. */
const SETTLED_AFTER_MS = 10_000;
