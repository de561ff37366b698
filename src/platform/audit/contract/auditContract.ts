// SPDX-License-Identifier: Apache-2.0
// The contract of the audit log.

import { type Static, Type } from 'typebox';
import { filterText, integer, list, object, oneOf, text, time } from '../../../http/contract/commonContract.ts';
import { namedObject } from '../../../http/contract/named.ts';

const optional = Type.Optional;
const record = (description: string) =>
  optional(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true, description })));

export const auditEntry = namedObject('AuditEntry', {
  id: Type.String(),
  at: time,
  actor: object('Who made the change.', {
    kind: oneOf(
      ['key', 'user', 'cli', 'unknown'],
      'An API key, a user of the console, the command line, or a user whose sign-in was refused before the provider has named them.',
    ),
    id: text('ID of the key or user; for the command line, the account in the operating system.'),
    email: optional(text('E-mail address of the owner of the key, or of the user.')),
    name: optional(text('Name of the key or user.')),
    hint: optional(text('First characters of the key.')),
  }),
  source: object('Where the request came from.', {
    address: optional(text('IP address of the client.')),
    userAgent: optional(Type.String()),
    requestId: optional(text('`x-request-id` of the response.')),
  }),
  operation: text('Operation ID of the route, or the command.'),
  record: object(
    'What was changed. `kind` is `channel`, `playlist`, `ad source`, `system`, `key`, `asset`, `alert rule`, `webhook`, `session` (of a user in the console) or `tenant`.',
    { kind: Type.String(), id: optional(Type.String()), name: optional(Type.String()) },
  ),
  outcome: oneOf(
    ['created', 'changed', 'deleted', 'unchanged', 'done', 'refused'],
    '`done` is an action on a record, such as an inserted break. `unchanged`: it had no effect. `refused`: a sign-in.',
  ),
  changes: list(
    Type.Object({
      path: text('JSON Pointer of the field.'),
      change: Type.Enum(['added', 'removed', 'changed']),
    }),
    'Which fields differ, at most 100.',
  ),
  moreChanges: optional(integer('Number of fields that differ and are not listed.')),
  before: record(
    'The record before the change. Secrets are replaced by `[secret]`, and fields of large records that have not changed are omitted.',
  ),
  after: record('The record after the change. Secrets that have changed are replaced by `[secret, changed]`.'),
  details: record('What an action did.'),
});

const short = (description: string) => optional(text(description, { maxLength: 40 }));
export const auditQuery = Type.Object({
  actor: filterText(300, 'E-mail address, or ID of a key or user.'),
  kind: filterText(50, 'Kind of the record, such as `channel`.'),
  id: filterText(500, 'ID of the record.'),
  operation: filterText(100, 'Operation ID, such as `patchChannel`.'),
  text: filterText(200, 'Occurs in names, IDs, e-mail addresses or paths of changed fields. Case-insensitive.'),
  from: short('Start of the range, ISO 8601 or UNIX seconds. Default: the oldest.'),
  to: short('End of the range, exclusive. Default: now.'),
  limit: integer('Entries per page. Applies to JSON only.', { minimum: 1, maximum: 100, default: 50 }),
  cursor: short('`x-next-cursor` of the previous page.'),
});

export type AuditEntryResponse = Static<typeof auditEntry>;
