import type { CreativeFault } from '../../../ads/creative/creativeFault.ts';
import type { ProgramResult, ReadFailure } from '../../ports.ts';
import type { Refusal } from '../../source/presentation.ts';

/** Why media could not be made, in one plain sentence about the creative. */
export type Failure = {
  readonly failed: string;
  readonly fault: CreativeFault;
  /** Trying again soon would end the same way: the fault is in the creative or the ladder, not in the moment. */
  readonly isPermanent: boolean;
  /** It broke off on the way, which it may not once its parts are alike. */
  readonly canNormalize?: true;
};

export const isFailure = (value: object): value is Failure => 'failed' in value;

const GONE = new Set([404, 410]);
const notFound = (status: number | undefined): CreativeFault => (GONE.has(status ?? 0) ? 'NOT_FOUND' : 'NOT_FETCHED');

/** What it is to a creative that a read of its media failed. */
export function fetchFault({ error, status, isTooLarge }: Pick<ReadFailure, 'error' | 'status' | 'isTooLarge'>) {
  if (isTooLarge) return 'TOO_LARGE';
  if (error === 'notStored') return 'NO_ROOM';
  return error === 'timeout' ? 'TIMED_OUT' : notFound(status);
}

/** The same for a manifest, or what it lists. */
export function manifestFault({ code, status }: Pick<Refusal, 'code' | 'status'>): CreativeFault {
  if (code === 'TIMEOUT') return 'TIMED_OUT';
  if (code === 'ENCRYPTED') return 'ENCRYPTED';
  return code === 'NOT_FETCHED' ? notFound(status) : 'MANIFEST';
}

const DISK_IS_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** A program that failed on a creative, unless the disk was full or the system killed it, for want of memory as a rule. */
export function programFault(
  { code = '' }: Extract<ProgramResult, { ok: false }>,
  otherwise: CreativeFault,
): Pick<Failure, 'fault' | 'isPermanent'> {
  if (DISK_IS_FULL.has(code)) return { fault: 'NO_ROOM', isPermanent: false };
  if (code === 'SIGKILL') return { fault: 'BROKEN_OFF', isPermanent: false };
  return { fault: otherwise, isPermanent: true };
}

/** What was thrown while media were made. */
export const thrownFault = (error: unknown): CreativeFault =>
  DISK_IS_FULL.has((error as NodeJS.ErrnoException).code ?? '') ? 'NO_ROOM' : 'NOT_MADE';
