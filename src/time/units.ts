// The units of Midroll, all of them whole numbers: no float seconds live inside the product.
// What this file knows: how long a unit is and how to change between units without losing a tick.

declare const unit: unique symbol;

/** Wall-clock time: milliseconds since 1970-01-01T00:00:00Z. */
export type Millis = number & { readonly [unit]: 'Millis' };
/** A length (or an offset) of 1/705,600,000 s: every common frame, 90 kHz, 48 kHz and 44.1 kHz tick is whole. */
export type Flicks = number & { readonly [unit]: 'Flicks' };
/** A media time in the timescale of one rendition. */
export type Ticks = number & { readonly [unit]: 'Ticks' };

/** A frame rate of `n / d` frames a second, e.g. 30000/1001. */
export type FrameRate = { readonly n: number; readonly d: number };

export const FLICKS_PER_SECOND = 705_600_000;
export const FLICKS_PER_MILLI = 705_600;

/** @throws a bug report when `value` is no whole number that a double can hold */
function whole(value: number, name: string): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be a safe whole number, got ${value}`);
  return value;
}

export const millis = (value: number): Millis => whole(value, 'Millis') as Millis;
export const flicks = (value: number): Flicks => whole(value, 'Flicks') as Flicks;
export const ticks = (value: number): Ticks => whole(value, 'Ticks') as Ticks;

/** `value · numerator / denominator`, rounded to the nearest whole number, without overflow for what media hold. */
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
/** For messages and JSON answers only. */
export const flicksToSeconds = (value: Flicks): number => value / FLICKS_PER_SECOND;

export const flicksToMillis = (value: number): Millis => millis(Math.round(value / FLICKS_PER_MILLI));
export const millisToFlicks = (value: number): Flicks => flicks(value * FLICKS_PER_MILLI);
export const flicksToMicros = (value: Flicks): number => Math.round((value * 10) / 7056);

/** `count` frames; exact for every common rate, rounded once from the total for odd ones. */
export const framesToFlicks = (count: number, rate: FrameRate): Flicks => {
  const perFrame = (FLICKS_PER_SECOND * rate.d) / rate.n;
  return flicks(Number.isInteger(perFrame) ? count * perFrame : Math.round(count * perFrame));
};

/**
 * `times` repetitions of `length`, as whole milliseconds and the rest in flicks. A product in flicks would leave the
 * safe integers after 147 days; a channel runs longer.
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
