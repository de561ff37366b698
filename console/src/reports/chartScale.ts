// SPDX-License-Identifier: Apache-2.0
// Where a chart has its ticks, and the paths of its lines.
import { fromLocalText, localDate, localText } from '../format/zonedTime.ts';

type Values = readonly (number | null)[];
export type Point = readonly [x: number, y: number] | null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1 January 1970 was a Thursday. Steps of weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
];
const monthSteps = [1, 2, 3, 6];

/** The smallest of 1, 2, 5, 10, 20, 50, … that is not below a value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((each) => each * power >= value) ?? 10) * power;
}

/**
 * Round values from 0 to the top of the scale, at most seven.
 * @param unit the unit of a report field
 */
export function valueTicks(values: Values, unit: string): number[] {
  const top = values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0) || 1;
  // Closer ticks would have the same text, or be between numbers that can be counted.
  const smallest = unit === 'ratio' ? 0.001 : values.every((value) => Number.isInteger(value ?? 0)) ? 1 : 0.01;
  const step = Math.max(smallest, roundStep(top / 5));
  // Divisions such as 0.3 / 0.1 are not exact.
  const count = Math.ceil(top / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/**
 * Times that are round in the selected zone.
 * @param from milliseconds
 * @param to milliseconds
 * @param most about how many there may be
 */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step = timeSteps.find((each) => (to - from) / each <= most);
  const times = step === undefined ? monthStarts(from, to, most) : roundTimes(from, to, step);
  // Clocks that are put forward show neither of two texts: both are the same instant.
  return [...new Set(times)].filter((time) => time >= from && time <= to);
}

function roundTimes(from: number, to: number, step: number): number[] {
  const offset = Date.parse(`${localText(from)}Z`) - Math.floor(from / 1000) * 1000;
  const first = Math.ceil((from + offset - FIRST_MONDAY) / step) * step + FIRST_MONDAY;
  // When clocks change, steps up to an hour stay round; longer ones follow the clock.
  const last = to + offset + HOUR;
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => {
    const local = first + index * step;
    return step <= HOUR ? local - offset : (fromLocalText(new Date(local).toISOString().slice(0, 19)) ?? Number.NaN);
  });
}

function monthStarts(from: number, to: number, most: number): number[] {
  const months = (to - from) / (30 * DAY);
  const step = monthSteps.find((each) => months / each <= most) ?? 12;
  const [year = 0, month = 1] = localDate(from).split('-').map(Number);
  const first = Math.ceil((year * 12 + month - 1) / step) * step;
  return Array.from({ length: Math.ceil(months / step) + 1 }, (_, index) => {
    const number = first + index * step;
    const text = `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`;
    return fromLocalText(text) ?? Number.NaN;
  });
}

/** The index of the time that is closest. */
export const nearestIndex = (times: readonly number[], time: number): number =>
  times.reduce((best, each, index) => (Math.abs(each - time) < Math.abs((times[best] ?? 0) - time) ? index : best), 0);

const place = ([x, y]: readonly [number, number]): string => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;

/** The path of a line that is interrupted where there is no value. */
export const linePath = (points: readonly Point[]): string =>
  points.map((point, index) => (point === null ? '' : `${points[index - 1] ? 'L' : 'M'}${place(point)}`)).join('');

/** A path of lines without a length: with round ends, they are dots. */
export const dotPath = (points: readonly Point[]): string =>
  points.map((point) => (point === null ? '' : `M${place(point)}h0`)).join('');
