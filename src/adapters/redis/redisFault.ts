// SPDX-License-Identifier: Apache-2.0
// Translates faults of Redis into errors for clients: status 503 with a reason. Messages contain no addresses and no passwords.
import { AppError } from '../../errors.ts';

const knownFaults: readonly { readonly message: RegExp; readonly reason: string }[] = [
  { message: /^OOM /, reason: 'The session store has no memory left.' },
  { message: /^MISCONF /, reason: 'The session store cannot write to its disk.' },
  { message: /^(READONLY|MASTERDOWN) /, reason: 'The session store is read-only: a replica has not taken over yet.' },
  { message: /^NOREPLICAS /, reason: 'The session store has too few replicas.' },
  { message: /^(NOAUTH|WRONGPASS|NOPERM) /, reason: 'The session store rejects the credentials of REDIS_URL.' },
  { message: /^LOADING /, reason: 'The session store is loading its data.' },
  { message: /^CLUSTERDOWN /, reason: 'A part of the session store has no master.' },
];
const UNREACHABLE = 'The session store does not respond. Try again shortly.';
const unreachable =
  /^(Command timed out|Socket timeout|Connection is closed|Stream isn't writeable|Failed to refresh slots|Too many Cluster redirections|Reached the max retries|All keys in the pipeline|Cluster isn't ready|None of startup nodes)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

/** @returns UNAVAILABLE with a reason for a fault of the store itself; any other error unchanged */
export function translateRedisFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const known = knownFaults.find(({ message }) => message.test(error.message));
  if (known !== undefined) return new AppError('UNAVAILABLE', known.reason, { part: 'store', cause: error });
  return unreachable.test(error.message) ? new AppError('UNAVAILABLE', UNREACHABLE, { cause: error }) : error;
}

/** The node does not have the keys any more, or cannot serve them at the moment: the client sends the call to another one. */
export const isMoved = (error: Error): boolean =>
  isDivided(error) || /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|READONLY|LOADING|MASTERDOWN) /.test(error.message);

/** ioredis has not sent a pipeline, because its keys are on different nodes since the last change of the slots. */
export const isDivided = (error: Error): boolean => error.message.startsWith('All keys in the pipeline should belong');

export const hasNoScript = (error: Error): boolean => error.message.startsWith('NOSCRIPT ');
