// SPDX-License-Identifier: Apache-2.0
// Reads rows of numbers, such as the borders of segments. Outside of a row there is NaN, with which every comparison is false.

export const numberAt = (row: ArrayLike<number>, index: number): number => row[index] ?? Number.NaN;
export const firstNumber = (row: ArrayLike<number>): number => numberAt(row, 0);
export const lastNumber = (row: ArrayLike<number>): number => numberAt(row, row.length - 1);
