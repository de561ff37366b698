// SPDX-License-Identifier: Apache-2.0
// Many changes in one request. Each one is handled by its own route: the same validation, rights, conflicts and audit entry.
import type { FastifyBaseLogger } from 'fastify';
import type { GatherChanges } from '../../../channels/ports.ts';
import { AppError } from '../../../errors.ts';
import { type BatchChange, batchBody, batchResponse, CHANGES_PER_REQUEST } from '../../contract/batchContract.ts';
import { type AuditDeps, handleAudited } from '../handleAudited.ts';
import { authorize } from '../request/authorize.ts';
import { type AdminRequest, type KeyedRoute, ok, type Route } from '../request/route.ts';
import { readFields } from '../routes/record.ts';
import { batchRoutes, matchChange } from './matchChange.ts';
import { runBatch } from './runBatch.ts';

type Deps = AuditDeps & {
  readonly gather: GatherChanges;
  readonly log: FastifyBaseLogger;
};

const description = `Up to 500 changes, which are made one after the other: POST, PUT, PATCH and DELETE of channels, playlists, ad sources, alert rules and webhooks, \`/deleted/{ref}/restore\`, and of assets DELETE and \`/retry\`. Each one is validated, authorized and recorded in the audit log like a request of its own, and has its own result. The status of the batch is a 200 also if changes have failed.

With \`atomic\`, all changes are made in one transaction, or none: then \`applied\` is false, and what is valid has the status 424. Assets cannot be part of it. Every ${CHANGES_PER_REQUEST} changes begun count as one request for the rate limit.`;

/** @param routes those of the API */
export function batchRoute(routes: readonly Route[], deps: Deps): KeyedRoute {
  const known = batchRoutes(routes);

  async function execute(
    request: AdminRequest,
    change: BatchChange,
    isAtomic: boolean,
    afterwards: AdminRequest['afterwards'],
  ) {
    const matched = matchChange(known, change);
    const { route, params, query } = matched;
    if (isAtomic && !matched.isAtomic)
      throw new AppError('CONFLICT', 'Assets cannot be changed in an atomic batch. Send them without `atomic`.');
    authorize(route, request.caller, { params, query });
    const headers = { ...request.headers, 'if-match': change.ifMatch, 'if-none-match': undefined };
    return handleAudited(deps, route, { ...request, params, query, headers, body: change.body, afterwards });
  }

  return {
    tag: 'batch',
    scope: 'operate',
    channelAccess: 'filtered',
    method: 'POST',
    // Each change has its own entry in the audit log.
    isReadOnly: true,
    path: '/api/v2/batch',
    operationId: 'runBatch',
    summary: 'Make many changes at once',
    description,
    body: { schema: batchBody },
    response: ok('The result of each change.', batchResponse),
    example: {
      body: {
        atomic: true,
        changes: [
          { method: 'PATCH', path: '/api/v2/channels/channel-one', body: { state: 'disabled' } },
          { method: 'PATCH', path: '/api/v2/playlists/evening-loop', body: { labels: ['sports'] } },
        ],
      },
    },
    handle: async (request) => {
      const { atomic = false, changes } = await readFields(request.body, 'batch', batchBody);
      // The request itself is counted already.
      const headers = await request.charge(Math.ceil(changes.length / CHANGES_PER_REQUEST) - 1);
      const { requestId = '' } = request.source;
      const json = await runBatch(changes, atomic, {
        execute: (change, afterwards) => execute(request, change, atomic, afterwards),
        gather: deps.gather,
        requestId,
        onFailed: (error) => deps.log.error({ err: error, reqId: requestId }, 'change of a batch failed'),
      });
      return { status: 200, headers, json };
    },
  };
}
