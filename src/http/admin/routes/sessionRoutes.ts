// SPDX-License-Identifier: Apache-2.0
// The search for sessions; the trace of one: every break, every ad, and the reason for each ad that was not shown; and replays of its
// breaks.

import { AppError } from '../../../errors.ts';
import { whyNotReplayed } from '../../../platform/tries/rules/whyNotReplayed.ts';
import { mayAccess } from '../../../platform/access/rules/scope.ts';
import { sessionTrace } from '../../contract/airContract.ts';
import { breakReplay, type ReplayBody, replayBody } from '../../../platform/tries/contract/tryContract.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';
import { readBody, recordNotFound } from './record.ts';
import { searchRoute } from '../../../platform/history/routes/searchRoute.ts';
import { busy } from '../../../platform/tries/routes/tryRoutes.ts';
import { withoutHeaders } from './withoutHeaders.ts';

export const sessionRoutes = (deps: AdminDeps): KeyedRoute[] => [
  searchRoute(deps),
  {
    tag: 'sessions',
    channelAccess: 'filtered',
    method: 'GET',
    path: '/api/v2/sessions/:id',
    operationId: 'getSession',
    summary: 'Get the trace of a session',
    description:
      'Also of a session that has ended, for `TRACE_RETENTION` days. Without the scope `manage`, the values of request headers are masked.',
    response: { status: 200, description: 'The session and its breaks.', schema: sessionTrace },
    errors: [404],
    example: { params: { id: 'session-one' } },
    handle: async ({ params, caller }) => {
      const id = params.id!;
      const trace = /^[\w-]{1,128}$/.test(id) ? await deps.onAir.sessionTrace(id, caller.tenant) : undefined;
      if (!trace || !mayAccess(caller, trace.channel)) throw recordNotFound('session', id);
      return { status: 200, json: withoutHeaders(trace, caller) };
    },
  },
  replayRoute(deps),
];

// Replaying a past break of a session.

const ID = /^[\w-]{1,128}$/;
/** Ids of breaks are shorter. PostgreSQL rejects zero bytes in text. */
const isBreakId = (id: string): boolean => id.length <= 256 && !id.includes('\0');

function replayRoute({ adTries, channels }: Pick<AdminDeps, 'adTries' | 'channels'>): KeyedRoute {
  const rules = { noun: 'replay', schema: replayBody, ignored: [] };
  return {
    tag: 'sessions',
    scope: 'operate',
    channelAccess: 'filtered',
    method: 'POST',
    isReadOnly: true,
    path: '/api/v2/sessions/:id/breaks/:breakId/replay',
    operationId: 'replayBreak',
    summary: 'Replay a past break with the rules and creatives of now',
    description:
      'Takes the ad response in the trace of the break, and reports what the viewer would be shown now, next to what was shown then. A break whose ads were not requested is a 409; one whose request failed is empty with that reason. Changes nothing. Requests nothing, unless `wrappers` is `request`. At most 4 tries and replays of a tenant run at once on one node; others get a 429.',
    body: { schema: replayBody },
    response: { status: 200, description: 'The break then and now, with the differences.', schema: breakReplay },
    errors: [404, 409, 429],
    example: { params: { id: 'session-one', breakId: '0-1' }, body: {} },
    handle: async ({ params, caller, body: given }) => {
      const body = (await readBody(given, rules, async () => [])) as ReplayBody;
      const [id, breakId] = [params.id!, params.breakId!];
      const isUsable = ID.test(id) && isBreakId(breakId);
      const stored = isUsable ? await adTries.findBreak(id, breakId, caller.tenant) : undefined;
      if (stored === undefined || !mayAccess(caller, stored.session.channelId))
        throw recordNotFound('break', `${breakId} of session ${id}`);
      const problem = whyNotReplayed(stored.record);
      if (problem !== undefined) throw new AppError('CONFLICT', problem);
      const { channelId, tenant } = stored.session;
      const channel = await channels.find(tenant, channelId);
      if (channel === undefined)
        throw new AppError('CONFLICT', `Channel "${channelId}" of the session no longer exists.`);
      const { breakDuration, maxAds, wrappers } = body;
      const result = await adTries.replay(channel, stored, {
        isRequestingWrappers: wrappers === 'request',
        ...(breakDuration === undefined ? {} : { breakDuration }),
        ...(maxAds === undefined ? {} : { maxAds }),
      });
      if (result === 'busy') throw busy();
      return { status: 200, json: withoutHeaders(result, caller, channel.adSource ?? {}) };
    },
  };
}
