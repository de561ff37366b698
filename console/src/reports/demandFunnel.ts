// SPDX-License-Identifier: Apache-2.0
// The funnel of demand: from opportunities to completed ads, with what was lost before each step, and why.
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import { groupLabel } from '../format/labels.ts';
import { formatCount, plural } from '../format/numbers.ts';

export type FunnelStep = {
  readonly name: string;
  /** `1,200 breaks` */
  readonly amount: string;
  /** 0 to 1, of the first step with the same unit. */
  readonly share: number;
  /** What was lost before the step, in sentences. */
  readonly losses: readonly string[];
};

type Step = {
  readonly field: string;
  readonly name: string;
  readonly unit: string;
  /** The first step with the same unit. */
  readonly of: string;
  /** Fields of the report, with what one of them is, and what that means. */
  readonly losses: readonly (readonly [field: string, unit: string, meaning: string])[];
};

const ofBreaks = { unit: 'break', of: 'opportunities' } as const;
const ofAds = { unit: 'ad', of: 'offered' } as const;
const steps: readonly Step[] = [
  { field: 'opportunities', name: 'Opportunities', ...ofBreaks, losses: [] },
  {
    field: 'requested',
    name: 'Requested',
    ...ofBreaks,
    losses: [['breaksNotRequested', 'break', 'without a request']],
  },
  {
    field: 'offered',
    name: 'Offered',
    ...ofAds,
    losses: [
      ['requestsNotSent', 'request', 'not sent'],
      ['requestsWithoutAds', 'request', 'without ads'],
    ],
  },
  { field: 'chosen', name: 'Chosen', ...ofAds, losses: [['adsNotChosen', 'ad', 'not chosen']] },
  {
    field: 'started',
    name: 'Started',
    ...ofAds,
    losses: [['adsNotStarted', 'ad', 'not started: the player did not load them']],
  },
  {
    field: 'completed',
    name: 'Completed',
    ...ofAds,
    losses: [['adsNotCompleted', 'ad', 'not completed: the player stopped loading them']],
  },
];

/** The most reasons of a loss that are named. */
const MAX_REASONS = 4;

/** `Break full (12), No ads (3)`, the most frequent first; empty without any. */
function reasonsOf(byReason: ReportResponse['rows'], field: string): string {
  const counted = byReason
    .map((row) => ({ label: groupLabel(String(row.key)), count: Number(row[field] ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const named = counted.slice(0, MAX_REASONS).map(({ label, count }) => `${label} (${formatCount(count)})`);
  const others = counted.length - named.length;
  return [...named, ...(others > 0 ? [plural(others, 'other reason')] : [])].join(', ');
}

/** @param totals of the report `demand-funnel` @param byReason its rows by reason, one for each */
export const demandFunnel = (totals: ReportResponse['totals'], byReason: ReportResponse['rows']): FunnelStep[] =>
  steps.map(({ field, name, unit, of, losses }) => {
    const [count, first] = [totals[field] ?? 0, totals[of] ?? 0];
    return {
      name,
      amount: plural(count, unit),
      share: first === 0 ? 0 : Math.min(1, count / first),
      losses: losses.flatMap(([lost, what, meaning]) => {
        const amount = totals[lost] ?? 0;
        const reasons = reasonsOf(byReason, lost);
        return amount > 0 ? [`${plural(amount, what)} ${meaning}${reasons === '' ? '' : `: ${reasons}`}`] : [];
      }),
    };
  });
