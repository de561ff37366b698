// SPDX-License-Identifier: Apache-2.0

/** Statements in a row. What remains is deleted at the next time. */
const MAX_STATEMENTS = 100;

/** Deletes rows in bounded statements. @param removeSome @returns whether there are more */
export async function repeat(removeSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < MAX_STATEMENTS; count += 1) if (!(await removeSome())) return;
}
