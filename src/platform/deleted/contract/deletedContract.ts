// SPDX-License-Identifier: Apache-2.0
// Deleted records that can be restored, and what protects records from being deleted by mistake.

import { type Static, Type } from 'typebox';
import { nameField, time } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';

const kinds = ['playlist', 'channel', 'system'] as const;
const kind = Type.Enum([...kinds]);

export const deletedResponse = named(
  'DeletedRecord',
  Type.Object(
    {
      ref: Type.String({ description: 'Identifies the deletion.' }),
      kind,
      id: Type.String({ description: 'ID of the record.' }),
      name: Type.Optional(nameField),
      deletedAt: time,
      deletedBy: Type.String({ description: 'E-mail address of the key that deleted the record.' }),
      restorableUntil: time,
    },
    { description: 'A deleted record.' },
  ),
);
export type DeletedResponse = Static<typeof deletedResponse>;

export const restoredResponse = named(
  'RestoredRecord',
  Type.Object({ kind, id: Type.String({ description: 'ID of the record.' }) }, { description: 'A restored record.' }),
);
export type RestoredResponse = Static<typeof restoredResponse>;

export const kindFilter = Type.Optional(Type.Enum([...kinds], { description: 'Returns only records of this kind.' }));
