// SPDX-License-Identifier: Apache-2.0
// The records of a presentation's breaks, for traces, feeds and beacons. Pure: the start of a break follows from the ads of all
// breaks before it.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord, type RecordedPlace } from '../../ads/record/buildBreakRecord.ts';
import { type Flicks, flicks, type Millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { BreakPlan } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/breakPositions.ts';
import { contentTimeOf } from '../../vod/contentClock.ts';
import type { Presentation } from '../../vod/layOut.ts';
import { streamTimeOf } from '../../vod/resumeTime.ts';
import type { Title } from '../../vod/title.ts';
import type { FittedBreak } from './fitBreaks.ts';
import { DOCUMENT_ID } from './requestVmap.ts';

export type RecordedPlanned = { readonly place: RecordedPlace; readonly record: BreakRecord };

/**
 * @param zero the instant of the presentation's start
 * @param document the response that named the breaks
 */
export function recordBreaks(
  title: Title,
  plan: BreakPlan,
  fitted: readonly FittedBreak[],
  presentation: Presentation,
  zero: Millis,
  document?: BreakRecordParts,
): RecordedPlanned[] {
  const start: Instant = { millis: zero, rest: flicks(0) };
  const rate = title.ladder.frameRate;
  const startOf = (content: Flicks): Instant => after(start, streamTimeOf(presentation, content));
  const positions = breakPositions(plan.breaks, title.duration);
  const shown = fitted.map(({ planned, parts }, index): RecordedPlanned => {
    const { id, at } = planned;
    const contentTime = contentTimeOf(plan, at);
    const placed = presentation.breaks.find((one) => one.id === id);
    const from = placed === undefined ? startOf(contentTime) : after(start, placed.streamTime);
    const place = { id, start: from, rate, position: positions[index]! };
    return { place, record: buildBreakRecord(place, parts) };
  });
  const dropped = plan.dropped.map((one): RecordedPlanned => {
    const at = flicks(Math.min(one.requested ?? 0, title.duration));
    const place = { id: one.id, start: startOf(contentTimeOf(plan, at)), rate };
    return { place, record: buildBreakRecord(place, { tried: [], reason: { code: one.code, text: one.text } }) };
  });
  const first = document === undefined ? [] : [{ id: DOCUMENT_ID, start, rate }];
  return [...first.map((place) => ({ place, record: buildBreakRecord(place, document!) })), ...shown, ...dropped];
}
