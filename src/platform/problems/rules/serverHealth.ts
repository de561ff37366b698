// SPDX-License-Identifier: Apache-2.0
// Whether an ad server works for a channel, from one sign after the other. A refused connection is certain at once; a timeout or
// an error status can happen to a working server, so several in a row are needed. A server that fails now and then keeps
// its problem until it has worked for a while: neither the log nor an operator needs each change.
import type { AdServerFailure, AdServerSign } from '../../../playback/request/observeAdRequests.ts';
import { type Millis, millis } from '../../../time/units.ts';

export type ServerHealth = {
  /** The evidence of failures since the last success. */
  readonly weight: number;
  /** The first and the last failure. */
  readonly since: Millis;
  readonly lastAt: Millis;
  readonly failures: number;
  readonly adServer: string;
  readonly failure: AdServerFailure;
};

/** From this weight on, the server fails. */
const ENOUGH = 3;
/** Without further signs, nothing is known any more. */
export const FORGOTTEN_MS = 15 * 60_000;
/** A success this long after the last failure ends it. */
export const RECOVERS_MS = 10_000;

/** These say of the server, or of the settings, that no request can succeed. */
const certain: ReadonlySet<AdServerFailure['error']> = new Set([
  'badUrl',
  'egress',
  'noSuchHost',
  'unreachable',
  'refused',
  'tls',
  'resting',
]);

const weightOf = ({ error }: AdServerFailure): number => (certain.has(error) ? ENOUGH : 1);

export const isFailing = ({ weight }: Pick<ServerHealth, 'weight'>): boolean => weight >= ENOUGH;

/** @returns undefined if it works, as far as is known */
export function nextHealth(known: ServerHealth | undefined, sign: AdServerSign): ServerHealth | undefined {
  const { at, adServer, failure } = sign;
  const before = known !== undefined && at - known.lastAt < FORGOTTEN_MS ? known : undefined;
  if (failure === undefined) {
    return before !== undefined && isFailing(before) && at - before.lastAt < RECOVERS_MS ? before : undefined;
  }
  return {
    weight: Math.min(ENOUGH, (before?.weight ?? 0) + weightOf(failure)),
    since: before?.since ?? at,
    lastAt: millis(Math.max(at, before?.lastAt ?? 0)),
    failures: (before?.failures ?? 0) + 1,
    adServer,
    // Requests are suspended because of the failure before.
    failure: failure.error === 'resting' && before !== undefined ? before.failure : failure,
  };
}

const texts: Readonly<Record<AdServerFailure['error'], string>> = {
  badUrl: 'has no valid URL',
  egress: 'has an address that Midroll may not connect to',
  noSuchHost: 'has a host name that cannot be resolved',
  unreachable: 'cannot be reached',
  refused: 'refuses the connection',
  reset: 'closes the connection before it has responded',
  tls: 'has no valid certificate',
  timeout: 'does not respond in time',
  tooLarge: 'returns a response that is too large',
  redirects: 'redirects in circles, or too often',
  httpStatus: 'returns an error',
  garbage: 'does not return valid HTTP',
  resting: 'has failed several times in a row',
  failed: 'cannot be requested',
  invalid: 'returns no valid VAST',
};

/** A predicate whose subject is the server. */
export const failureText = ({ error, status }: AdServerFailure): string =>
  error === 'httpStatus' && status !== undefined ? `returns status ${status}` : texts[error];

/** Stored codes may be those of a newer version. */
export const isKnownError = (text: string): text is AdServerFailure['error'] => Object.hasOwn(texts, text);
