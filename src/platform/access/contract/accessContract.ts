// SPDX-License-Identifier: Apache-2.0
// The contract of access: scopes, who makes a request, the sessions of users in the console, and API keys.

import { type Static, Type } from 'typebox';
import {
  allOptional,
  integer,
  labelsField,
  list,
  NO_CONTROLS,
  nameField,
  object,
  oneOf,
  recordId,
  text,
  time,
} from '../../../http/contract/commonContract.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';
import { DEFAULT_SCOPE, MAX_KEY_CHANNELS, scopes } from '../rules/scope.ts';
import { EMAIL_PATTERN, LONGEST_EMAIL, LONGEST_KEY_NAME } from '../rules/tenant.ts';

const optional = Type.Optional;
const description =
  '`read`: read everything except credentials. `operate`: also what is done on air, such as breaks and switching channels on and off. `manage`: everything.';
const scopeField = oneOf([...scopes], description);
const channelsField = list(recordId, 'IDs of the only channels that can be accessed. Absent: the whole tenant.');
const channelLabels = (more: string) => ({
  ...labelsField,
  description: `Labels of the only channels that can be accessed, in addition to \`channels\`.${more}`,
});
const allowedLabels = optional(channelLabels(''));

export const signInResponse = Type.Object({
  openId: optional(object('Absent if not set up.', { name: text('Name of the provider.') })),
});

export const meResponse = namedObject('Me', {
  kind: oneOf(['key', 'user'], '`user`: signed in to the console with OpenID Connect.'),
  tenant: Type.String(),
  email: text('Recorded as the author of changes.'),
  name: optional(text('Name of the user or the key.')),
  scope: scopeField,
  channels: optional(channelsField),
  labels: allowedLabels,
  expiresAt: optional(text('When the key or, without further requests, the session ends. ISO 8601, UTC.')),
});

export const consoleSessionResponse = namedObject('ConsoleSession', {
  id: Type.String(),
  email: Type.String(),
  name: optional(Type.String()),
  scope: scopeField,
  createdAt: time,
  lastSeenAt: time,
  expiresAt: text('When it ends without further requests. ISO 8601, UTC.'),
  isCurrent: Type.Boolean({ description: 'Whether it makes this request.' }),
});

const keyFields = allOptional({
  email: Type.String({
    pattern: EMAIL_PATTERN,
    maxLength: LONGEST_EMAIL,
    description: 'An e-mail address. Owner of the key; default: the owner of the key that makes the request.',
  }),
  name: text(`At most ${LONGEST_KEY_NAME} characters without control characters.`, {
    pattern: NO_CONTROLS,
    maxLength: LONGEST_KEY_NAME,
  }),
  scope: oneOf([...scopes], description, { default: DEFAULT_SCOPE }),
  channels: list(
    recordId,
    'IDs of the only channels that the key can access. Default: those of the key that makes the request.',
    { minItems: 1, maxItems: MAX_KEY_CHANNELS, uniqueItems: true },
  ),
  labels: {
    ...channelLabels(' Default: with `channels`, none; else those of the key that makes the request.'),
    minItems: 1,
  },
  expiresAt: Type.String({
    maxLength: 40,
    description:
      'ISO 8601 with a time zone, in the future. From then on the key is rejected. At most, and by default, the expiry of the key that makes the request.',
    examples: ['2027-01-01T00:00:00Z'],
  }),
});
export const keyBody = namedBody('KeyBody', 'A new key.', keyFields);
/** Options of a rotation, in which old and new secrets overlap. */
export const rotation = (name: string, what: string, seconds: number, about: string) => {
  const overlapSeconds = optional(integer(about, { minimum: 0, maximum: 2_592_000, default: seconds }));
  return namedBody(name, `Options of ${what}.`, { overlapSeconds });
};
export const rotationBody = rotation('Rotation', 'a key rotation', 0, 'Seconds for which the old key stays valid.');
export const keyResponse = namedObject('Key', {
  id: Type.String(),
  tenant: Type.String(),
  email: Type.String(),
  name: optional(nameField),
  hint: text('First characters of the key.'),
  scope: scopeField,
  channels: optional({ ...channelsField, description: 'IDs of the only channels that can be accessed.' }),
  labels: allowedLabels,
  createdBy: Type.String(),
  createdAt: time,
  lastUsedAt: optional(time),
  expiresAt: optional(time),
});
export const newKeyResponse = namedObject('NewKey', {
  ...keyResponse.properties,
  key: text('The key itself. Only in this response.'),
});

export type SignInResponse = Static<typeof signInResponse>;
export type MeResponse = Static<typeof meResponse>;
export type ConsoleSessionResponse = Static<typeof consoleSessionResponse>;
export type KeyResponse = Static<typeof keyResponse>;
export type NewKeyResponse = Static<typeof newKeyResponse>;
export type KeyBody = Static<typeof keyBody>;
export type RotationBody = Static<typeof rotationBody>;
