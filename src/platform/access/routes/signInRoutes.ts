// SPDX-License-Identifier: Apache-2.0
// Signing in to the console at an OpenID Connect provider, and out again, and the sessions in between. The browser opens these paths
// itself, so failures lead to the console, which explains them by their code.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { SessionReader } from '../../../http/admin/authenticate.ts';
import type { RequestSource } from '../../../http/proxies.ts';
import { isoText } from '../../../time/units.ts';
import { hashSecret } from '../rules/apiKey.ts';
import {
  type ConsoleSession,
  endsAt,
  isActive,
  isCheckDue,
  isSeenAgain,
  startConsoleSession,
} from '../rules/consoleSession.ts';
import { identityOf } from '../rules/identity.ts';
import type { ConsoleSessionStore, SignIn, SignInSecrets } from '../rules/ports.ts';
import { checkOrigin, endCookie, readCookie, SESSION_COOKIE, SIGN_IN_COOKIE, writeCookie } from './cookies.ts';
import {
  createSignInAudit,
  type RefusedSignIn,
  type SignInAudit,
  type SignInAuditDeps,
  type SignInFault,
} from './signInAudit.ts';

/** How long a sign-in at the provider can take. */
const SIGN_IN_SECONDS = 600;
/** A page of the console, as the part of its URL after `#`. */
const CONSOLE_PAGE = /^\/[\w.~@:%/-]{0,300}$/;
const SIGN_IN_PATH = '/auth';

/** A sign-in in progress, encrypted in a cookie. */
type Pending = SignInSecrets & { readonly until: number; readonly page: string };

export type SignInDeps = SignInAuditDeps & {
  /** Undefined without OpenID Connect. */
  readonly signIn: SignIn | undefined;
  readonly consoleSessions: ConsoleSessionStore;
  /** Public URL of the administrative port without a trailing slash. */
  readonly baseUrl: (request: RequestSource) => string;
};

type Audited = SignIn & { readonly audit: SignInAudit };

export function addSignInRoutes(app: FastifyInstance, deps: SignInDeps): void {
  const { signIn, baseUrl } = deps;
  app.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(SIGN_IN_PATH)) return;
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });
  const audit = signIn && createSignInAudit(deps, signIn);
  const configured = (): Audited => {
    if (signIn !== undefined && audit !== undefined) return { ...signIn, audit };
    throw new AppError('NOT_FOUND', 'Signing in with OpenID Connect is not configured. Set OIDC_ISSUER.');
  };
  const fail = (request: FastifyRequest, reply: FastifyReply, fault: SignInFault) =>
    reply
      .header('set-cookie', endCookie(SIGN_IN_COOKIE, baseUrl(request), SIGN_IN_PATH))
      .redirect(`${baseUrl(request)}/?sign-in=${fault}`, 303);

  app.get<{ Querystring: { page?: unknown } }>('/auth/login', async (request, reply) => {
    const { provider, seal } = configured();
    const base = baseUrl(request);
    const started = await provider.start(`${base}/auth/callback`);
    if (typeof started === 'string') return fail(request, reply, started === 'unavailable' ? started : 'rejected');
    const { page } = request.query;
    const pending: Pending = {
      ...started.secrets,
      until: deps.now() + SIGN_IN_SECONDS * 1000,
      page: typeof page === 'string' && CONSOLE_PAGE.test(page) ? page : '/',
    };
    const place = { baseUrl: base, path: SIGN_IN_PATH, maxAgeSeconds: SIGN_IN_SECONDS };
    return reply
      .header('set-cookie', writeCookie(SIGN_IN_COOKIE, seal(JSON.stringify(pending)), place))
      .redirect(started.url, 303);
  });

  app.get<{ Querystring: Record<string, unknown> }>('/auth/callback', async (request, reply) => {
    const finished = await finishSignIn(deps, configured(), request);
    if ('fault' in finished) {
      await configured().audit.recordRefusal(request, finished);
      return fail(request, reply, finished.fault);
    }
    const base = baseUrl(request);
    const maxAgeSeconds = Math.floor(configured().limits.lifetime / 1000);
    return reply
      .header('set-cookie', [
        writeCookie(SESSION_COOKIE, finished.token, { baseUrl: base, path: '/', maxAgeSeconds }),
        endCookie(SIGN_IN_COOKIE, base, SIGN_IN_PATH),
      ])
      .redirect(`${base}/#${finished.page}`, 303);
  });

  app.post('/auth/logout', async (request, reply) => {
    const { provider, audit: entries } = configured();
    const base = baseUrl(request);
    checkOrigin(request, base);
    const token = readCookie(request.headers.cookie, SESSION_COOKIE);
    const session = token === undefined ? undefined : await deps.consoleSessions.findByHash(hashSecret(token));
    reply.header('set-cookie', endCookie(SESSION_COOKIE, base, '/'));
    if (session === undefined) return {};
    const tokens = await deps.consoleSessions.tokensOf(session.id);
    await deps.consoleSessions.remove(session.tenant, session.id, entries.signedOut(request, session));
    return { url: await provider.logoutUrl(tokens?.id, `${base}/`) };
  });
}

function readPending({ open }: SignIn, header: string | undefined): Pending | undefined {
  const sealed = readCookie(header, SIGN_IN_COOKIE);
  try {
    return sealed === undefined ? undefined : (JSON.parse(open(sealed)) as Pending);
  } catch {
    return undefined;
  }
}

async function finishSignIn(
  { consoleSessions, baseUrl, now }: SignInDeps,
  signIn: Audited,
  request: FastifyRequest<{ Querystring: Record<string, unknown> }>,
): Promise<{ readonly token: string; readonly page: string } | RefusedSignIn> {
  const pending = readPending(signIn, request.headers.cookie);
  const at = now();
  if (pending === undefined || at >= pending.until) return { fault: 'expired' };
  if (request.query.state !== pending.state) return { fault: 'wrong-state' };
  if (request.query.error !== undefined)
    return { fault: request.query.error === 'access_denied' ? 'denied' : 'rejected' };
  const query = request.url.slice(request.url.indexOf('?'));
  const signedIn = await signIn.provider.finish(`${baseUrl(request)}/auth/callback${query}`, pending);
  if (typeof signedIn === 'string') return { fault: signedIn === 'ended' ? 'expired' : signedIn };
  const { claims } = signedIn;
  const identity = identityOf(claims, signIn.rules);
  if (typeof identity === 'string') return { fault: identity, claims };
  if (!(await signIn.hasTenant(identity.tenant))) return { fault: 'no-tenant', claims };
  const { token, hash, session } = startConsoleSession(identity, at, signIn.limits);
  await consoleSessions.insert(session, hash, signedIn.tokens, signIn.audit.signedIn(request, session));
  return { token, page: pending.page };
}

/** Authenticates users by the cookie of their session. While the provider is unavailable, sessions continue. */
export function createSessionReader(
  deps: Omit<SignInDeps, 'audit' | 'clientOf' | 'signIn'>,
  signIn: SignIn,
): SessionReader {
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
      expiresAt: isoText(endsAt(session, signIn.limits)),
    };
  };
}

/** Takes effect with the next request: requests do not wait for the provider. */
async function checkRole(
  { consoleSessions, now }: Pick<SignInDeps, 'consoleSessions' | 'now'>,
  signIn: SignIn,
  session: ConsoleSession,
): Promise<void> {
  const { id, tenant, subject, scope, checkedAt } = session;
  // Only one of several nodes checks the role: a provider can accept a refresh token only once.
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
