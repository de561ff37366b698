// SPDX-License-Identifier: Apache-2.0
// Pages of lists that are newest first: the cursor is the number of the last row.
import { rejectCursor } from '../../../http/admin/request/readListing.ts';

/** @throws {AppError} VALIDATION_ERROR */
export function readCursor(text: string | undefined): { readonly before?: number } {
  if (text === undefined || text === '') return {};
  if (!/^\d{1,15}$/.test(text)) rejectCursor(text);
  return { before: Number(text) };
}

export const cursorDoc = { headers: { 'x-next-cursor': 'Cursor of the next page. Empty on the last page.' } };

/** @param rows one more than a page, if there are more pages */
export function pageOf<Row extends { readonly seq: number }>(rows: readonly Row[], limit: number) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, headers: { 'x-next-cursor': String(last?.seq ?? '') } };
}
