// SPDX-License-Identifier: Apache-2.0
// The contract of systems.

import { type Static, Type } from 'typebox';
import { nameField, oneOf, text, textMap, written } from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';

const systemFields = {
  name: nameField,
  type: Type.Enum(['ssai', 'cloud-media-services']),
  settings: Type.Optional(
    textMap(
      'Names depend on the type. Values can be credentials and are returned as stored.',
      Type.String({ maxLength: 8192 }),
    ),
  ),
};
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const isSystemId = (text: string): boolean => new RegExp(UUID).test(text);
const systemId = Type.String({ pattern: UUID, description: 'A UUID.' });
export const systemBody = namedBody('SystemBody', 'A system, as sent in requests.', {
  id: Type.Optional(systemId),
  ...systemFields,
});
export const systemResponse = namedObject('System', {
  _id: Type.String(),
  id: systemId,
  ...systemFields,
  state: Type.Optional(oneOf(['working', 'failing', 'unused'], 'Only for external systems, if known.')),
  stateReason: Type.Optional(text('Details of the state.')),
  ...written,
});

export type SystemBody = Static<typeof systemBody>;
export type SystemResponse = Static<typeof systemResponse>;
