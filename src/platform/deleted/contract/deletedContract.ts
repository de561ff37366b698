// SPDX-License-Identifier: Apache-2.0
// Deleted records that can be restored, and what protects records from being deleted by mistake.

import { type Static, Type } from 'typebox';
import { nameField, object, oneOf, text, time } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';

const kinds = ['playlist', 'channel', 'system', 'ad source'] as const;
const kind = Type.Enum([...kinds]);

export const deletedResponse = named(
  'DeletedRecord',
  object('A deleted record.', {
    ref: text('Identifies the deletion.'),
    kind,
    id: text('ID of the record.'),
    name: Type.Optional(nameField),
    deletedAt: time,
    deletedBy: text('E-mail address of the key that deleted the record.'),
    restorableUntil: time,
  }),
);
export type DeletedResponse = Static<typeof deletedResponse>;

export const restoredResponse = named(
  'RestoredRecord',
  object('A restored record.', { kind, id: text('ID of the record.') }),
);
export type RestoredResponse = Static<typeof restoredResponse>;

export const kindFilter = Type.Optional(oneOf([...kinds], 'Returns only records of this kind.'));
