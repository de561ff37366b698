// SPDX-License-Identifier: Apache-2.0
// Filters as parts of the address of a page. What has its default is left out, so that addresses stay short.

/** Names and defaults. */
export type QueryDefaults = Readonly<Record<string, string>>;

/** @param search a query without its question mark */
export function readQuery<Values extends QueryDefaults>(
  search: string,
  defaults: Values,
): { [Name in keyof Values]: string } {
  const query = new URLSearchParams(search);
  const values = Object.entries(defaults).map(([name, value]) => [name, query.get(name) ?? value]);
  return Object.fromEntries(values) as { [Name in keyof Values]: string };
}

/** The query with some values changed. Parameters that `defaults` does not name stay as they are. */
export function changeQuery<Values extends QueryDefaults>(
  search: string,
  defaults: Values,
  changed: Partial<Record<keyof Values & string, string>>,
): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) continue;
    if (value === defaults[name]) query.delete(name);
    else query.set(name, value);
  }
  return query.toString();
}
