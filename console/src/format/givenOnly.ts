// SPDX-License-Identifier: Apache-2.0

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], '' | undefined> };

/** The values of a form or a query without those that are empty: optional fields of a request are omitted, not empty. */
export const givenOnly = <const Values extends object>(values: Values): Given<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined),
  ) as Given<Values>;
