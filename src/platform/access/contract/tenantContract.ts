// SPDX-License-Identifier: Apache-2.0
// The contract of systems and API keys.

import { type Static, Type } from 'typebox';
import { closed, nameField, recordId, time, written } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';
import { MAX_KEY_CHANNELS } from '../rules/scope.ts';
import { EMAIL, KEY_NAME, LONGEST_EMAIL } from '../rules/tenant.ts';
import { channelsField, givenScope, scopeField } from './accessContract.ts';

const systemType = Type.Enum(['ssai', 'cloud-media-services']);
const systemFields = {
  name: nameField,
  type: systemType,
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
export const systemId = Type.String({
  pattern: UUID,
  description: 'A UUID.',
});
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

const keyFields = {
  email: Type.Optional(
    Type.String({
      pattern: EMAIL.source,
      maxLength: LONGEST_EMAIL,
      description: 'An e-mail address. Owner of the key; default: the owner of the key that makes the request.',
    }),
  ),
  name: Type.Optional(
    Type.String({
      pattern: KEY_NAME.source,
      description: 'At most 200 characters without control characters.',
    }),
  ),
  scope: Type.Optional(givenScope),
  channels: Type.Optional(
    Type.Array(recordId, {
      minItems: 1,
      maxItems: MAX_KEY_CHANNELS,
      uniqueItems: true,
      description:
        'IDs of the only channels that the key can access. Default: those of the key that makes the request.',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'ISO 8601 with a time zone, in the future. From then on the key is rejected. At most, and by default, the expiry of the key that makes the request.',
      examples: ['2027-01-01T00:00:00Z'],
    }),
  ),
};
export const keyBody = named('KeyBody', closed(keyFields, 'A new key.'));
export const rotationBody = named(
  'Rotation',
  closed(
    {
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          default: 0,
          description: 'Seconds for which the old key stays valid.',
        }),
      ),
    },
    'Options of a key rotation.',
  ),
);
export const keyResponse = named(
  'Key',
  Type.Object({
    id: Type.String(),
    tenant: Type.String(),
    email: Type.String(),
    name: Type.Optional(nameField),
    hint: Type.String({ description: 'First characters of the key.' }),
    scope: scopeField,
    channels: Type.Optional(channelsField),
    createdBy: Type.String(),
    createdAt: time,
    lastUsedAt: Type.Optional(time),
    expiresAt: Type.Optional(time),
  }),
);
export const newKeyResponse = named(
  'NewKey',
  Type.Object({
    ...keyResponse.properties,
    key: Type.String({ description: 'The key itself. Only in this response.' }),
  }),
);

export type SystemResponse = Static<typeof systemResponse>;
export type KeyResponse = Static<typeof keyResponse>;
export type NewKeyResponse = Static<typeof newKeyResponse>;
export type SystemBody = Static<typeof systemBody>;
export type KeyBody = Static<typeof keyBody>;
export type RotationBody = Static<typeof rotationBody>;
