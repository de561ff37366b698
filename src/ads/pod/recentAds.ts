// What a viewer was shown in their last breaks, so that they see something else when there is a choice. Each decision
// carries the list on to the next: a decision that is forgotten takes nothing with it, and the list never grows.

/** Ads: three or four breaks of usual length. */
const MOST_REMEMBERED = 12;
/** Characters of a media id that tell apart what one viewer has seen. */
const PREFIX = 8;

type Shown = {
  readonly startsAt: number;
  readonly ads: readonly { readonly mediaId: string }[];
  readonly before?: string;
};

/** What had been seen once the latest of these decisions was shown, newest first; empty when there is none. */
export function seenBefore(decisions: readonly Shown[], startsAt: number): string {
  const earlier = decisions.filter((decision) => decision.startsAt < startsAt);
  const [first, ...others] = earlier;
  if (first === undefined) return '';
  const latest = others.reduce((late, one) => (one.startsAt > late.startsAt ? one : late), first);
  const own = latest.ads.map(({ mediaId }) => mediaId.slice(0, PREFIX)).reverse();
  const all = [...own, ...(latest.before?.split(' ') ?? [])].filter((prefix) => prefix !== '');
  return [...new Set(all)].slice(0, MOST_REMEMBERED).join(' ');
}

/**
 * How many other ads the viewer saw after this one; undefined for one that they did not see lately.
 * @param seen what `seenBefore` said
 */
export function seenSince(seen: string, mediaId: string): number | undefined {
  const place = seen === '' ? -1 : seen.split(' ').indexOf(mediaId.slice(0, PREFIX));
  return place < 0 ? undefined : place;
}
