// SPDX-License-Identifier: Apache-2.0
import type { CreativeFault } from '../../../ads/creative/creative.ts';
import type { ProgramResult, ReadFailure } from '../../ports.ts';
import type { Refusal } from '../../source/presentation.ts';

export type Failure = {
  /** For operators: what is wrong with the creative, without a full stop. */
  readonly failed: string;
  readonly fault: CreativeFault;
  /** True if a retry would fail as well, because the fault is in the creative or the ladder. */
  readonly isPermanent: boolean;
  /** Set if the encode failed in a way that normalizing the source may prevent. */
  readonly canNormalize?: boolean;
};

export const isFailure = (value: object): value is Failure => 'failed' in value;

export const permanent = (fault: CreativeFault, failed: string): Failure => ({ failed, fault, isPermanent: true });
export const transient = (fault: CreativeFault, failed: string): Failure => ({ failed, fault, isPermanent: false });

const GONE = new Set([404, 410]);
const notFound = (status: number | undefined): CreativeFault => (GONE.has(status ?? 0) ? 'NOT_FOUND' : 'NOT_FETCHED');

export function fetchFault({ error, status, isTooLarge }: Pick<ReadFailure, 'error' | 'status' | 'isTooLarge'>) {
  if (isTooLarge) return 'TOO_LARGE';
  if (error === 'notStored') return 'NO_ROOM';
  return error === 'timeout' ? 'TIMED_OUT' : notFound(status);
}

/** The fault of a creative whose manifest, or a resource in it, could not be used. */
export function manifestFault({ code, status }: Pick<Refusal, 'code' | 'status'>): CreativeFault {
  if (code === 'TIMEOUT') return 'TIMED_OUT';
  if (code === 'ENCRYPTED') return 'ENCRYPTED';
  return code === 'NOT_FETCHED' ? notFound(status) : 'MANIFEST';
}

const DISK_IS_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The fault after a program failed: `otherwise`, unless the disk was full or the system killed it, usually for memory. */
export function programFault(
  { code = '' }: Extract<ProgramResult, { ok: false }>,
  otherwise: CreativeFault,
): Pick<Failure, 'fault' | 'isPermanent'> {
  if (DISK_IS_FULL.has(code)) return { fault: 'NO_ROOM', isPermanent: false };
  if (code === 'SIGKILL') return { fault: 'BROKEN_OFF', isPermanent: false };
  return { fault: otherwise, isPermanent: true };
}

/** The fault for an error that was thrown while media were made. */
export const thrownFault = (error: unknown): CreativeFault =>
  DISK_IS_FULL.has((error as NodeJS.ErrnoException).code ?? '') ? 'NO_ROOM' : 'NOT_MADE';
