// SPDX-License-Identifier: Apache-2.0
// The trace of a session: every break, every ad, and the reason for each ad that was not shown.
import { mayAccess } from '../../../platform/access/rules/scope.ts';
import { sessionTrace } from '../../contract/airContract.ts';
import { type KeyedRoute, ok } from '../request/route.ts';
import type { CoreApi } from './ports.ts';
import { idIn, recordNotFound } from './record.ts';
import { withoutHeaders } from './withoutHeaders.ts';
import { withoutPrices } from './withoutPrices.ts';

export const sessionRoutes = (deps: CoreApi): KeyedRoute[] => [
  {
    tag: 'sessions',
    channelAccess: 'filtered',
    method: 'GET',
    path: '/api/v2/sessions/:id',
    operationId: 'getSession',
    summary: 'Get the trace of a session',
    description:
      'Also of a session that has ended, for `TRACE_RETENTION` days. Without the scope `manage`, the values of request headers are masked, and prices and the texts of OpenRTB are omitted.',
    response: ok('The session and its breaks.', sessionTrace),
    errors: [404],
    example: { params: { id: 'session-one' } },
    handle: async (request) => {
      const { caller } = request;
      const id = idIn(request);
      const trace = /^[\w-]{1,128}$/.test(id) ? await deps.onAir.sessionTrace(id, caller.tenant) : undefined;
      if (!trace || !mayAccess(caller, trace.channel)) throw recordNotFound('session', id);
      return { status: 200, json: withoutPrices(withoutHeaders(trace, caller), caller) };
    },
  },
];
