// SPDX-License-Identifier: Apache-2.0
// The entity tag of a version of a record, as responses state it and If-Match requires it. Lists contain what it is made of.

/** A strong tag. It contains the creation time because an id can be used again after a record was deleted. */
export const tagOf = (createdAt: string, version: number): string =>
  `"${Date.parse(createdAt).toString(36)}.${version}"`;
