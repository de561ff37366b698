// The story of a viewer's break: what was shown, and in plain words why the rest was not.
import type { TracedAd, TracedBreak } from '../../../src/http/airContract.ts';

/** Seconds of ads. */
export const filledSeconds = ({ duration, slate, bumpers = 0 }: TracedBreak): number =>
  Math.max(0, Math.round((duration - slate - bumpers) * 1000) / 1000);

/** One plain sentence for a break. */
export function sayBreak(one: TracedBreak): string {
  const shown = one.ads.filter(({ outcome }) => outcome === 'stitched').length;
  const skipped = one.ads.length - shown;
  const ads = (count: number) => `${count} ${count === 1 ? 'ad' : 'ads'}`;
  if (shown === 0) return one.reason?.text ?? 'No ad was shown.';
  const rest = skipped === 0 ? '' : `, ${skipped} not shown`;
  const slate = one.slate >= 0.05 ? `, ${Math.round(one.slate * 10) / 10} s of slate` : '';
  return `${ads(shown)}${rest}${slate}.`;
}

/** A reason always exists for an ad that was not shown; should it ever not, that is said. */
export const whyNot = ({ outcome, reason }: TracedAd): string | undefined =>
  outcome === 'stitched' ? undefined : (reason?.text ?? 'No reason was kept.');

/** Players are so far behind live, and fetch a segment at a time. Milliseconds. */
const BEHIND_LIVE = 40_000;

export type AdState = 'shown' | 'toCome' | 'notFetched' | 'notShown';

/** What was put into a manifest is not what a viewer fetched: the two are told apart. @param now milliseconds */
export function stateOfAd({ outcome, startsAt, duration, delivered }: TracedAd, now: number): AdState {
  if (outcome === 'skipped') return 'notShown';
  if (delivered === undefined || delivered.seconds > 0) return 'shown';
  const isOver = startsAt === undefined || Date.parse(startsAt) + duration * 1000 + BEHIND_LIVE < now;
  return isOver ? 'notFetched' : 'toCome';
}

export type Share = { readonly kind: 'ad' | 'bumper' | 'slate'; readonly percent: number; readonly name: string };

/** A break to scale: its ads in order, then what was left over. */
export function sharesOf(one: TracedBreak): Share[] {
  const percent = (seconds: number) => (one.duration === 0 ? 0 : (seconds / one.duration) * 100);
  const ads = one.ads.filter(({ outcome }) => outcome === 'stitched');
  return [
    ...ads.map((ad): Share => ({ kind: 'ad', percent: percent(ad.duration), name: ad.title ?? ad.adId })),
    ...((one.bumpers ?? 0) > 0 ? [{ kind: 'bumper' as const, percent: percent(one.bumpers!), name: 'Bumpers' }] : []),
    ...(one.slate > 0 ? [{ kind: 'slate' as const, percent: percent(one.slate), name: 'Slate' }] : []),
  ];
}
