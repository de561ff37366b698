// SPDX-License-Identifier: Apache-2.0
/** Ids in one statement. */
const MAX_IDS = 500;

/** Splits values into chunks of at most `size`, because a database limits the parameters of a statement. */
export function inChunks<Value>(values: readonly Value[], size = MAX_IDS): Value[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}
