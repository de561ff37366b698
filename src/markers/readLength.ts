// SPDX-License-Identifier: Apache-2.0
import { MPEG_TIMESCALE } from '../time/mpegClock.ts';
import { type Flicks, secondsToFlicks, ticksToFlicks } from '../time/units.ts';

/** The longest length of a break, in seconds; anything longer is a wrong unit. */
const MAX_SECONDS = 100_000;

/** Seconds, or an xs:duration such as `PT30S`. @returns undefined for anything else */
export function readLength(text: string | undefined): Flicks | undefined {
  const value = text?.trim().replace(/^"|"$/g, '') ?? '';
  if (/^(\d{1,9}(\.\d{0,20})?|\.\d{1,20})$/.test(value)) return ofSeconds(Number(value));
  const match = /^PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{0,20})?)S)?$/i.exec(value);
  if (match === null || value.length < 4) return undefined;
  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number];
  return ofSeconds(hours * 3600 + minutes * 60 + seconds);
}

/** From ticks of 90 kHz. */
export const lengthOfTicks = (ticks: number): Flicks | undefined =>
  ticks > MAX_SECONDS * MPEG_TIMESCALE ? undefined : ticksToFlicks(ticks, MPEG_TIMESCALE);

export const ofSeconds = (seconds: number): Flicks | undefined =>
  seconds <= MAX_SECONDS ? secondsToFlicks(seconds) : undefined;
