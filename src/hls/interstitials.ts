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
      /** Of a live channel, or inserted by an operator: content goes on as much later as ads were played. */
      readonly kind: 'onAir';
      readonly cue?: 'PRE';
      /** What of the break may be played, if it has ended earlier than announced. */
      readonly limit?: Flicks | undefined;
    }
  | {
      /** Of a schedule: content goes on after the planned length, also where an operator has ended the break. */
      readonly kind: 'scheduled';
      readonly cue?: undefined;
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
 * Milliseconds before the end of the ads from which on hls.js 1.7 looks for content. Later than its buffers of audio and video end,
 * it would load the last segment of the break that the ads replace, and play that over the last ad.
 */
const BEFORE_END = 2;

const seconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length));
const lateSeconds = (length: Flicks, late = EARLY): string => decimalSeconds(flicksToMicros(length) + 1000 * late);

/** Where content goes on. Not stated where a break may end earlier than planned. */
function resumeOf({ kind, cue, planned }: Interstitial): string {
  if (kind === 'onAir') return '';
  if (cue !== undefined) return ',X-RESUME-OFFSET=0';
  if (kind === 'scheduled') return `,X-RESUME-OFFSET=${lateSeconds(planned, -BEFORE_END)}`;
  return `,X-RESUME-OFFSET=${lateSeconds(kind === 'insert' ? flicks(0) : planned)}`;
}

const isOnAir = (kind: Interstitial['kind']): boolean => kind === 'onAir' || kind === 'scheduled';

/** On air, Shaka Player 5.2 continues with the content that is so much after the start. */
const plannedSeconds = ({ kind, cue, planned }: Interstitial): string =>
  isOnAir(kind) && cue === undefined ? lateSeconds(planned) : seconds(planned);

/** Without X-SNAP: hls.js 1.7 would move the start to a border of video that its audio may not reach. */
function tagsOf(one: Interstitial): string {
  const { id, startsAt, list, kind, cue } = one;
  const date = isoText(cue === undefined ? millis(startsAt - EARLY) : startsAt);
  const same = `#EXT-X-DATERANGE:ID="${id}",CLASS="com.apple.hls.interstitial",START-DATE="${date}"`;
  const once = cue === undefined ? '' : `,CUE="${cue},ONCE"`;
  // On air, JUMP would have Shaka Player 5.2 play a break that was over when the viewer joined.
  const restrict = isOnAir(kind) ? 'SKIP' : 'SKIP,JUMP';
  const tag =
    `${same}${once},PLANNED-DURATION=${plannedSeconds(one)},X-ASSET-LIST="${list}"${resumeOf(one)},` +
    `X-RESTRICT="${restrict}",X-TIMELINE-OCCUPIES="${kind === 'insert' ? 'POINT' : 'RANGE'}"\n`;
  if (kind !== 'onAir' || one.limit === undefined) return tag;
  return `${tag}${same},X-PLAYOUT-LIMIT=${seconds(one.limit)},X-RESUME-OFFSET=${lateSeconds(one.limit)}\n`;
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
  const common = { id: place.id, startsAt: place.startsAt, planned: place.duration, list };
  const { live } = span.break;
  const isFixed = live === undefined || live.isScheduled === true;
  if (isFixed && span.insertedId === undefined) return { kind: 'scheduled', ...common };
  return { kind: 'onAir', ...common, limit: live && limitOf(live, place, edge) };
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
  writeRows(window.rows, undefined, rung, false);
