// SPDX-License-Identifier: Apache-2.0
// The filters of the audit page, which are the query of its URL.

export type AuditFilters = {
  readonly actor: string;
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** In the time zone of the browser, as in `datetime-local` fields. */
  readonly from: string;
  readonly to: string;
};

const names = ['actor', 'kind', 'id', 'text', 'from', 'to'] as const;

export function readFilters(query: string): AuditFilters {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as AuditFilters;
}

const queryOf = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

/** The URL of the page. */
export function auditPath(filters: Partial<AuditFilters>): string {
  const query = queryOf(filters);
  return query === '' ? '/audit' : `/audit?${query}`;
}

const toIso = (local: string): string => {
  const time = new Date(local).getTime();
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
};

/** The path of the request. @param cursor of the page; empty for the first one */
export const auditRequest = ({ from, to, ...rest }: AuditFilters, cursor: string, limit: number): string =>
  `/audit?${queryOf({ ...rest, from: toIso(from), to: toIso(to), cursor, limit: String(limit) })}`;
