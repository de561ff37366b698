// SPDX-License-Identifier: Apache-2.0
// Breaks and ads as date ranges (RFC 8216bis §4.4.5.1). Every rendition has the same ranges, and a published attribute never
// changes (law 1), because it does not depend on the time of the request. A range is listed as long as one of its segments
// is (§6.2.1).

import { ownMemo } from '../cache/memo.ts';
import { flat } from '../cache/sharedText.ts';
import { defined } from '../invariant.ts';
import { flicksToMicros, isoText, type Millis } from '../time/units.ts';
import { announcedDuration } from '../timeline/asset/clip.ts';
import { AD_SCHEME, adSignal, BREAK_SCHEME, keptSignals } from '../timeline/programme/adSignal.ts';
import { type BreakPlace, breakOf, isPast, type Span } from '../timeline/programme/span.ts';
import { decimalSeconds } from './attributes.ts';

const dateRange = (id: string, scheme: string, startsAt: Millis, micros: number, rest: string): string =>
  `#EXT-X-DATERANGE:ID="${id}",CLASS="${scheme}",START-DATE="${isoText(startsAt)}",` +
  `DURATION=${decimalSeconds(micros)},${rest}\n`;

const breakRange = ({ id, startsAt, duration }: BreakPlace): string =>
  dateRange(id, BREAK_SCHEME, startsAt, flicksToMicros(duration), `X-MIDROLL-BREAK="${id}"`);

/** @param signal base64; undefined if the span is not an ad */
function adRange({ adId, placed: { startsAt, clip } }: Span, breakId: string, signal: string | undefined): string {
  if (adId === undefined || signal === undefined) return '';
  const rest = `X-MIDROLL-BREAK="${breakId}",X-AD-CREATIVE-SIGNALING="${signal}"`;
  return dateRange(adId, AD_SCHEME, startsAt, flicksToMicros(announcedDuration(clip)), rest);
}

/** The tags of a span within a break: when it is the first listed span of the break, and when it is a later one. */
type DateRanges = { readonly first: string; readonly later: string };

const rangesOf = (span: Span, place: BreakPlace, signal: string | undefined): DateRanges => {
  const later = adRange(span, place.id, signal);
  return { first: breakRange(place) + later, later };
};

export const newRanges = (span: Span, place: BreakPlace): DateRanges => rangesOf(span, place, adSignal(span, btoa));

const keptSignal = keptSignals(btoa);
const keptRanges = ownMemo((span: Span): DateRanges => {
  const place = defined(breakOf(span), 'only spans of breaks are announced');
  const { first, later } = rangesOf(span, place, keptSignal(span));
  return { first: flat(first), later: flat(later) };
});

/** The tags before a span's segments. @param before the span that is listed before it */
export function announceSpan(span: Span, before: Span | undefined, ranges: typeof newRanges = keptRanges): string {
  const place = breakOf(span);
  if (place === undefined || isPast(span)) return '';
  const { first, later } = ranges(span, place);
  return before !== undefined && breakOf(before)?.id === place.id ? later : first;
}
