// SPDX-License-Identifier: Apache-2.0
// The filters of the audit page, which are the query of its URL.

import { givenOnly } from '../format/givenOnly.ts';
import { fromLocalText } from '../format/zonedTime.ts';

export type AuditFilters = {
  readonly actor: string;
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** ISO 8601 with a time zone, so that a link means the same times everywhere; empty for any. */
  readonly from: string;
  readonly to: string;
};

const names = ['actor', 'kind', 'id', 'text', 'from', 'to'] as const;

/** Links of earlier versions contain times of the zone of their reader. */
function toIso(text: string): string {
  const time = fromLocalText(text) ?? Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

export function readFilters(query: string): AuditFilters {
  const parameters = new URLSearchParams(query);
  const filters = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as AuditFilters;
  return { ...filters, from: toIso(filters.from), to: toIso(filters.to) };
}

/** The URL of the page. */
export function auditPath(filters: Partial<AuditFilters>): string {
  const query = new URLSearchParams(givenOnly(filters)).toString();
  return query === '' ? '/audit' : `/audit?${query}`;
}
