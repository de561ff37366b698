// SPDX-License-Identifier: Apache-2.0
// The breaks of a viewer who resumes a title at a bookmark.
import type { VodChannel } from '../channels/channel.ts';
import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import { MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';
import type { BreakPlan, DroppedBreak, PlannedBreak } from './breakPlan.ts';
import { contentTimeOf, sourceTimeOf } from './contentClock.ts';
import { type Title, titlePoints } from './title.ts';

export type ResumePolicy = NonNullable<VodChannel['resumePolicy']>;

const isInsertion = ({ until }: PlannedBreak): boolean => until === undefined;
const tenths = (time: Flicks): string => flicksToSeconds(time).toFixed(1);

/**
 * @param resumeAt seconds of content time; past the end, it is the end
 * @param policy `skip` leaves out the breaks before it. `play` moves the last of them to it, so that the viewer sees ads
 * first. Replaced ranges keep their place with both: their content is not part of content time
 */
export function applyResume(plan: BreakPlan, title: Title, resumeAt: number, policy: ResumePolicy): BreakPlan {
  if (!(resumeAt > 0)) return plan;
  const end = contentTimeOf(plan, title.duration);
  const content = resumeAt >= flicksToSeconds(end) ? end : secondsToFlicks(resumeAt);
  const source = sourceTimeOf(plan, content);
  return policy === 'skip' ? withoutEarlier(plan, source) : withLastMoved(plan, title, source);
}

/** The break at the bookmark, with which playback starts. @param plan to which the bookmark was applied */
export function resumeBreakOf(plan: BreakPlan, title: Title, resumeAt: number): string | undefined {
  if (!(resumeAt > 0)) return undefined;
  const source = sourceTimeOf(plan, secondsToFlicks(Math.min(resumeAt, flicksToSeconds(title.duration))));
  const last = plan.breaks.findLast((one) => isInsertion(one) && one.at <= source);
  return last !== undefined && last.at >= titlePoints(title).atOrBefore(source) ? last.id : undefined;
}

function withoutEarlier({ breaks, dropped }: BreakPlan, source: Flicks): BreakPlan {
  const isSkipped = (one: PlannedBreak): boolean => isInsertion(one) && one.at < source;
  const text = `The viewer resumes at ${tenths(source)} s, after this break, and the channel's "resumePolicy" is "skip".`;
  const skipped = breaks.filter(isSkipped).map(({ id, origin, requested }): DroppedBreak => {
    return { id, origin, requested, code: 'SKIPPED_BY_RESUME', text };
  });
  return { breaks: breaks.filter((one) => !isSkipped(one)), dropped: [...dropped, ...skipped] };
}

/** Whether a break at `at` leaves no short piece of content to the other breaks (breakPlan.ts). */
const isFree = (others: readonly PlannedBreak[], at: Flicks): boolean =>
  others.every((other) => {
    const before = at - (other.until ?? other.at);
    return other.at - at >= MIN_CLIP_DURATION || before >= MIN_CLIP_DURATION || (before === 0 && !isInsertion(other));
  });

function withLastMoved(plan: BreakPlan, title: Title, source: Flicks): BreakPlan {
  const last = plan.breaks.findLast((one) => isInsertion(one) && one.at <= source);
  if (last === undefined) return plan;
  const others = plan.breaks.filter((one) => one !== last);
  const points = titlePoints(title);
  let at = points.atOrBefore(source);
  // The viewer sees the ads of the break that is there.
  if (others.some((other) => other.at === at)) return plan;
  while (at > last.at && !isFree(others, at)) at = points.atOrBefore(at - 1);
  if (at <= last.at) return plan;
  const warning = `the break is moved from ${tenths(last.at)} s to ${tenths(at)} s, where the viewer resumes`;
  const moved = { ...last, at: flicks(at), warnings: [...last.warnings, warning] };
  return { ...plan, breaks: [...others, moved].sort((a, b) => a.at - b.at) };
}
