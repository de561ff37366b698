// SPDX-License-Identifier: Apache-2.0
// Where a request came from, for the audit log.
import type { IncomingHttpHeaders } from 'node:http';
import type { AuditSource } from '../../../platform/audit/rules/auditEntry.ts';

const MAX_USER_AGENT = 300;

/** @param address of the client */
export function auditSource(
  { headers }: { readonly headers: IncomingHttpHeaders },
  address: string,
  requestId: string,
): AuditSource {
  const agent = headers['user-agent'];
  return {
    ...(address === '' ? {} : { address }),
    ...(agent ? { userAgent: agent.slice(0, MAX_USER_AGENT) } : {}),
    requestId,
  };
}
