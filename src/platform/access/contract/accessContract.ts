// SPDX-License-Identifier: Apache-2.0
// The contract of access: scopes, who makes a request, the sessions of users in the console, and API keys.

import { type Static, Type } from 'typebox';
import { closed, nameField, recordId, time } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';
import { DEFAULT_SCOPE, MAX_KEY_CHANNELS, scopes } from '../rules/scope.ts';
import { EMAIL, KEY_NAME, LONGEST_EMAIL } from '../rules/tenant.ts';

const description =
  '`read`: read everything except credentials. `operate`: also what is done on air, such as breaks and switching channels on and off. `manage`: everything.';
const scopeField = Type.Enum([...scopes], { description });
const channelsField = Type.Array(recordId, {
  description: 'IDs of the only channels that can be accessed. Absent: the whole tenant.',
});

export const signInResponse = Type.Object({
  openId: Type.Optional(
    Type.Object(
      { name: Type.String({ description: 'Name of the provider.' }) },
      { description: 'Absent if not set up.' },
    ),
  ),
});

export const meResponse = named(
  'Me',
  Type.Object({
    kind: Type.Enum(['key', 'user'], { description: '`user`: signed in to the console with OpenID Connect.' }),
    tenant: Type.String(),
    email: Type.String({ description: 'Recorded as the author of changes.' }),
    name: Type.Optional(Type.String({ description: 'Name of the user or the key.' })),
    scope: scopeField,
    channels: Type.Optional(channelsField),
    expiresAt: Type.Optional(
      Type.String({ description: 'When the key or, without further requests, the session ends. ISO 8601, UTC.' }),
    ),
  }),
);

export const consoleSessionResponse = named(
  'ConsoleSession',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.Optional(Type.String()),
    scope: scopeField,
    createdAt: time,
    lastSeenAt: time,
    expiresAt: Type.String({ description: 'When it ends without further requests. ISO 8601, UTC.' }),
    isCurrent: Type.Boolean({ description: 'Whether it makes this request.' }),
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
    Type.String({ pattern: KEY_NAME.source, description: 'At most 200 characters without control characters.' }),
  ),
  scope: Type.Optional(Type.Enum([...scopes], { default: DEFAULT_SCOPE, description })),
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
/** Options of a rotation, in which old and new secrets overlap. */
export const rotation = (name: string, what: string, seconds: number, description: string) =>
  named(
    name,
    closed(
      {
        overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000, default: seconds, description })),
      },
      `Options of ${what}.`,
    ),
  );
export const rotationBody = rotation('Rotation', 'a key rotation', 0, 'Seconds for which the old key stays valid.');
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

export type SignInResponse = Static<typeof signInResponse>;
export type MeResponse = Static<typeof meResponse>;
export type ConsoleSessionResponse = Static<typeof consoleSessionResponse>;
export type KeyResponse = Static<typeof keyResponse>;
export type NewKeyResponse = Static<typeof newKeyResponse>;
export type KeyBody = Static<typeof keyBody>;
export type RotationBody = Static<typeof rotationBody>;
