// SPDX-License-Identifier: Apache-2.0
// Recognizes the violation of a unique key in the errors of both databases.

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** SQLite: extended result codes (sqlite.org/rescode.html). PostgreSQL: 23505, unique_violation (appendix A). */
export const isUniqueViolation = (error: unknown): boolean =>
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(codeOf(error));

/** @returns false if a unique value is in use, so that nothing was stored */
export async function isStoredOnce(storing: Promise<unknown>): Promise<boolean> {
  try {
    await storing;
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
