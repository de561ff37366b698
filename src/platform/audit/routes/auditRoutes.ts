// SPDX-License-Identifier: Apache-2.0
// The audit log: reading it. There is no route that changes entries.

import { Type } from 'typebox';
import { negotiate } from '../../../http/admin/request/negotiate.ts';
import { readTimeCursor, writeTimeCursor } from '../../../http/admin/request/readListing.ts';
import { given, readQuery } from '../../../http/admin/request/readQuery.ts';
import { readOpenRange } from '../../../http/admin/request/readRange.ts';
import { type KeyedRoute, ok, tagged } from '../../../http/admin/request/route.ts';
import { writeCsv } from '../../../http/admin/response/writeCsv.ts';
import { recordNotFound } from '../../../http/admin/routes/record.ts';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { isoText } from '../../../time/units.ts';
import { type AuditEntryResponse, auditEntry, auditQuery } from '../contract/auditContract.ts';
import type { AuditEntry } from '../rules/auditEntry.ts';
import type { AuditCursor, AuditFilter, AuditStore } from '../rules/ports.ts';

const path = '/api/v2/audit';
const CSV = 'text/csv';
/** Entries per query of an export. */
const EXPORT_PAGE = 500;

function showEntry({ tenant: _, at, ...entry }: AuditEntry): DeepReadonly<AuditEntryResponse> {
  return { ...entry, at: isoText(at) };
}

const columns = [
  ...['time', 'email', 'actor', 'actorId', 'key', 'operation', 'kind', 'id', 'name', 'outcome', 'changes'],
  ...['address', 'userAgent', 'requestId', 'before', 'after', 'details'],
] as const;

const json = (value: object | undefined): string => (value === undefined ? '' : JSON.stringify(value));

const toRow = ({ at, actor, source, operation, record, outcome, changes, ...data }: AuditEntry) => ({
  time: isoText(at),
  email: actor.email ?? '',
  actor: actor.kind,
  actorId: actor.id,
  key: actor.hint ?? '',
  operation,
  kind: record.kind,
  id: record.id ?? '',
  name: record.name ?? '',
  outcome,
  changes: changes.map((one) => `${one.change} ${one.path}`).join('; '),
  ...source,
  before: json(data.before),
  after: json(data.after),
  details: json(data.details),
});

/** All entries as text, with one page in memory at a time. */
async function* pagesOf(audit: AuditStore, filter: AuditFilter, first: AuditCursor | undefined) {
  yield writeCsv(columns, []);
  for (let after = first; ; ) {
    const { entries, next } = await audit.list(filter, after, EXPORT_PAGE);
    if (entries.length > 0) yield writeCsv(columns, entries.map(toRow), false);
    if (next === undefined) return;
    after = next;
  }
}

export function auditRoutes({ audit }: { readonly audit: AuditStore }): KeyedRoute[] {
  return tagged('audit', [
    {
      // The audit log contains addresses of colleagues.
      scope: 'manage',
      method: 'GET',
      path,
      operationId: 'listAudit',
      summary: 'List administrative changes, newest first',
      description:
        'Paged: pass `x-next-cursor` as `cursor` to get the next page; the last page has none. Each page searches at most 10,000 entries, so a page of a filter that matches few entries can be short or empty. CSV contains all entries.',
      query: auditQuery,
      headers: { accept: `\`${CSV}\` for an export of all entries.` },
      response: ok('A page of entries.', Type.Array(auditEntry), {
        text: [CSV],
        optionalHeaders: { 'x-next-cursor': 'Cursor of the next page. Absent on the last page.' },
      }),
      example: { query: { kind: 'channel', id: 'channel-one' } },
      handle: async ({ query, caller, headers }) => {
        const { limit, cursor, actor, kind, id, operation, text, ...range } = readQuery(auditQuery, query);
        const filter: AuditFilter = {
          tenant: caller.tenant,
          ...readOpenRange(range),
          ...given({ actor, kind, recordId: id, operation, text }),
        };
        const after = readTimeCursor(cursor);
        const vary = { vary: 'accept' };
        if (negotiate(headers.accept, ['application/json', CSV]) === CSV) {
          const content = pagesOf(audit, filter, after);
          const contentType = `${CSV}; charset=utf-8; header=present`;
          return { status: 200, headers: vary, pages: { contentType, content } };
        }
        const { entries, next } = await audit.list(filter, after, limit);
        return {
          status: 200,
          headers: { ...vary, ...(next ? { 'x-next-cursor': writeTimeCursor(next) } : {}) },
          json: entries.map(showEntry),
        };
      },
    },
    {
      scope: 'manage',
      method: 'GET',
      path: `${path}/:id`,
      operationId: 'getAuditEntry',
      summary: 'Read an entry of the audit log',
      response: ok('The entry.', auditEntry),
      errors: [404],
      example: { params: { id: '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d' } },
      handle: async ({ params: { id = '' }, caller }) => {
        const entry = /^[0-9a-f-]{36}$/.test(id) ? await audit.find(caller.tenant, id) : undefined;
        if (!entry) throw recordNotFound('audit entry', id);
        return { status: 200, json: showEntry(entry) };
      },
    },
  ]);
}
