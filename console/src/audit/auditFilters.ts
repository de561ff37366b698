// SPDX-License-Identifier: Apache-2.0
// The filters of the audit page, which are the query of its URL.

import { givenOnly } from '../format/givenOnly.ts';
import { fromLocalText } from '../format/zonedTime.ts';
import { readQuery } from '../navigation/queryState.ts';

/** Times are ISO 8601 with a time zone, so that a link means the same times everywhere. */
export const noFilters = { actor: '', kind: '', id: '', text: '', from: '', to: '' };
export type AuditFilters = { readonly [Name in keyof typeof noFilters]: string };

/** Links of earlier versions contain times of the zone of their reader. */
function toIso(text: string): string {
  const time = fromLocalText(text) ?? Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

export function readFilters(query: string): AuditFilters {
  const filters = readQuery(query, noFilters);
  return { ...filters, from: toIso(filters.from), to: toIso(filters.to) };
}

/** The URL of the page. */
export function auditPath(filters: Partial<AuditFilters>): string {
  const query = new URLSearchParams(givenOnly(filters)).toString();
  return query === '' ? '/audit' : `/audit?${query}`;
}
