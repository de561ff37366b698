// SPDX-License-Identifier: Apache-2.0

/** The query of a request: parameters without a value are left out. */
export const listQuery = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]])),
  ).toString();
