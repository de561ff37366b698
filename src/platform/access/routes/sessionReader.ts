// SPDX-License-Identifier: Apache-2.0
// Authenticates users by the cookie of their session. While the provider is unavailable, sessions continue.

import { AppError } from '../../../errors.ts';
import type { SessionReader } from '../../../http/admin/authenticate.ts';
import { hashSecret } from '../rules/apiKey.ts';
import { type ConsoleSession, endsAt, isActive, isCheckDue, isSeenAgain } from '../rules/consoleSession.ts';
import { identityOf } from '../rules/identity.ts';
import type { SignIn } from '../rules/ports.ts';
import { checkOrigin, readCookie, SESSION_COOKIE } from './cookies.ts';
import type { SignInDeps } from './signInRoutes.ts';

type Deps = Pick<SignInDeps, 'consoleSessions' | 'baseUrl' | 'now' | 'log'>;

export function createSessionReader(deps: Deps, signIn: SignIn): SessionReader {
  const { consoleSessions, baseUrl, now, log } = deps;
  const inBackground = (what: string, work: Promise<unknown>) =>
    void work.catch((error: unknown) => log.warn({ err: error }, `${what} failed`));

  return async (request, isNew) => {
    const token = readCookie(request.headers.cookie, SESSION_COOKIE);
    if (token === undefined) return undefined;
    const session = await consoleSessions.findByHash(hashSecret(token));
    const at = now();
    if (session === undefined || !isActive(session, at, signIn.limits))
      throw new AppError('KEY_MISSING', 'Your session has ended. Sign in again, or send an API key as x-api-key.');
    checkOrigin(request, baseUrl(request));
    // An open stream is no sign of a user.
    if (isNew && isSeenAgain(session, at))
      inBackground('storing when a user was last seen', consoleSessions.seen(session.id, at));
    if (isCheckDue(session, at)) inBackground('checking the role of a user', checkRole(deps, signIn, session));
    const { id, tenant, subject, email, name, scope } = session;
    return {
      tenant,
      email,
      scope,
      sessionId: id,
      actor: { kind: 'user', id: subject, ...(name === undefined ? {} : { name }) },
      expiresAt: new Date(endsAt(session, signIn.limits)).toISOString(),
    };
  };
}

/** Takes effect with the next request: requests do not wait for the provider. */
async function checkRole({ consoleSessions, now }: Deps, signIn: SignIn, session: ConsoleSession): Promise<void> {
  const { id, tenant, subject, scope, checkedAt } = session;
  // Of several nodes, one: a provider can accept a refresh token only once.
  if (!(await consoleSessions.claimCheck(id, checkedAt, now()))) return;
  const tokens = await consoleSessions.tokensOf(id);
  if (tokens?.refresh === undefined) return;
  const refreshed = await signIn.provider.refresh(tokens.refresh, subject);
  if (refreshed === 'unavailable' || refreshed === 'rejected') return;
  if (refreshed === 'ended') return void (await consoleSessions.remove(tenant, id));
  const next = { ...tokens, ...refreshed.tokens };
  if (refreshed.claims === undefined) return consoleSessions.checked(id, scope, next);
  const identity = identityOf(refreshed.claims, signIn.rules);
  if (typeof identity === 'string' || identity.tenant !== tenant) await consoleSessions.remove(tenant, id);
  else await consoleSessions.checked(id, identity.scope, next);
}
