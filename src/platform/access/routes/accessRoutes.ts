// SPDX-License-Identifier: Apache-2.0
// Who makes a request, how to sign in, and the sessions of users who signed in to the console.

import { Type } from 'typebox';
import { type Caller, type OpenRoute, type Route, tagged } from '../../../http/admin/request/route.ts';
import { recordNotFound } from '../../../http/admin/routes/record.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import { isoText } from '../../../time/units.ts';
import {
  type ConsoleSessionResponse,
  consoleSessionResponse,
  type MeResponse,
  meResponse,
  type SignInResponse,
  signInResponse,
} from '../contract/accessContract.ts';
import { type ConsoleSession, endsAt, isActive } from '../rules/consoleSession.ts';
import type { SignInDeps } from './signInRoutes.ts';

const path = '/api/v2/console-sessions';

function showCaller({ tenant, email, scope, channels, limits, actor, expiresAt }: Caller): Sent<MeResponse> {
  const { kind, name } = actor;
  return { kind, tenant, email, scope, name, channels, labels: limits?.labels, expiresAt };
}

export function accessRoutes({ consoleSessions, signIn, now }: SignInDeps): Route[] {
  /** Without OpenID Connect, sessions are not accepted. */
  const active = async (tenant: string): Promise<ConsoleSession[]> =>
    signIn === undefined
      ? []
      : (await consoleSessions.list(tenant)).filter((session) => isActive(session, now(), signIn.limits));
  function show(session: ConsoleSession, { sessionId }: Caller): Sent<ConsoleSessionResponse> {
    const { id, email, scope, name } = session;
    const [createdAt, lastSeenAt] = [isoText(session.createdAt), isoText(session.lastSeenAt)];
    const expiresAt = isoText(signIn === undefined ? session.expiresAt : endsAt(session, signIn.limits));
    return { id, email, scope, name, createdAt, lastSeenAt, expiresAt, isCurrent: id === sessionId };
  }

  const config: OpenRoute = {
    tag: 'access',
    isOpen: true,
    method: 'GET',
    path: '/auth/config',
    operationId: 'getSignIn',
    summary: 'Get the ways to sign in to the console',
    response: { status: 200, description: 'The ways in addition to API keys.', schema: signInResponse },
    handle: async () => ({
      status: 200,
      json: (signIn === undefined ? {} : { openId: { name: signIn.name } }) satisfies SignInResponse,
    }),
  };
  const keyed = tagged('access', [
    {
      channelAccess: 'open',
      method: 'GET',
      path: '/api/v2/me',
      operationId: 'getMe',
      summary: 'Get who makes the request, and with which scope',
      response: { status: 200, description: 'The key, or the user.', schema: meResponse },
      handle: async ({ caller }) => ({ status: 200, json: showCaller(caller) }),
    },
    {
      scope: 'read',
      method: 'DELETE',
      path: '/api/v2/me/sessions',
      operationId: 'signOutEverywhere',
      summary: 'End all console sessions of the user',
      description: 'Of the user who makes the request. Keys have no sessions.',
      response: { status: 204, description: 'Ended.' },
      handle: async ({ caller: { tenant, email, actor }, audit }) => {
        const isUser = actor.kind === 'user';
        if (isUser) await consoleSessions.removeAll(tenant, actor.id);
        audit.note({ kind: 'session', name: email, outcome: isUser ? 'done' : 'unchanged' });
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path,
      operationId: 'listConsoleSessions',
      summary: 'List the users who are signed in to the console, newest first',
      response: { status: 200, description: 'Active sessions.', schema: Type.Array(consoleSessionResponse) },
      handle: async ({ caller }) => ({
        status: 200,
        json: (await active(caller.tenant)).map((session) => show(session, caller)),
      }),
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      operationId: 'endConsoleSession',
      summary: 'End the console session of a user',
      response: { status: 204, description: 'Ended. The user has to sign in again.' },
      errors: [404],
      example: { params: { id: '5f3ad3a2-8c4e-4f0b-9a3e-6d2b7c1e0a55' } },
      handle: async ({ caller: { tenant }, params: { id = '' }, audit }) => {
        const session = (await consoleSessions.list(tenant)).find((one) => one.id === id);
        const entry = session && audit.entry({ kind: 'session', id, name: session.email });
        if (!(entry && (await consoleSessions.remove(tenant, id, entry)))) throw recordNotFound('console session', id);
        return { status: 204 };
      },
    },
  ]);
  return [config, ...keyed];
}
