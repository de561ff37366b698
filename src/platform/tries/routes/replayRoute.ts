// SPDX-License-Identifier: Apache-2.0
// Replaying a past break of a session.
import { AppError } from '../../../errors.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { readBody, recordNotFound } from '../../../http/admin/routes/record.ts';
import { withoutHeaders } from '../../../http/admin/routes/withoutHeaders.ts';
import { mayAccess } from '../../access/rules/scope.ts';
import { breakReplay, type ReplayBody, replayBody } from '../contract/tryContract.ts';
import { whyNotReplayed } from '../rules/whyNotReplayed.ts';
import { busy, type TryDeps } from './tryRoutes.ts';

const ID = /^[\w-]{1,128}$/;
/** Ids of breaks are shorter. PostgreSQL rejects zero bytes in text. */
const isBreakId = (id: string): boolean => id.length <= 256 && !id.includes('\0');

export function replayRoute({ adTries, channels }: TryDeps): KeyedRoute {
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
