// SPDX-License-Identifier: Apache-2.0
// Times in the feed: each as an ISO 8601 duration and in seconds.
import type { Millis } from '../../time/units.ts';

export type Moment = {
  readonly startTime: string;
  readonly startTimeInSeconds: number;
  readonly duration: string;
  readonly durationInSeconds: number;
};

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
const isoDuration = (seconds: number): string => `${seconds < 0 ? '-' : ''}PT${Math.abs(rounded(seconds))}S`;

/**
 * @param startsAt milliseconds since 1970
 * @param duration seconds
 * @param zero the origin of presentation times
 */
export const momentOf = (startsAt: number, duration: number, zero: Millis): Moment => ({
  startTime: isoDuration((startsAt - zero) / 1000),
  startTimeInSeconds: rounded((startsAt - zero) / 1000),
  duration: isoDuration(duration),
  durationInSeconds: rounded(duration),
});
