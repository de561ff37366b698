// SPDX-License-Identifier: Apache-2.0
// The contract of the audit log.

import { type Static, Type } from 'typebox';
import { filterText, time } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';

const optional = Type.Optional;
const record = (description: string) =>
  optional(
    Type.Object({}, { additionalProperties: true, description }) as unknown as ReturnType<typeof Type.Unsafe<object>>,
  );

export const auditEntry = named(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: time,
    actor: Type.Object(
      {
        kind: Type.Enum(['key', 'user', 'cli', 'unknown'], {
          description:
            'An API key, a user of the console, the command line, or a user whose sign-in was refused before the provider has named them.',
        }),
        id: Type.String({
          description: 'ID of the key or user; for the command line, the account in the operating system.',
        }),
        email: optional(Type.String({ description: 'E-mail address of the owner of the key, or of the user.' })),
        name: optional(Type.String({ description: 'Name of the key or user.' })),
        hint: optional(Type.String({ description: 'First characters of the key.' })),
      },
      { description: 'Who made the change.' },
    ),
    source: Type.Object(
      {
        address: optional(Type.String({ description: 'IP address of the client.' })),
        userAgent: optional(Type.String()),
        requestId: optional(Type.String({ description: '`x-request-id` of the response.' })),
      },
      { description: 'Where the request came from.' },
    ),
    operation: Type.String({ description: 'Operation ID of the route, or the command.' }),
    record: Type.Object(
      { kind: Type.String(), id: optional(Type.String()), name: optional(Type.String()) },
      {
        description:
          'What was changed. `kind` is `channel`, `playlist`, `system`, `key`, `asset`, `alert rule`, `webhook`, `session` (of a user in the console) or `tenant`.',
      },
    ),
    outcome: Type.Enum(['created', 'changed', 'deleted', 'unchanged', 'done', 'refused'], {
      description:
        '`done` is an action on a record, such as an inserted break. `unchanged`: it had no effect. `refused`: a sign-in.',
    }),
    changes: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON Pointer of the field.' }),
        change: Type.Enum(['added', 'removed', 'changed']),
      }),
      { description: 'Which fields differ, at most 100.' },
    ),
    moreChanges: optional(Type.Integer({ description: 'Number of fields that differ and are not listed.' })),
    before: record(
      'The record before the change. Secrets are replaced by `[secret]`, and fields of large records that have not changed are omitted.',
    ),
    after: record('The record after the change. Secrets that have changed are replaced by `[secret, changed]`.'),
    details: record('What an action did.'),
  }),
);

export const auditQuery = Type.Object({
  actor: filterText(300, 'E-mail address, or ID of a key or user.'),
  kind: filterText(50, 'Kind of the record, such as `channel`.'),
  id: filterText(500, 'ID of the record.'),
  operation: filterText(100, 'Operation ID, such as `patchChannel`.'),
  text: filterText(200, 'Occurs in names, IDs, e-mail addresses or paths of changed fields. Case-insensitive.'),
  from: optional(
    Type.String({ maxLength: 40, description: 'Start of the range, ISO 8601 or UNIX seconds. Default: the oldest.' }),
  ),
  to: optional(Type.String({ maxLength: 40, description: 'End of the range, exclusive. Default: now.' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'Entries per page. Applies to JSON only.',
  }),
  cursor: optional(Type.String({ maxLength: 40, description: '`x-next-cursor` of the previous page.' })),
});

export type AuditEntryResponse = Static<typeof auditEntry>;
