// SPDX-License-Identifier: Apache-2.0
// Why the preview shows slate: from the trace of its session, or, until the trace has the break, from what is wrong on the channel.
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { DeepReadonly } from '../../../src/http/contract/matching.ts';
import type { ChannelProblem } from '../../../src/http/contract/statusContract.ts';

type Break = DeepReadonly<Pick<TracedBreak, 'startsAt' | 'duration' | 'slate' | 'reason' | 'ads' | 'content'>>;

/** `The ad server refused the connection.` → `the ad server refused the connection` */
const clause = (text: string): string =>
  (/^[A-Z][a-z]* /.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text).replace(/\.$/, '');

/** Whether an ad of the break is on the picture at an instant. */
const showsAd = ({ ads }: Break, at: number): boolean =>
  ads.some(({ outcome, startsAt, shown, duration }) => {
    if (outcome !== 'stitched' || startsAt === undefined) return false;
    const start = Date.parse(startsAt);
    return start <= at && at < start + (shown ?? duration) * 1000;
  });

function reasonOf({ reason, ads }: Break): string | undefined {
  const [skipped] = ads.filter(({ outcome }) => outcome === 'skipped');
  const isFilled = ads.some(({ outcome }) => outcome === 'stitched');
  if (reason !== undefined && !isFilled) return reason.text;
  if (skipped?.reason === undefined) return isFilled ? 'the ads do not fill the break' : undefined;
  return `${skipped.title ?? skipped.adId}: ${clause(skipped.reason.text)}`;
}

/**
 * @param at the position of the picture on the channel's clock, in milliseconds
 * @returns undefined if the picture does not show slate, as far as is known
 */
export function slateReason(
  breaks: readonly Break[],
  at: number,
  problems: readonly ChannelProblem[],
): string | undefined {
  const current = breaks.find(({ startsAt, duration }) => {
    const start = Date.parse(startsAt);
    return start <= at && at < start + duration * 1000;
  });
  if (current === undefined || current.slate === 0 || current.content !== undefined || showsAd(current, at)) {
    return undefined;
  }
  const text = reasonOf(current) ?? problems.find(({ kind }) => kind !== 'state')?.text;
  return text === undefined ? 'Slate' : `Slate: ${clause(text)}`;
}
