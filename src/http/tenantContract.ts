// The shapes of systems and keys; the others stand in contract.ts.
import { type Static, Type } from 'typebox';
import { EMAIL, KEY_NAME, LONGEST_EMAIL } from '../tenants/tenant.ts';
import { closed, nameField, time, written } from './contract.ts';

const systemType = Type.Enum(['ssai', 'cloud-media-services']);
const systemFields = {
  name: nameField,
  type: systemType,
  settings: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: Type.String({ maxLength: 8192 }),
        description: 'strings; which ones depends on the type. They hold credentials and are answered as stored',
      },
    ) as unknown as ReturnType<typeof Type.Unsafe<Record<string, string>>>,
  ),
};
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const isSystemId = (text: string): boolean => new RegExp(UUID).test(text);
export const systemId = Type.String({
  pattern: UUID,
  description: 'a UUID',
});
export const systemBody = closed({ id: Type.Optional(systemId), ...systemFields }, 'A system, as it is written.');
export const systemAnswer = Type.Object({
  _id: Type.String(),
  id: systemId,
  ...systemFields,
  state: Type.Optional(
    Type.Enum(['working', 'failing', 'unused'], { description: 'only of a system that lies elsewhere, when known' }),
  ),
  stateReason: Type.Optional(Type.String({ description: 'how it does, in a plain sentence' })),
  ...written,
});

const keyFields = {
  email: Type.Optional(
    Type.String({
      pattern: EMAIL.source,
      maxLength: LONGEST_EMAIL,
      description: 'an e-mail address: the owner, you when omitted',
    }),
  ),
  name: Type.Optional(
    Type.String({
      pattern: KEY_NAME.source,
      description: 'at most 200 characters, no control characters',
    }),
  ),
};
export const keyBody = closed(keyFields, 'A new key.');
export const rotationBody = closed(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, default: 0, description: 'how long the old key goes on working' }),
    ),
  },
  'How to rotate.',
);
export const keyAnswer = Type.Object({
  id: Type.String(),
  tenant: Type.String(),
  email: Type.String(),
  name: Type.Optional(nameField),
  hint: Type.String({ description: 'how the key begins' }),
  createdBy: Type.String(),
  createdAt: time,
  lastUsedAt: Type.Optional(time),
  expiresAt: Type.Optional(time),
});
export const newKeyAnswer = Type.Object({
  ...keyAnswer.properties,
  key: Type.String({ description: 'the key itself, shown this once' }),
});

export type SystemAnswer = Static<typeof systemAnswer>;
export type KeyAnswer = Static<typeof keyAnswer>;
export type NewKeyAnswer = Static<typeof newKeyAnswer>;
export type SystemBody = Static<typeof systemBody>;
export type KeyBody = Static<typeof keyBody>;
export type RotationBody = Static<typeof rotationBody>;
