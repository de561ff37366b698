// SPDX-License-Identifier: Apache-2.0
// Chooses the ads of a break, or of all breaks of a presentation, under the frequency caps of the channel. Without caps, nothing is
// read or stored.
import type { AdTraits } from '../../ads/record/offer.ts';
import type { Channel } from '../../channels/channel.ts';
import { type ViewerCounts, withShown } from '../../demand/viewerCounts.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { ShownAds } from './shownAds.ts';
import { viewerKeyOf } from './viewerKey.ts';

/**
 * @param at when the ads are shown
 * @param choose pure; `traits`: those of the ads that are shown
 */
export type CountedChoice = <Result>(
  channel: Pick<Channel, 'adRules'>,
  session: Pick<Session, 'id' | 'tenant' | 'parameters'>,
  at: Millis,
  choose: (counts: ViewerCounts | undefined) => { readonly result: Result; readonly traits: readonly AdTraits[] },
) => Promise<Result>;

/** Undefined if the channel has no frequency caps. */
export type ReadCounts = (
  channel: Pick<Channel, 'adRules'>,
  session: Pick<Session, 'id' | 'tenant' | 'parameters'>,
  at: Millis,
) => Promise<ViewerCounts | undefined>;

/** For tries, and wherever no cap counts. */
export const uncounted: CountedChoice = async (_, __, ___, choose) => choose(undefined).result;

/** The counts for the next break of a presentation. */
export const countedAfter = (
  counts: ViewerCounts,
  { adRules: { frequencyCaps = [] } = {} }: Pick<Channel, 'adRules'>,
  traits: readonly AdTraits[],
): ViewerCounts =>
  counts.shown === undefined
    ? counts
    : { at: counts.at, shown: withShown({ at: counts.at, shown: counts.shown }, traits, frequencyCaps) };

/** The counts without choosing: what a cap refuses leaves its time to the next step. */
export const createCountReader =
  (shownAds: ShownAds): ReadCounts =>
  async ({ adRules = {} }, session, at) =>
    (adRules.frequencyCaps ?? []).length === 0
      ? undefined
      : { at, shown: await shownAds.read(viewerKeyOf(session, adRules)) };

export const createCountedChoice =
  (shownAds: ShownAds): CountedChoice =>
  async ({ adRules = {} }, session, at, choose) => {
    const { frequencyCaps = [] } = adRules;
    if (frequencyCaps.length === 0) return choose(undefined).result;
    return shownAds.choose(viewerKeyOf(session, adRules), frequencyCaps, (before) => {
      const { result, traits } = choose({ at, shown: before });
      if (before === undefined || traits.length === 0) return { result, shown: undefined };
      const shown = withShown({ at, shown: before }, traits, frequencyCaps);
      return { result, shown: shown === before ? undefined : shown };
    });
  };
