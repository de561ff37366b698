// SPDX-License-Identifier: Apache-2.0
// The cursor of a list in the order of time: the time of the last row of a page, in milliseconds, and its number.
import { fieldError } from '../../../errors.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { rejectQuery } from './readQuery.ts';

export type TimePlace = { readonly at: Millis; readonly seq: number };

export const writeTimeCursor = ({ at, seq }: TimePlace): string => `${at}.${seq}`;

/** @throws {AppError} VALIDATION_ERROR */
export function readTimeCursor(text: string | undefined): TimePlace | undefined {
  if (text === undefined) return undefined;
  const [, at, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined) {
    const message = `must be the x-next-cursor of the previous page; got ${JSON.stringify(text)}`;
    rejectQuery([fieldError('cursor', '/cursor', message)]);
  }
  return { at: millis(Number(at)), seq: Number(seq) };
}
