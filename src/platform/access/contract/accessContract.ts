// SPDX-License-Identifier: Apache-2.0
// The contract of access: scopes, who makes a request, and the sessions of users in the console.

import { type Static, Type } from 'typebox';
import { recordId, time } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';
import { DEFAULT_SCOPE, scopes } from '../rules/scope.ts';

const description =
  '`read`: read everything except credentials. `operate`: also what is done on air, such as breaks and switching channels on and off. `manage`: everything.';
export const scopeField = Type.Enum([...scopes], { description });
export const givenScope = Type.Enum([...scopes], { default: DEFAULT_SCOPE, description });
export const channelsField = Type.Array(recordId, {
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

export type SignInResponse = Static<typeof signInResponse>;
export type MeResponse = Static<typeof meResponse>;
export type ConsoleSessionResponse = Static<typeof consoleSessionResponse>;
