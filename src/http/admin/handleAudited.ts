// SPDX-License-Identifier: Apache-2.0
// Calls a route and writes what it has changed to the audit log before the response is sent, so that no change that was reported to a
// client is missing there. A route whose store writes the entry together with the change leaves nothing to write.
import type { IncomingHttpHeaders } from 'node:http';
import { withoutUndefined } from '../../invariant.ts';
import type { AuditSource } from '../../platform/audit/rules/auditEntry.ts';
import type { AuditStore } from '../../platform/audit/rules/ports.ts';
import type { Millis } from '../../time/units.ts';
import { createAuditTrail } from './request/auditTrail.ts';
import type { AdminRequest, KeyedRoute, RouteResponse } from './request/route.ts';

export type AuditDeps = { readonly audit: AuditStore; readonly now: () => Millis };

/** @throws what the route throws; {AppError} UNAVAILABLE if the change was made, but its entry could not be written */
export async function handleAudited(
  { audit: store, now }: AuditDeps,
  route: KeyedRoute,
  request: Omit<AdminRequest, 'audit'>,
): Promise<RouteResponse> {
  const { source, caller } = request;
  const { tenant, email } = caller;
  const actor = { ...caller.actor, email };
  const audit = createAuditTrail(() => ({ tenant, at: now(), actor, source, operation: route.operationId }));
  const response = await route.handle({ ...request, audit });
  if (route.method === 'GET' || route.isReadOnly) return response;
  const kind = route.tag.replace(/s$/, '');
  for (const entry of audit.rest({ kind, id: request.params.id })) await store.record(entry);
  return response;
}

const MAX_USER_AGENT = 300;

/** @param address of the client */
export function auditSource(
  { headers }: { readonly headers: IncomingHttpHeaders },
  address: string,
  requestId: string,
): AuditSource {
  const userAgent = headers['user-agent']?.slice(0, MAX_USER_AGENT);
  return { ...withoutUndefined({ address: address || undefined, userAgent: userAgent || undefined }), requestId };
}
