// SPDX-License-Identifier: Apache-2.0
// What a try or a replay found, in short.
import type { JudgedAd, TriedExchange } from '../../../src/platform/tries/contract/tryContract.ts';
import { plural } from '../format/numbers.ts';

export type AdVerdict = 'plays' | 'making' | 'absent' | 'failed' | 'skipped';

/** An ad that is only skipped because of its creative has that as its verdict. */
export function adVerdict({ outcome, reason, creativeState }: JudgedAd): AdVerdict {
  if (outcome === 'stitched') return 'plays';
  if (reason?.code === 'CREATIVE_FAILED') return 'failed';
  if (reason?.code !== 'CREATIVE_PREPARING') return 'skipped';
  return creativeState === 'absent' ? 'absent' : 'making';
}

/** What a document contains. */
export function contentsText({ contents }: TriedExchange): string | undefined {
  if (contents === undefined) return undefined;
  const { format, version, ads = 0, bids, wrappers = 0, breaks = [], problem } = contents;
  if (problem !== undefined) return problem;
  const name = [format, version].filter(Boolean).join(' ');
  if (bids !== undefined) return `${name}: ${plural(bids, 'bid')}`;
  if (format === 'VMAP') return `${name}: ${plural(breaks.length, 'break')}`;
  return `${name}: ${[plural(ads, 'ad'), ...(wrappers > 0 ? [plural(wrappers, 'wrapper')] : [])].join(', ')}`;
}

/** Where an exchange is on the time axis of all of them, in percent. */
export function exchangeBar(
  { startedMs, ms }: Pick<TriedExchange, 'startedMs' | 'ms'>,
  all: readonly Pick<TriedExchange, 'startedMs' | 'ms'>[],
): { readonly start: number; readonly width: number } {
  const total = Math.max(1, ...all.map((one) => one.startedMs + one.ms));
  const start = Math.min(99, (startedMs / total) * 100);
  return { start, width: Math.max(1, Math.min(100 - start, (ms / total) * 100)) };
}
