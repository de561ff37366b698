// SPDX-License-Identifier: Apache-2.0
import { type Flicks, secondsToFlicks } from '../time/units.ts';

const pattern = /^P(?:0+Y)?(?:0+M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*)?|\.\d+)S)?)?$/;

/**
 * An xs:duration such as `PT1H2M3.5S`; undefined for any other text. Years and months have no fixed length, so they must
 * be zero (`P0Y0M0DT0H3M30.000S`).
 */
export function readDuration(text: string): Flicks | undefined {
  const trimmed = text.trim();
  const match = pattern.exec(trimmed);
  if (match === null || !/\d/.test(trimmed) || trimmed.endsWith('T')) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const whole = (days * 24 + hours) * 3600 + minutes * 60;
  const total = whole + seconds;
  // Flicks are safe integers up to 147 days.
  return total < 100 * 86_400 ? ((secondsToFlicks(whole) + secondsToFlicks(seconds)) as Flicks) : undefined;
}

/** Milliseconds as an xs:duration in seconds: 1500 → PT1.5S. */
export function writeDuration(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  const rest = millis - 1000 * seconds;
  if (rest === 0) return `PT${seconds}S`;
  const digits = rest % 100 === 0 ? 1 : rest % 10 === 0 ? 2 : 3;
  return `PT${seconds}.${String(1000 + rest).slice(1, 1 + digits)}S`;
}
