// SPDX-License-Identifier: Apache-2.0
// The two clocks of a VoD session: content time counts content only, stream time is what its player shows. The breaks are those
// of the response that opened the session, in order. All times are seconds.
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';

export type SessionBreak = NonNullable<OpenedSession['breaks']>[number];
export type Clock = Pick<SessionBreak, 'contentTime' | 'streamTime' | 'duration'>;

/** Times have microseconds. */
const TOLERANCE = 1e-5;

/** @returns at the position of a break, the start of the break */
export function streamTimeOf(contentTime: number, breaks: readonly Clock[]): number {
  const last = breaks.findLast((one) => one.contentTime < contentTime - TOLERANCE);
  return last === undefined ? contentTime : last.streamTime + last.duration + contentTime - last.contentTime;
}

/** @returns within a break, the position of the break */
export function contentTimeOf(streamTime: number, breaks: readonly Clock[]): number {
  const last = breaks.findLast((one) => one.streamTime <= streamTime);
  return last === undefined ? streamTime : last.contentTime + Math.max(0, streamTime - last.streamTime - last.duration);
}

/** The break that plays at an instant of the stream; undefined during content. */
export function breakAt<T extends Clock>(streamTime: number, breaks: readonly T[]): T | undefined {
  const last = breaks.findLast((one) => one.streamTime <= streamTime);
  return last !== undefined && streamTime < last.streamTime + last.duration - TOLERANCE ? last : undefined;
}
