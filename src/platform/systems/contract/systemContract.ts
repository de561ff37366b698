// SPDX-License-Identifier: Apache-2.0
// The contract of systems.

import { type Static, Type } from 'typebox';
import { closed, nameField, written } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';

const systemFields = {
  name: nameField,
  type: Type.Enum(['ssai', 'cloud-media-services']),
  settings: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: Type.String({ maxLength: 8192 }),
        description: 'Names depend on the type. Values can be credentials and are returned as stored.',
      },
    ) as unknown as ReturnType<typeof Type.Unsafe<Record<string, string>>>,
  ),
};
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const isSystemId = (text: string): boolean => new RegExp(UUID).test(text);
const systemId = Type.String({ pattern: UUID, description: 'A UUID.' });
export const systemBody = named(
  'SystemBody',
  closed({ id: Type.Optional(systemId), ...systemFields }, 'A system, as sent in requests.'),
);
export const systemResponse = named(
  'System',
  Type.Object({
    _id: Type.String(),
    id: systemId,
    ...systemFields,
    state: Type.Optional(
      Type.Enum(['working', 'failing', 'unused'], { description: 'Only for external systems, if known.' }),
    ),
    stateReason: Type.Optional(Type.String({ description: 'Details of the state.' })),
    ...written,
  }),
);

export type SystemBody = Static<typeof systemBody>;
export type SystemResponse = Static<typeof systemResponse>;
