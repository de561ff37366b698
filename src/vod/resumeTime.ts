// SPDX-License-Identifier: Apache-2.0
// Where playback of a resumed session starts.
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../time/units.ts';
import type { Presentation } from './layOut.ts';

/** The stream time of an instant of content, before a break at that position. @param contentTime flicks */
export function streamTimeOf({ breaks, contentDuration }: Presentation, contentTime: number): Flicks {
  const at = Math.min(Math.max(0, contentTime), contentDuration);
  return flicks(breaks.reduce((sum, one) => (one.contentTime < at ? sum + one.duration : sum), at));
}

/**
 * @param resumeAt seconds of content time
 * @returns the stream time at which playback starts; undefined if that is the start of the presentation
 */
export function resumeTime(presentation: Presentation, resumeAt: number | undefined): Flicks | undefined {
  if (resumeAt === undefined) return undefined;
  const first = presentation.breaks.find(({ id }) => id === presentation.resumeBreak);
  return first?.streamTime ?? streamTimeOf(presentation, Math.round(resumeAt * FLICKS_PER_SECOND));
}
