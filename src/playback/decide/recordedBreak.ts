// SPDX-License-Identifier: Apache-2.0
// A decision as reports count it.
import type { Decision } from '../../ads/placement/decision.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { RecordedPlace } from '../../ads/record/buildBreakRecord.ts';
import { millis, millisToFlicks } from '../../time/units.ts';
import { after } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { AdChannel } from './adChannel.ts';

export type RecordedBreak = {
  readonly airing: AdChannel;
  /** `frames` is absent for an inserted break, which is as long as what it shows. */
  readonly place: Pick<RecordedPlace, 'start' | 'frames'>;
  readonly decision: Pick<Decision, 'joined' | 'ads' | 'intro' | 'outro'>;
  readonly record: BreakRecord;
};

/** By the clock, for reports. */
export const placeOf = ({ programme }: Airing, { span }: OwnBreak): RecordedBreak['place'] => ({
  start: after(span.placed.start, millisToFlicks(millis(programme.lag))),
  frames: span.break!.frames,
});
