// What the codes of SQLite's and PostgreSQL's errors say.

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** A unique key is there already (PostgreSQL, appendix A: unique_violation). */
export const isUniqueViolation = (error: unknown): boolean =>
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE', '23505'].includes(codeOf(error));
