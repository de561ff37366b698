// SPDX-License-Identifier: Apache-2.0
// The ads that a viewer saw in recent breaks, so that others are preferred. Each decision stores the list for the next one, so
// nothing is lost when a decision expires, and the list has a limit.

/** The ads of three or four breaks of usual length. */
const MAX_REMEMBERED = 12;
/** Characters of a media id, enough to distinguish the ads that one viewer has seen. */
const PREFIX_LENGTH = 8;

type Shown = {
  readonly startsAt: number;
  readonly ads: readonly { readonly mediaId: string }[];
  readonly before?: string;
};

/** The ads seen up to and including the latest decision before `startsAt`, newest first; empty if there is none. */
export function seenBefore(decisions: readonly Shown[], startsAt: number): string {
  let latest: Shown | undefined;
  for (const one of decisions) {
    if (one.startsAt < startsAt && (latest === undefined || one.startsAt > latest.startsAt)) latest = one;
  }
  if (latest === undefined) return '';
  const seen: string[] = [];
  const add = (prefix: string): void => {
    if (prefix !== '' && seen.length < MAX_REMEMBERED && !seen.includes(prefix)) seen.push(prefix);
  };
  for (const { mediaId } of latest.ads.toReversed()) add(mediaId.slice(0, PREFIX_LENGTH));
  for (const prefix of latest.before?.split(' ') ?? []) add(prefix);
  return seen.join(' ');
}

/** How many other ads the viewer saw after this one; undefined if it is not recent. @param seen from `seenBefore` */
export function seenSince(seen: string, mediaId: string): number | undefined {
  const place = seen === '' ? -1 : seen.split(' ').indexOf(mediaId.slice(0, PREFIX_LENGTH));
  return place < 0 ? undefined : place;
}
