// SPDX-License-Identifier: Apache-2.0
// The parameters of a list, and the cursor of its next page.
import type { ListCursor, SortField } from '../../../channels/ports.ts';
import { fieldError } from '../../../errors.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { rejectQuery } from './readQuery.ts';

type Sort<Field extends string> = { readonly field: Field; readonly isDescending: boolean };

/** @param text validated by the schema of the query */
export function readSort<Field extends string>(text: string | undefined): Sort<Field> {
  const given = text ?? '-createdAt';
  const isDescending = given.startsWith('-');
  return { field: (isDescending ? given.slice(1) : given) as Field, isDescending };
}

/** The order is part of a cursor: with another order, it would be another position. */
const write = (sort: Sort<string>, { key, seq }: ListCursor): string =>
  Buffer.from(JSON.stringify([sort.field, sort.isDescending, key, seq])).toString('base64url');

function parse(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** @throws {AppError} VALIDATION_ERROR if the text is not a cursor of a list with this order */
export function readListCursor(text: string | undefined, sort: Sort<string>): ListCursor | undefined {
  if (text === undefined) return undefined;
  const [field, isDescending, key, seq] = parse(text);
  const isKey = key === null || (typeof key === 'string' && !key.includes('\0'));
  const isMatching = field === sort.field && isDescending === sort.isDescending;
  if (isMatching && isKey && Number.isSafeInteger(seq)) return { key: key as string | null, seq: seq as number };
  const message = `must be the x-next-cursor of the previous page of the same list; got ${JSON.stringify(text.slice(0, 60))}`;
  rejectQuery([fieldError('cursor', '/cursor', message)]);
  return undefined;
}

type GivenPlace = { readonly offset: number; readonly limit: number; readonly sort?: string; readonly cursor?: string };

/** The part of a list of playlists or channels that a query requests. */
export function readPlace({ offset, limit, sort: text, cursor }: GivenPlace) {
  const sort = readSort<SortField>(text);
  const after = readListCursor(cursor, sort);
  return { offset, limit, sort, ...(after ? { after } : {}) };
}

type TimePlace = { readonly at: Millis; readonly seq: number };

export const writeTimeCursor = ({ at, seq }: TimePlace): string => `${at}.${seq}`;

/** @throws {AppError} VALIDATION_ERROR */
export function rejectCursor(text: string): void {
  const message = `must be the x-next-cursor of the previous page; got ${JSON.stringify(text)}`;
  rejectQuery([fieldError('cursor', '/cursor', message)]);
}

/** @throws {AppError} VALIDATION_ERROR */
export function readTimeCursor(text: string | undefined): TimePlace | undefined {
  if (text === undefined) return undefined;
  const [, at, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined) rejectCursor(text);
  return { at: millis(Number(at)), seq: Number(seq) };
}

/** The headers of a page. */
export const pageHeaders = (
  sort: Sort<string>,
  { total, next }: { readonly total: number; readonly next?: ListCursor | undefined },
): Record<string, string> => ({
  'x-total-count': String(total),
  ...(next ? { 'x-next-cursor': write(sort, next) } : {}),
});

/** The documentation of these headers. */
export const totalDocs = { headers: { 'x-total-count': 'Number of items on all pages.' } } as const;
export const pageHeaderDocs = {
  ...totalDocs,
  optionalHeaders: { 'x-next-cursor': 'Cursor of the next page. Absent if the page is not full.' },
} as const;
