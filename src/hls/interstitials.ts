// SPDX-License-Identifier: Apache-2.0
// Guided insertion in HLS: breaks as interstitials, whose ads the player inserts (draft-pantos-hls-rfc8216bis Appendix D). Attributes
// never change once they are listed (§4.4.5.1). docs/decisions/053-guided-insertion.md states what players do with each.

import {
  type Flicks,
  flicks,
  flicksToMicros,
  flicksToMillis,
  isoText,
  type Millis,
  millis,
  secondsToFlicks,
} from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { type BreakPlace, type BreakSpan, placeOf, type Shift } from '../timeline/programme/span.ts';
import type { Window } from '../timeline/programme/window.ts';
import { decimalSeconds } from './attributes.ts';
import { headOfWindow, writeRows } from './writeMedia.ts';

export type Interstitial = {
  readonly id: string;
  /** Where the content is interrupted. With a cue, any date that does not change. */
  readonly startsAt: Millis;
  readonly planned: Flicks;
  /** The URI of the asset list. */
  readonly list: string;
} & (
  | {
      /** Of a linear or live channel: content goes on as much later as ads were played. */
      readonly kind: 'onAir';
      readonly cue?: 'PRE';
      /** What of the break may be played, if it has ended earlier than announced. */
      readonly limit?: Flicks | undefined;
    }
  /** On demand, between content; before or after all of it with a cue. */
  | { readonly kind: 'insert'; readonly cue?: 'PRE' | 'POST' | undefined }
  /** On demand, in place of content of the planned length. */
  | { readonly kind: 'replace'; readonly cue?: undefined }
);

/**
 * Milliseconds by which an interstitial starts before its border. Audio of content may end up to a frame before a border, and hls.js 1.7
 * waits for ever where its buffer ends more than 10 ms before an interstitial. It keeps its buffers if that is less than 25 ms.
 */
const EARLY = 16;
/**
 * On air, by how much the last clip of a pod is listed as longer than it is, and the limit of a break that ended early. hls.js 1.7 skips
 * the segments of content that end by the end of an interstitial, which starts early. Without this, it would play the last segment of
 * the break over the last ad.
 */
export const LONGER_MICROS = 1000 * (EARLY + 2);

const seconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length));
const lateSeconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length) + 1000 * EARLY);
const longerSeconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length) + LONGER_MICROS);

/** Where content goes on. On air, as much later as ads were played: a break may end earlier than planned. */
function resumeOf({ kind, cue, planned }: Interstitial): string {
  if (kind === 'onAir') return '';
  if (cue !== undefined) return ',X-RESUME-OFFSET=0';
  return `,X-RESUME-OFFSET=${lateSeconds(kind === 'insert' ? flicks(0) : planned)}`;
}

/** On air, Shaka Player 5.2 continues with the content that is so much after the start. */
const plannedSeconds = ({ kind, cue, planned }: Interstitial): string =>
  kind === 'onAir' && cue === undefined ? lateSeconds(planned) : seconds(planned);

/** Without X-SNAP: hls.js 1.7 would move the start to a border of video that its audio may not reach. */
function tagsOf(one: Interstitial): string {
  const { id, startsAt, list, kind, cue } = one;
  const date = isoText(cue === undefined ? millis(startsAt - EARLY) : startsAt);
  const same = `#EXT-X-DATERANGE:ID="${id}",CLASS="com.apple.hls.interstitial",START-DATE="${date}"`;
  const once = cue === undefined ? '' : `,CUE="${cue},ONCE"`;
  // On air, JUMP would have Shaka Player 5.2 play a break that was over when the viewer joined.
  const restrict = kind === 'onAir' ? 'SKIP' : 'SKIP,JUMP';
  const tag =
    `${same}${once},PLANNED-DURATION=${plannedSeconds(one)},X-ASSET-LIST="${list}"${resumeOf(one)},` +
    `X-RESTRICT="${restrict}",X-TIMELINE-OCCUPIES="${kind === 'insert' ? 'POINT' : 'RANGE'}"\n`;
  if (kind !== 'onAir' || one.limit === undefined) return tag;
  return `${tag}${same},X-PLAYOUT-LIMIT=${longerSeconds(one.limit)},X-RESUME-OFFSET=${lateSeconds(one.limit)}\n`;
}

export const interstitialTags = (all: readonly Interstitial[]): string => all.map(tagsOf).join('');

/** An announced length may be this much longer than the segments that it names, because both are rounded. */
const SAME_END = secondsToFlicks(0.1);

/**
 * What of a break may be played, if it has ended earlier than announced. Nodes learn of an end to come at different times, so
 * it is listed when the live edge is there: viewers play it later (HOLD-BACK).
 */
function limitOf(
  { junctions, isClosed }: NonNullable<BreakSpan['break']['live']>,
  { startsAt, duration }: BreakPlace,
  edge: Millis,
): Flicks | undefined {
  const end = isClosed ? junctions.at(-1)?.at : undefined;
  const isEarly = end !== undefined && duration - end > SAME_END && startsAt + flicksToMillis(end) <= edge;
  return isEarly ? end : undefined;
}

/** The break of a channel. @param list the URI of its asset list. @param edge the live edge */
export function interstitialOf(span: BreakSpan, list: string, edge: Millis): Interstitial {
  const place = placeOf(span);
  const { id, startsAt, duration } = place;
  const { live } = span.break;
  return { kind: 'onAir', id, startsAt, planned: duration, list, limit: live && limitOf(live, place, edge) };
}

/** Ads before the content of viewers who join a live channel. @param date any one that does not change */
export const prerollInterstitial = (
  { id, duration }: Pick<BreakPlace, 'id' | 'duration'>,
  date: Millis,
  list: string,
): Interstitial => ({ kind: 'onAir', id, startsAt: date, planned: duration, list, cue: 'PRE' });

/** The media playlist of one rung, the same for all guided viewers of a channel. */
export const writeGuidedMedia = (
  window: Window,
  rung: number,
  all: readonly Interstitial[],
  shift: Shift,
  ladder: Ladder,
): string =>
  headOfWindow(window, rung, shift, { ladder, form: 'guided' }) +
  interstitialTags(all) +
  writeRows(window.rows, undefined, rung, { announces: false });
