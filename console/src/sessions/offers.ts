// SPDX-License-Identifier: Apache-2.0
// What ad sources were requested for and offered, in short.
import type { TracedAd, TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { DeepReadonly } from '../../../src/http/contract/matching.ts';
import { plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';

export type TracedSource = DeepReadonly<NonNullable<TracedBreak['sources']>[number]>;
/** A source without its request, which traces and tries show apart. */
export type ListedSource = Omit<TracedSource, 'request' | 'response' | 'wrappers'> & {
  /** Milliseconds of the request. */
  readonly ms?: number | undefined;
};
export type TracedHook = DeepReadonly<NonNullable<TracedBreak['adsHook']>>;

/** `30 s, 2 ads`; a dash if nothing was requested. */
export function requestedText({ requested }: Pick<ListedSource, 'requested'>): string {
  if (requested === undefined) return '–';
  const { duration, maxAds } = requested;
  return [formatDuration(duration), ...(maxAds === undefined ? [] : [plural(maxAds, 'ad')])].join(', ');
}

/** Whether the request failed; a response without ads is no failure. */
export const hasFailed = ({ ms, reason }: Pick<ListedSource, 'ms' | 'reason'>): boolean =>
  ms !== undefined && reason !== undefined && !reason.code.startsWith('NO_');

/** `from Direct sales (step 1), 12.50 EUR, tea.example`; empty for the ads of a channel with one ad server. */
export function offerText(
  { source, step = 0, price, advertisers = [] }: DeepReadonly<TracedAd>,
  sources: readonly Pick<ListedSource, 'source' | 'name'>[] = [],
): string {
  if (source === undefined) return '';
  const name = sources.find((one) => one.source === source)?.name || source;
  return [
    `from ${name}${step < 0 ? '' : ` (step ${step + 1})`}`,
    ...(price ? [`${price.amount.toFixed(2)} ${price.currency}`] : []),
    ...advertisers,
  ].join(', ');
}

/** What a hook did: its status and what it changed, or why its response was ignored. */
export const hookText = ({ ms, status, error, changes }: TracedHook): string =>
  [
    `${Math.round(ms)} ms`,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(error === undefined && changes.length === 0 ? ['no changes'] : []),
    ...changes,
    ...(error === undefined ? [] : [error]),
  ].join(', ');
