// SPDX-License-Identifier: Apache-2.0
// A break as the history keeps it: as traces show it, and with the ads as read from the ad response. A replay compares ads by the ids
// of the ad server, and the start of a response, which is all that a record has of it, may not contain them.
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import { type Playback, type TracedRecord, traceBreak } from './trace.ts';

type TracedAd = TracedRecord['ads'][number];
export type KeptRecord = Omit<TracedRecord, 'ads'> & {
  readonly ads: readonly (TracedAd & Pick<AdRecord, 'vast'>)[];
};

export function keepBreak(record: BreakRecord, playback: Playback): KeptRecord {
  const traced = traceBreak(record, playback);
  return {
    ...traced,
    ads: traced.ads.map((ad, index) => {
      const { vast } = record.ads[index]!;
      return vast === undefined ? ad : { ...ad, vast };
    }),
  };
}

/** What traces show of it. */
export const tracedOf = ({ ads, ...rest }: KeptRecord): TracedRecord => ({
  ...rest,
  ads: ads.map(({ vast: _, ...ad }) => ad as TracedAd),
});

type Observed = { readonly delivered?: unknown; readonly confirmed?: unknown };

/** The record of the decision, without what was delivered and confirmed. */
export function recordOf(kept: KeptRecord): BreakRecord {
  const { confirmed: _, ads, ...rest } = kept as KeptRecord & Observed;
  return {
    ...rest,
    ads: ads.map((one) => {
      const { delivered: _delivered, confirmed: _confirmed, ...ad } = one as typeof one & Observed;
      return ad;
    }),
  };
}
