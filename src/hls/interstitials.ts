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
  millisToFlicks,
} from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { type BreakPlace, type BreakSpan, placeOf, type Shift } from '../timeline/programme/span.ts';
import type { Window } from '../timeline/programme/window.ts';
import { decimalSeconds } from './attributes.ts';
import { headOfWindow, writeRows } from './writeMedia.ts';

export type Interstitial = {
  readonly id: string;
  /** Where the primary content is interrupted. */
  readonly startsAt: Millis;
  readonly planned: Flicks;
  readonly isOnAir?: true;
  /** The URI of the asset list. */
  readonly list: string;
  /**
   * `replace`: of primary content, which goes on as much later as ads were played; `insert`: between primary content.
   */
  readonly kind: 'replace' | 'insert';
  /** Where replaced content goes on after the start of the break, if not where its ads end. */
  readonly resumeAfter?: Flicks | undefined;
  /** Before or after the whole content, instead of at `startsAt`. */
  readonly cue?: 'PRE' | 'POST' | undefined;
  /** Set when a break has ended earlier than planned: what of it may be played. */
  readonly limit?: Flicks | undefined;
};

const seconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length));

/** Without X-SNAP: hls.js 1.7 would move the start to a border of video that its audio may not reach, and wait there for ever. */
function tagsOf({ id, startsAt, planned, list, kind, isOnAir, resumeAfter, cue, limit }: Interstitial): string {
  const same = `#EXT-X-DATERANGE:ID="${id}",CLASS="com.apple.hls.interstitial",START-DATE="${isoText(startsAt)}"`;
  const once = cue === undefined ? '' : `,CUE="${cue},ONCE"`;
  const resume = kind === 'insert' ? ',X-RESUME-OFFSET=0' : '';
  const after = resumeAfter === undefined ? resume : `,X-RESUME-OFFSET=${seconds(resumeAfter)}`;
  const place = kind === 'insert' ? 'POINT' : 'RANGE';
  // On air, JUMP would have Shaka Player 5.2 play a break that was over when the viewer joined.
  const restrict = isOnAir ? 'SKIP' : 'SKIP,JUMP';
  const tag =
    `${same}${once},PLANNED-DURATION=${seconds(planned)},X-ASSET-LIST="${list}"${after},` +
    `X-RESTRICT="${restrict}",X-TIMELINE-OCCUPIES="${place}"\n`;
  return limit === undefined ? tag : `${tag}${same},X-PLAYOUT-LIMIT=${seconds(limit)}\n`;
}

export const interstitialTags = (all: readonly Interstitial[]): string => all.map(tagsOf).join('');

/**
 * Audio of content may end up to a frame before a border. hls.js 1.7 waits for ever where its buffer ends more than 10 ms before an
 * interstitial, and keeps its buffers if one starts less than 25 ms before a border.
 */
const EARLY = millis(24);

/**
 * What of a live break may be played, if it has ended earlier than announced. Nodes learn of an end to come at different times, so
 * it is listed when the live edge is there: viewers play it later (HOLD-BACK).
 */
function limitOf({ break: { live } }: BreakSpan, { startsAt, duration }: BreakPlace, edge: Millis): Flicks | undefined {
  const end = live?.isClosed ? live.junctions.at(-1)?.at : undefined;
  return end !== undefined && end < duration && startsAt + flicksToMillis(end) <= edge ? end : undefined;
}

/** The break of a channel. @param list the URI of its asset list. @param edge the live edge */
export function interstitialOf(span: BreakSpan, list: string, edge: Millis): Interstitial {
  const place = placeOf(span);
  const { id, startsAt, duration } = place;
  const limit = limitOf(span, place, edge);
  const early = millisToFlicks(EARLY);
  return {
    id,
    kind: 'replace',
    isOnAir: true,
    startsAt: millis(startsAt - EARLY),
    planned: duration,
    list,
    limit: limit === undefined ? undefined : flicks(limit + early),
  };
}

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
