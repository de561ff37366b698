// What a store says when it cannot store, in words for a client. These are nobody's fault who called: the request is
// answered with 503 and its reason, and may be sent again.
import { AppError } from '../../errors.ts';

/** `isLasting`: small writes may succeed all the same, so one that does proves nothing. */
type Told = { readonly test: RegExp; readonly reason: string; readonly isLasting?: true };

/** Codes of SQLite (sqlite.org/rescode.html), of PostgreSQL (appendix A), of the system, and of our own. */
const faults: readonly Told[] = [
  {
    test: /^SQLITE_FULL$/,
    reason: 'The database is full: its disk has no room left, or the file has reached its largest size.',
    isLasting: true,
  },
  { test: /^SQLITE_READONLY/, reason: 'The database is read-only.', isLasting: true },
  { test: /^SQLITE_IOERR/, reason: 'The disk of the database reports an error.', isLasting: true },
  { test: /^SQLITE_(CORRUPT|NOTADB)/, reason: 'The database file is damaged.' },
  { test: /^SQLITE_(CANTOPEN|PERM|AUTH)/, reason: 'The database file cannot be opened.' },
  { test: /^SQLITE_(BUSY|LOCKED)/, reason: 'Another process keeps the database locked.' },
  { test: /^SQLITE_NOMEM/, reason: 'The database is out of memory.' },
  { test: /^WRITER_ENDED$/, reason: 'The thread that writes the database has ended; another one is started.' },
  { test: /^53100$/, reason: 'The disk of the database server is full.', isLasting: true },
  { test: /^53200$/, reason: 'The database server is out of memory.' },
  { test: /^53300$/, reason: 'The database server takes no more connections.' },
  { test: /^53/, reason: 'The database server is out of resources.' },
  { test: /^25006$/, reason: 'The database server is read-only.', isLasting: true },
  { test: /^58/, reason: 'The database server reports a system error.', isLasting: true },
];
const AWAY = 'The database does not respond. Try again shortly.';
/** Connection lost, server starting or stopping, statement timeout (PostgreSQL, appendix A: classes 08, 57). */
const awayCodes =
  /^(08|57P0|57014)|^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ENOENT|ETIMEDOUT|EPIPE|EHOSTUNREACH|EAI_AGAIN)$/;

/** Messages of the driver of PostgreSQL that come without a code. */
const awayMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error/i;

function toldOf({ code, message }: { code?: unknown; message?: unknown }): Omit<Told, 'test'> | undefined {
  if (typeof code === 'string' && code !== '') {
    const known = faults.find(({ test }) => test.test(code));
    if (known !== undefined) return known;
    if (awayCodes.test(code)) return { reason: AWAY };
  }
  return typeof message === 'string' && awayMessages.test(message) ? { reason: AWAY } : undefined;
}

export type FaultMemory = {
  /** @returns a fault of the store itself as UNAVAILABLE with its reason; anything else as it came */
  note(error: unknown): unknown;
  /** Why something could not be stored a moment ago. */
  recent(): string | undefined;
};

/** Milliseconds for which a fault is held against the store. */
const REMEMBERED = 5000;

export function createFaultMemory(): FaultMemory {
  let last: { readonly reason: string; readonly at: number } | undefined;
  return {
    note(error) {
      if (typeof error !== 'object' || error === null || error instanceof AppError) return error;
      const told = toldOf(error);
      if (told === undefined) return error;
      if (told.isLasting) last = { reason: told.reason, at: performance.now() };
      return new AppError('UNAVAILABLE', told.reason, undefined, { cause: error });
    },
    recent: () => (last !== undefined && performance.now() - last.at < REMEMBERED ? last.reason : undefined),
  };
}
