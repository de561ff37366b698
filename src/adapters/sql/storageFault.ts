// SPDX-License-Identifier: Apache-2.0
// Translates faults of the database itself into errors for clients: status 503 with a reason, and the request may be
// retried. Errors that the caller caused are left as they are.
import { AppError } from '../../errors.ts';

/** `isLasting`: the fault may persist although a small write succeeds. */
type KnownFault = { readonly code: RegExp; readonly reason: string; readonly isLasting?: true };

/** Codes of SQLite (sqlite.org/rescode.html), of PostgreSQL (appendix A) and of sqliteFile.ts. */
const knownFaults: readonly KnownFault[] = [
  {
    code: /^SQLITE_FULL$/,
    reason: 'The database is full: the disk has no space left, or the file has reached its maximum size.',
    isLasting: true,
  },
  { code: /^SQLITE_READONLY/, reason: 'The database is read-only.', isLasting: true },
  { code: /^SQLITE_IOERR/, reason: 'The disk of the database reports an error.', isLasting: true },
  { code: /^SQLITE_(CORRUPT|NOTADB)/, reason: 'The database file is damaged.' },
  { code: /^SQLITE_(CANTOPEN|PERM|AUTH)/, reason: 'The database file cannot be opened.' },
  { code: /^SQLITE_(BUSY|LOCKED)/, reason: 'The database is locked by another process.' },
  { code: /^SQLITE_NOMEM/, reason: 'The database is out of memory.' },
  {
    code: /^WRITER_ENDED$/,
    reason: 'The writer thread of the database has ended and is being restarted. Try again shortly.',
  },
  { code: /^53100$/, reason: 'The disk of the database server is full.', isLasting: true },
  { code: /^53200$/, reason: 'The database server is out of memory.' },
  { code: /^53300$/, reason: 'The database server accepts no more connections.' },
  { code: /^53/, reason: 'The database server is out of resources.' },
  { code: /^25006$/, reason: 'The database server is read-only.', isLasting: true },
  { code: /^58/, reason: 'The database server reports a system error.', isLasting: true },
];
const UNREACHABLE = 'The database does not respond. Try again shortly.';
/** Connection lost, server starting or stopping, statement timeout (PostgreSQL, appendix A: classes 08 and 57). */
const unreachableCodes =
  /^(08|57P0|57014)|^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ENOENT|ETIMEDOUT|EPIPE|EHOSTUNREACH|EAI_AGAIN)$/;

/** Messages of the PostgreSQL driver that have no code. */
const unreachableMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error/i;

function faultOf({ code, message }: { code?: unknown; message?: unknown }): Omit<KnownFault, 'code'> | undefined {
  if (typeof code === 'string' && code !== '') {
    const known = knownFaults.find((fault) => fault.code.test(code));
    if (known !== undefined) return known;
    if (unreachableCodes.test(code)) return { reason: UNREACHABLE };
  }
  return typeof message === 'string' && unreachableMessages.test(message) ? { reason: UNREACHABLE } : undefined;
}

export type FaultMemory = ReturnType<typeof createFaultMemory>;

/** How long `recent` returns a fault. */
const RECENT_MS = 5000;

export function createFaultMemory() {
  let last: { readonly reason: string; readonly at: number } | undefined;
  return {
    /** @returns UNAVAILABLE with a reason for a fault of the database itself; any other error unchanged */
    translate(error: unknown): unknown {
      if (typeof error !== 'object' || error === null || error instanceof AppError) return error;
      const fault = faultOf(error);
      if (fault === undefined) return error;
      if (fault.isLasting) last = { reason: fault.reason, at: performance.now() };
      return new AppError('UNAVAILABLE', fault.reason, { part: 'store', cause: error });
    },
    /** The reason of a lasting fault in the last few seconds. */
    recent: (): string | undefined =>
      last !== undefined && performance.now() - last.at < RECENT_MS ? last.reason : undefined,
  };
}
