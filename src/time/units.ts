// SPDX-License-Identifier: Apache-2.0

// The units of time, all integers: the product does not use floating-point seconds. Converts between units without
// losing a tick. Clocks and timers are in clock.ts.

declare const unit: unique symbol;

/** Wall-clock time: milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number & { readonly [unit]: 'Millis' };
/** 1/705,600,000 s: all common frame rates and 90, 48 and 44.1 kHz ticks are integers. */
export type Flicks = number & { readonly [unit]: 'Flicks' };
/** A media time in the timescale of one rendition. */
type Ticks = number & { readonly [unit]: 'Ticks' };

/** A frame rate of `n / d` frames a second, e.g. 30000/1001. */
export type FrameRate = { readonly n: number; readonly d: number };

export const FLICKS_PER_SECOND = 705_600_000;
export const FLICKS_PER_MILLI = 705_600;

/** @throws an error if `value` is not a safe integer, which is a bug */
function whole(value: number, name: string): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a safe integer; got ${value}.`);
  return value;
}

export const millis = (value: number): Millis => whole(value, 'Millis') as Millis;
export const flicks = (value: number): Flicks => whole(value, 'Flicks') as Flicks;
const ticks = (value: number): Ticks => whole(value, 'Ticks') as Ticks;

/** `value · numerator / denominator`, rounded to the nearest integer, without overflow for media times. */
function scale(value: number, numerator: number, denominator: number): number {
  const quotient = Math.floor(value / denominator);
  const rest = value - quotient * denominator;
  return quotient * numerator + Math.round((rest * numerator) / denominator);
}

export const ticksToFlicks = (value: number, timescale: number): Flicks =>
  flicks(scale(value, FLICKS_PER_SECOND, timescale));

export const flicksToTicks = (value: Flicks, timescale: number): Ticks =>
  ticks(scale(value, timescale, FLICKS_PER_SECOND));

export const secondsToFlicks = (seconds: number): Flicks => flicks(Math.round(seconds * FLICKS_PER_SECOND));
/** For messages and JSON responses only. */
export const flicksToSeconds = (value: Flicks): number => value / FLICKS_PER_SECOND;

export const flicksToMillis = (value: number): Millis => millis(Math.round(value / FLICKS_PER_MILLI));
export const millisToFlicks = (value: number): Flicks => flicks(value * FLICKS_PER_MILLI);
export const flicksToMicros = (value: Flicks): number => Math.round((value * 10) / 7056);

/** The length of `count` frames: exact for common frame rates, otherwise rounded once. */
export const framesToFlicks = (count: number, rate: FrameRate): Flicks => {
  const perFrame = (FLICKS_PER_SECOND * rate.d) / rate.n;
  return flicks(Number.isInteger(perFrame) ? count * perFrame : Math.round(count * perFrame));
};

/**
 * The length of `times` repetitions, in milliseconds and a rest in flicks. A total in flicks would exceed the safe
 * integers after 147 days, and channels run longer.
 */
export function repeat(length: Flicks, times: number): { millis: Millis; rest: Flicks } {
  const perTime = Math.floor(length / FLICKS_PER_MILLI);
  const restPerTime = length - perTime * FLICKS_PER_MILLI;
  const restMillis = Math.floor((restPerTime * times) / FLICKS_PER_MILLI);
  return {
    millis: millis(perTime * times + restMillis),
    rest: flicks(restPerTime * times - restMillis * FLICKS_PER_MILLI),
  };
}

// Instants as ISO 8601 text. A manifest of a film has a hundred of them for each viewer, and with toISOString they take most of
// the time of writing it.

const MILLIS_PER_MINUTE = 60_000;

const SECONDS = Array.from({ length: 60 }, (_, value) => `${value}.`.padStart(3, '0'));
const MILLIS = Array.from({ length: 1000 }, (_, value) => `${value}Z`.padStart(4, '0'));

/** `2026-03-01T00:00:`, by minutes since 1970. */
const beginnings = new Map<number, string>();
const MAX_BEGINNINGS = 10_000;

function beginningOf(minute: number): string {
  const text = new Date(minute * MILLIS_PER_MINUTE).toISOString().slice(0, -7);
  if (beginnings.size >= MAX_BEGINNINGS) beginnings.clear();
  beginnings.set(minute, text);
  return text;
}

/** Like `Date.prototype.toISOString`, which cuts fractions of a millisecond off. */
export function isoText(at: Millis): string {
  const minute = Math.floor(at / MILLIS_PER_MINUTE);
  const rest = at - minute * MILLIS_PER_MINUTE;
  const second = Math.floor(rest / 1000);
  return (
    (beginnings.get(minute) ?? beginningOf(minute)) +
    ((SECONDS[second] ?? '') + (MILLIS[Math.floor(rest - 1000 * second)] ?? ''))
  );
}

/** `HH:MM:SS.mmm`; negative times are 0. */
export function clockText(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const digits = (value: number, width = 2): string => String(Math.floor(value)).padStart(width, '0');
  const [hours, minutes, seconds] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60];
  return `${digits(hours)}:${digits(minutes)}:${digits(seconds)}.${digits(whole % 1000, 3)}`;
}
