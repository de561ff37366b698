// SPDX-License-Identifier: Apache-2.0
// The worst channels, ad servers and creatives of an overview, each with its most frequent reason.

import type { SkipCode } from '../../../ads/pod/adOutcome.ts';
import { channelOfKey } from '../../../channels/channelKey.ts';
import { plural } from '../../../plural.ts';
import { percentile } from '../../reports/rules/bins.ts';
import { skipReasons } from '../../reports/rules/catalogue.ts';
import type { Rollup } from '../../reports/rules/ports.ts';
import { rounded } from '../../reports/rules/query/report.ts';
import type { OverviewResponse } from '../contract/overviewContract.ts';
import type { Counts } from './counts.ts';

/** Rows of a list. */
const MAX_WORST = 10;
/** Milliseconds. Less than this is left at the end of breaks that are full. */
const LEAST_UNFILLED_MS = 500;

type Amounts = Rollup['amounts'];
/** The amounts of requests that have failed. */
export const failures = ['errors', 'timeouts'] as const;

/** Reasons that are about the other ads of a break, and not about the ad: the break had no place for it, or a better one. */
const chosenAgainst: ReadonlySet<SkipCode> = new Set<SkipCode>([
  'CATEGORY_BLOCKED',
  'FALLBACK_FORBIDDEN',
  'FALLBACK_NOT_NEEDED',
  'CREATIVE_REPEATED',
  'SHOWN_LATELY',
  'MAX_ADS_REACHED',
  'BREAK_DURATION_EXCEEDED',
  'REMAINDER_TOO_SHORT',
  'BREAK_FULL',
  'ADVERTISER_BLOCKED',
  'CATEGORY_EXCLUDED',
  'CREATIVE_BLOCKED',
  'LANGUAGE_BLOCKED',
  'COMPETITOR_IN_BREAK',
  'COMPETITOR_ADJACENT',
  'ADVERTISER_LIMIT',
  'FREQUENCY_CAP',
  'HOOK_DROPPED',
  'OUTBID',
  'POSITION_TAKEN',
  'BELOW_FLOOR',
]);
const lossCodes = (Object.keys(skipReasons) as SkipCode[]).filter((code) => !chosenAgainst.has(code));
/** Reasons for which another ad is shown in its place. */
const replaced: ReadonlySet<SkipCode> = new Set<SkipCode>([
  'BREAK_FULL',
  'FALLBACK_NOT_NEEDED',
  'SHOWN_LATELY',
  'OUTBID',
]);
/** Reasons that leave time of a break without an ad. */
const gapCodes = (Object.keys(skipReasons) as SkipCode[]).filter((code) => !replaced.has(code));

const sumOf = (amounts: Amounts, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (amounts[name] ?? 0), 0);

/** @returns undefined if none of the codes was counted */
function mostFrequent(amounts: Amounts, codes: readonly SkipCode[]) {
  const [first] = codes
    .map((code) => ({ code, count: amounts[code] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return first;
}

type Row<List extends 'channels' | 'adServers' | 'creatives'> = OverviewResponse[List][number];

export function reasonOf(requests: Amounts, skips: Amounts): Row<'channels'>['reason'] {
  const { sent: of = 0, empty = 0 } = requests;
  const failed = sumOf(requests, failures);
  const skipped = mostFrequent(skips, gapCodes);
  const most = Math.max(failed, empty, skipped?.count ?? 0);
  if (skipped !== undefined && skipped.count === most) {
    const text = `${plural(most, 'ad was', 'ads were')} not shown: ${skipReasons[skipped.code]}`;
    return { kind: 'ads-skipped', ...skipped, text };
  }
  if (failed > 0 && failed === most)
    return { kind: 'requests-failed', count: failed, of, text: `${failed} of ${plural(of, 'ad request')} failed` };
  if (empty > 0)
    return { kind: 'responses-empty', count: empty, of, text: `${empty} of ${plural(of, 'ad response')} had no ad` };
  if (of === 0) return { kind: 'no-requests', text: 'No ads were requested' };
  return { kind: 'too-few-ads', text: 'The ad server returned fewer ads than the breaks have room for' };
}

const worst = <Item>(items: readonly Item[], ...orders: readonly ((item: Item) => number)[]): Item[] =>
  [...items].sort((a, b) => orders.reduce((order, of) => (order !== 0 ? order : of(b) - of(a)), 0)).slice(0, MAX_WORST);

export function worstChannels({ breaks, requests, skips }: Pick<Counts, 'breaks' | 'requests' | 'skips'>) {
  const unfilled = [...breaks].map(([key, { amounts }]) => {
    const { offeredMs = 0, filledMs = 0 } = amounts;
    return { key, offeredMs, missing: offeredMs - filledMs };
  });
  return worst(
    unfilled.filter(({ offeredMs, missing }) => offeredMs > 0 && missing >= LEAST_UNFILLED_MS),
    ({ missing }) => missing,
  ).map(({ key, offeredMs, missing }) => ({
    ...channelOfKey(key),
    secondsOffered: rounded(offeredMs / 1000),
    secondsUnfilled: rounded(missing / 1000),
    fillRate: rounded(1 - missing / offeredMs),
    reason: reasonOf(requests.get(key)?.amounts ?? {}, skips.get(key)?.amounts ?? {}),
  }));
}

export function worstAdServers(adServers: Counts['adServers']): Row<'adServers'>[] {
  const rows = [...adServers].map(([adServer, { amounts, bins }]) => {
    const { sent = 0, errors = 0, timeouts = 0, empty = 0 } = amounts;
    const failureShare = rounded(sumOf(amounts, failures) / sent);
    return { adServer, sent, errors, timeouts, empty, failureShare, latencyP95: rounded(percentile(bins, 95)) };
  });
  return worst(
    rows.filter(({ sent }) => sent > 0),
    ({ errors, timeouts }) => errors + timeouts,
    ({ empty }) => empty,
    ({ latencyP95 }) => latencyP95,
  );
}

export function worstCreatives(creatives: Counts['creatives']): Row<'creatives'>[] {
  const rows = [...creatives].flatMap(([creative, { amounts }]) => {
    const { code } = mostFrequent(amounts, lossCodes) ?? {};
    if (code === undefined) return [];
    return [{ creative, adsLost: sumOf(amounts, lossCodes), code, text: `Not shown: ${skipReasons[code]}` }];
  });
  return worst(rows, ({ adsLost }) => adsLost);
}
