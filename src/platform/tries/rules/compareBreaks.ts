// SPDX-License-Identifier: Apache-2.0
// Compares what a break showed with what it would show now, ad by ad. Pure.
import type { AdRecord, BreakRecord, Reason } from '../../../ads/record/breakRecord.ts';
import type { JudgedBreak } from './judgeBreaks.ts';

export type AdSide = Pick<AdRecord, 'outcome'> & { readonly reason?: Reason };

export type AdDifference = {
  /** The ad server's id. */
  readonly adId: string;
  readonly title?: string;
  /**
   * `playsNow` and `skippedNow`: the outcome has changed. `otherReason`: it is skipped for another reason. `same`: nothing has
   * changed. `notReplayed`: it is not known now. `added`: it was not known then.
   */
  readonly change: 'playsNow' | 'skippedNow' | 'otherReason' | 'same' | 'notReplayed' | 'added';
  readonly before?: AdSide;
  readonly now?: AdSide;
  /** One or two sentences: what has changed, or why nothing has. */
  readonly text?: string;
};

type Keyed<Ad> = { readonly key: string; readonly adId: string; readonly ad: Ad };

/** Ads of a response may have the same id, or none: then their titles and their order distinguish them. */
function keyed<Ad extends { readonly title?: string }>(
  ads: readonly Ad[],
  idOf: (ad: Ad) => string,
): readonly Keyed<Ad>[] {
  const counts = new Map<string, number>();
  return ads.map((ad) => {
    const name = JSON.stringify([idOf(ad), ad.title ?? '']);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return { key: `${name} ${count}`, adId: idOf(ad), ad };
  });
}

/** A shown ad has an id of its own in the record, and that of the ad server in its VAST. */
const idThen = ({ outcome, adId, vast }: AdRecord): string => (outcome === 'stitched' ? (vast?.id ?? adId) : adId);

const sideOf = ({ outcome, reason }: Pick<AdRecord, 'outcome' | 'reason'>): AdSide => ({
  outcome,
  ...(reason === undefined ? {} : { reason }),
});

const whatWas: Readonly<Record<string, string>> = {
  CREATIVE_PREPARING: 'Its creative was not ready then',
  CREATIVE_FAILED: 'Its creative had failed then',
  BREAK_DURATION_EXCEEDED: 'It was longer than the time that was left then',
  MAX_ADS_REACHED: 'The break had reached its number of ads then',
  BREAK_FULL: 'The break was full then',
  CREATIVE_REPEATED: 'Its creative was in the break already',
  SHOWN_LATELY: 'The viewer had seen it shortly before',
  FALLBACK_NOT_NEEDED: 'An earlier ad of its waterfall was shown then',
  NO_MEDIA_FILE: 'It had no media file for the ladder of the channel then',
  EARLY_RETURN: 'It was selected then, but the break ended before it',
};

const pastOf = (reason: Reason | undefined): string =>
  reason === undefined ? 'It was skipped then' : (whatWas[reason.code] ?? `It was skipped then with ${reason.code}`);

function changeOf(then: AdSide, now: AdSide): Pick<AdDifference, 'change' | 'text'> {
  const [wasShown, isShown] = [then.outcome === 'stitched', now.outcome === 'stitched'];
  if (wasShown && isShown) return { change: 'same' };
  // An ad that an early return left out was selected like those that were shown.
  if (!wasShown && then.reason?.code === 'EARLY_RETURN')
    return isShown
      ? { change: 'same', text: `${pastOf(then.reason)}.` }
      : { change: 'skippedNow', text: `${pastOf(then.reason)}. Now: ${now.reason?.text ?? 'It would be skipped.'}` };
  if (isShown) return { change: 'playsNow', text: `${pastOf(then.reason)}; it would be shown now.` };
  const present = now.reason?.text ?? 'It would be skipped.';
  if (wasShown) return { change: 'skippedNow', text: `It was shown then. Now: ${present}` };
  if (then.reason?.code === now.reason?.code) return { change: 'same' };
  return { change: 'otherReason', text: `${pastOf(then.reason)}. Now: ${present}` };
}

/** @returns the ads of the record in its order, then those that it does not contain */
export function compareBreaks(
  { ads: then }: Pick<BreakRecord, 'ads'>,
  { ads: now }: Pick<JudgedBreak, 'ads'>,
): readonly AdDifference[] {
  const present = keyed(now, ({ adId }) => adId);
  const past = keyed(then, idThen);
  const differences = past.map(({ key, adId, ad }): AdDifference => {
    const found = present.find((one) => one.key === key)?.ad;
    const facts = { adId, ...(ad.title === undefined ? {} : { title: ad.title }), before: sideOf(ad) };
    if (found === undefined)
      return { ...facts, change: 'notReplayed', text: 'It is not in what is stored of the response.' };
    return { ...facts, now: sideOf(found), ...changeOf(sideOf(ad), sideOf(found)) };
  });
  const known = new Set(past.map(({ key }) => key));
  const added = present
    .filter(({ key }) => !known.has(key))
    .map(
      ({ adId, ad }): AdDifference => ({
        adId,
        ...(ad.title === undefined ? {} : { title: ad.title }),
        now: sideOf(ad),
        change: 'added',
        text: 'It was not in the record of the break.',
      }),
    );
  return [...differences, ...added];
}
