// SPDX-License-Identifier: Apache-2.0
// The breaks of a title that the manifests of its items mark: points at which ads are inserted, and ranges of content
// that ads replace.
import { DEFAULT_BREAK_DURATION } from '../channels/channel.ts';
import { LONGEST_BREAK_SECONDS, moveWarning } from '../channels/cuePoints.ts';
import { FLICKS_PER_SECOND, flicks, flicksToSeconds } from '../time/units.ts';
import type { AdMarker } from '../timeline/asset/asset.ts';
import type { BreakPoints } from '../timeline/asset/breakPoints.ts';
import { MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';
import { arrangeBreaks, type BreakPlan, type DropCode, type RefusedBreak, type RequestedBreak } from './breakPlan.ts';
import { PAST_THE_END, type Title, type TitleItem, titlePoints } from './title.ts';

const origin = 'marker';

/** The shortest break in flicks, as for cue points. */
const SHORTEST_BREAK = FLICKS_PER_SECOND / 2;

/**
 * The announced length of an insertion, in seconds; undefined when there is none. In the field, 0 means that it is unknown.
 * A range too short to be cut out is an insertion of its length.
 */
function announcedSeconds({ at, until, duration }: AdMarker): number | undefined {
  if (duration !== undefined && duration >= SHORTEST_BREAK)
    return Math.min(flicksToSeconds(duration), LONGEST_BREAK_SECONDS);
  const length = (until ?? at) - at;
  return length >= SHORTEST_BREAK ? flicksToSeconds(flicks(length)) : undefined;
}

function lengthOf(marker: AdMarker, breakDuration: number | undefined): Pick<RequestedBreak, 'duration' | 'isOpen'> {
  const announced = announcedSeconds(marker);
  if (announced !== undefined) return { duration: announced };
  return breakDuration === undefined ? { duration: DEFAULT_BREAK_DURATION, isOpen: true } : { duration: breakDuration };
}

function place(
  marker: AdMarker,
  { start }: TitleItem,
  points: BreakPoints,
  breakDuration: number | undefined,
): RequestedBreak {
  const at = points.nearest(marker.at);
  const { until: stated } = marker;
  const until = stated === undefined ? at : points.nearest(stated);
  const isRange = until - at >= MIN_CLIP_DURATION;
  const moves = [
    moveWarning(marker.at, at),
    ...(isRange && stated !== undefined ? [moveWarning(stated, until, 'the end of the break')] : []),
  ];
  return {
    origin,
    at: flicks(start + at),
    ...(isRange ? { until: flicks(start + until) } : {}),
    requested: flicks(start + marker.at),
    ...(isRange ? { duration: flicksToSeconds(flicks(until - at)) } : lengthOf(marker, breakDuration)),
    warnings: moves.flatMap(({ warning }) => warning ?? []),
    sources: [],
  };
}

function refusal(marker: AdMarker, { asset, start }: TitleItem): RefusedBreak | undefined {
  const refuse = (code: DropCode, text: string): RefusedBreak => {
    return { origin, requested: flicks(start + marker.at), code, text, sources: [] };
  };
  const name = `The marker ${marker.source} at ${flicksToSeconds(marker.at).toFixed(1)} s`;
  if (marker.at > asset.duration + PAST_THE_END) {
    const end = flicksToSeconds(asset.duration).toFixed(1);
    return refuse('PAST_THE_END', `${name} is past the end of its item at ${end} s.`);
  }
  const { until, duration } = marker;
  if (until !== undefined || !duration || duration >= SHORTEST_BREAK) return undefined;
  const seconds = flicksToSeconds(duration).toFixed(3);
  return refuse('TOO_SHORT', `${name} announces ${seconds} s; a break lasts at least 0.5 s.`);
}

/** @param breakDuration seconds of an insertion without an announced length; its ads are not limited when absent */
export function planMarkers(title: Title, breakDuration?: number): BreakPlan {
  const points = titlePoints(title);
  const requested: RequestedBreak[] = [];
  const refused: RefusedBreak[] = [];
  title.items.forEach((item, index) => {
    for (const marker of item.asset.markers ?? []) {
      const refusedMarker = refusal(marker, item);
      if (refusedMarker === undefined) requested.push(place(marker, item, points.of(index), breakDuration));
      else refused.push(refusedMarker);
    }
  });
  return arrangeBreaks(requested, refused).plan;
}
