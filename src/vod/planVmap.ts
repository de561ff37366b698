// SPDX-License-Identifier: Apache-2.0
// The breaks of a title that a VMAP document names. Their ads come with the document, so each planned break refers to the
// breaks of the document whose ads it shows.
import { DEFAULT_BREAK_DURATION } from '../channels/channel.ts';
import { moveWarning } from '../channels/cuePoints.ts';
import { withoutUndefined } from '../invariant.ts';
import { type Flicks, flicks, flicksToSeconds } from '../time/units.ts';
import type { VmapBreak } from '../vast/read/readVmap.ts';
import {
  arrangeBreaks,
  type DropCode,
  MAX_BREAKS,
  type RefusedBreak,
  type RequestedBreak,
  type SourcedPlan,
} from './breakPlan.ts';
import { hasMarkers, type Opportunity } from './planCuePoints.ts';
import { planMarkers } from './planMarkers.ts';
import { PAST_THE_END, type Title, type TitlePoints, titlePoints } from './title.ts';

const origin = 'vmap';

/** Positions that are examined, with repetitions: many times more than a presentation can show. */
const MAX_REQUESTED = 20 * MAX_BREAKS;

type Offset = VmapBreak['timeOffset'];

/** VMAP 1.0.1 §2.3.1: `timeOffset`. Opportunities have a position of their own. */
function requestedAt(offset: Exclude<Offset, { kind: 'position' }>, { duration }: Title): Flicks {
  switch (offset.kind) {
    case 'start':
      return flicks(0);
    case 'end':
      return duration;
    case 'time':
      return offset.at;
    case 'percent':
      return flicks(Math.round((duration * offset.percent) / 100));
  }
}

function atTime(requested: Flicks, points: TitlePoints, seconds: number, source: number): RequestedBreak {
  const at = points.nearest(requested);
  const { warning } = moveWarning(requested, at);
  const warnings = warning === undefined ? [] : [warning];
  return { origin, at, requested, duration: seconds, isOpen: true, warnings, sources: [source] };
}

function atOpportunity(known: Opportunity, source: number): RequestedBreak {
  const { at, until, requested, duration, isOpen, maxAds } = known;
  const optional = withoutUndefined({ until, isOpen, maxAds });
  return { origin, at, requested, duration, warnings: [], sources: [source], ...optional };
}

/** The times after the first one at which a break is repeated (VMAP 1.0.1 §2.3.1: `repeatAfter`). */
function repetitions(first: Flicks, repeatAfter: Flicks | undefined, end: Flicks): Flicks[] {
  if (repeatAfter === undefined || repeatAfter <= 0) return [];
  const times: Flicks[] = [];
  for (let at = first + repeatAfter; at < end && times.length < MAX_BREAKS; at += repeatAfter) times.push(flicks(at));
  return times;
}

/**
 * @param breakDuration seconds that are requested for a break; its ads are not limited to them
 * @param fromCues what `#n` refers to if the manifests of the content mark no breaks
 * @returns sources are indexes into `vmapBreaks`
 */
export function planVmap(
  title: Title,
  vmapBreaks: readonly VmapBreak[],
  breakDuration?: number,
  fromCues: readonly Opportunity[] = [],
): SourcedPlan {
  const seconds = breakDuration ?? DEFAULT_BREAK_DURATION;
  const usesMarkers = hasMarkers(title) && vmapBreaks.some(({ timeOffset: { kind } }) => kind === 'position');
  const opportunities = usesMarkers ? planMarkers(title, breakDuration).breaks : fromCues;
  const points = titlePoints(title);
  const requested: RequestedBreak[] = [];
  const refused: RefusedBreak[] = [];
  vmapBreaks.forEach(({ timeOffset, breakTypes, repeatAfter, id }, source) => {
    const name = `The VMAP break ${id ?? `number ${source + 1}`}`;
    const refuse = (code: DropCode, text: string, at?: Flicks): void => {
      refused.push({ origin, ...(at === undefined ? {} : { requested: at }), code, text, sources: [source] });
    };
    const known = timeOffset.kind === 'position' ? opportunities[timeOffset.number - 1] : undefined;
    const at = timeOffset.kind === 'position' ? known?.requested : requestedAt(timeOffset, title);
    if (!breakTypes.includes('linear')) {
      const types = breakTypes.join(', ');
      refuse('NOT_LINEAR', `${name} has the type ${types}; only linear breaks can be inserted.`, at);
    } else if (at === undefined) {
      const count = opportunities.length;
      const text = `${name} refers to opportunity ${(timeOffset as { number: number }).number}; the content has ${count}.`;
      refuse('UNKNOWN_POSITION', text);
    } else if (at > title.duration + PAST_THE_END) {
      const [position, end] = [at, title.duration].map((time) => flicksToSeconds(time).toFixed(1));
      refuse('PAST_THE_END', `${name} at ${position} s is past the end of the content at ${end} s.`, at);
    } else if (requested.length >= MAX_REQUESTED) {
      refuse('TOO_MANY_BREAKS', `${name} is not examined, because the document has too many breaks.`, at);
    } else {
      requested.push(known === undefined ? atTime(at, points, seconds, source) : atOpportunity(known, source));
      const again = repetitions(at, repeatAfter, title.duration);
      requested.push(...again.map((time) => atTime(time, points, seconds, source)));
    }
  });
  return arrangeBreaks(requested, refused);
}
