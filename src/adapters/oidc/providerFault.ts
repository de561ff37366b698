// SPDX-License-Identifier: Apache-2.0
// Errors of an OpenID Connect provider, without what they were caused by: causes contain responses with tokens.
import * as oidc from 'openid-client';
import type { ProviderFault } from '../../tenants/ports.ts';
import { isTransientStatus } from '../../time/transientStatus.ts';

const TIMED_OUT: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** The status of a response that is not what the protocol expects. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof oidc.ResponseBodyError) return error.status;
  const cause = error instanceof oidc.ClientError ? error.cause : undefined;
  return cause instanceof Response ? cause.status : undefined;
}

export function faultOf(error: unknown): ProviderFault {
  // `fetch` rejects with a TypeError that has the cause.
  if (error instanceof TypeError) return error.cause === undefined ? 'rejected' : 'unavailable';
  if (error instanceof oidc.ClientError && TIMED_OUT.has(error.code)) return 'unavailable';
  // RFC 6749 §5.2
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return 'ended';
  const status = statusOf(error);
  return status !== undefined && isTransientStatus(status) ? 'unavailable' : 'rejected';
}

/** For the log. */
export function describeFault(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return `error "${error.error.slice(0, 100)}"`;
  if (error instanceof TypeError) {
    const { code } = (error.cause ?? {}) as { code?: unknown };
    return `no connection${typeof code === 'string' ? ` (${code})` : ''}`;
  }
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : 'unknown';
  return `${message}${status === undefined ? '' : ` (status ${status})`}`;
}
