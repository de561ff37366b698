// SPDX-License-Identifier: Apache-2.0
// The contract of changes of live origins.
import { type Static, Type } from 'typebox';
import { integer, oneOf, text } from './commonContract.ts';

const optional = Type.Optional;

export const originEvents = Type.Object({
  total: integer('Number of events in the range.'),
  items: Type.Array(
    Type.Object({
      at: text('When it was noticed. ISO 8601, UTC.'),
      origin: Type.Enum(['hls', 'dash']),
      state: oneOf(['ok', 'stalled', 'ended', 'failing'], 'As in `health` of the origin.'),
      onAir: oneOf(['source', 'backup', 'slate'], 'What viewers are shown content from.'),
      url: optional(text('The URL that is on air; absent for slate.')),
      reason: optional(text('Why it is failing or stalled, or why slate is on air.')),
    }),
    { description: 'Newest first. The last 7 days are kept.' },
  ),
});

export type OriginEvents = Static<typeof originEvents>;
