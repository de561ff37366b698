// SPDX-License-Identifier: Apache-2.0
type Present<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** The columns that have a value, as fields that may be absent. */
export const present = <T extends object>(columns: T): Present<T> =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)) as Present<T>;
