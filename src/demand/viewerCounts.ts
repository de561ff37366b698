// SPDX-License-Identifier: Apache-2.0
// What one viewer was shown, for frequency caps: a short text that is stored for the viewer, and that all channels of the tenant
// share. For each ad, newest first, it has the minute, the hours for which it counts, and a number for each of its creatives and
// advertisers, so that it contains no names: `t1k3f0.1o.1x9a2b.k20fz8 …`.
import type { AdTraits } from '../ads/record/offer.ts';
import type { FrequencyCap } from '../channels/demand.ts';
import { groupBy } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { hashOf } from './hashOf.ts';

export type ViewerCounts = {
  /** When the ads of the break are shown: caps look back from then. */
  readonly at: Millis;
  /** From `withShown`; empty if nothing was shown, undefined if it is not known: then every cap counts as reached. */
  readonly shown: string | undefined;
};

/** How many ads with this key the viewer was shown in the past hours. */
export type CountShown = (key: string, hours: number) => number;

/** The longest text: some 1,400 ads. A viewer of more is shown no ads that a cap counts until some of them no longer count. */
const MAX_CHARACTERS = 32_000;
const MINUTE_MS = 60_000;

type Per = FrequencyCap['per'];

/** What an ad is counted by: `advertiser example.com`. */
export const keysOf = ({ advertisers, creatives }: Pick<AdTraits, 'advertisers' | 'creatives'>, per: Per): string[] =>
  [...new Set(per === 'advertiser' ? advertisers : creatives)].map((name) => `${per} ${name}`);

/** With 200 ads of some keys, one viewer in millions has a count too many. */
const shortOf = (key: string): string => hashOf(key).toString(36);

const entriesOf = (shown: string): string[] => (shown === '' ? [] : shown.split(' '));

/** The first minute that a cap counts. */
const since = (at: Millis, hours: number): number => Math.floor(at / MINUTE_MS) - 60 * hours;

export function countShown({ at, shown }: ViewerCounts): CountShown {
  if (shown === undefined || shown.length > MAX_CHARACTERS) return () => Number.POSITIVE_INFINITY;
  const counted = entriesOf(shown).flatMap((entry) => {
    const [minute = '', , ...keys] = entry.split('.');
    return keys.map((key) => ({ key, minute: Number.parseInt(minute, 36) }));
  });
  const byKey = groupBy(counted, ({ key }) => key);
  return (key, hours) => (byKey.get(shortOf(key)) ?? []).filter(({ minute }) => minute > since(at, hours)).length;
}

/** Whether an ad still counts, for the longest cap of the channel that showed it. */
const counts = (entry: string, at: Millis): boolean => {
  const [minute = '', hours = ''] = entry.split('.');
  return Number.parseInt(minute, 36) > since(at, Number.parseInt(hours, 36));
};

/**
 * Adds ads that the viewer is shown at `at`, and drops what no longer counts.
 * @param caps of the channel
 * @returns the new text; empty if no cap counts anything
 */
export function withShown(
  { at, shown }: { readonly at: Millis; readonly shown: string },
  ads: readonly Pick<AdTraits, 'advertisers' | 'creatives'>[],
  caps: readonly FrequencyCap[],
): string {
  const kinds = [...new Set(caps.map(({ per }) => per))];
  const minute = Math.floor(at / MINUTE_MS).toString(36);
  const hours = Math.ceil(Math.max(0, ...caps.map((cap) => cap.hours))).toString(36);
  const added = ads.flatMap((traits) => {
    const keys = kinds.flatMap((per) => keysOf(traits, per).map(shortOf));
    return keys.length === 0 ? [] : [[minute, hours, ...keys].join('.')];
  });
  return [...added.toReversed(), ...entriesOf(shown).filter((entry) => counts(entry, at))].join(' ');
}
