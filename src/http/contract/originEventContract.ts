// SPDX-License-Identifier: Apache-2.0
// The contract of changes of live origins.
import { type Static, Type } from 'typebox';

const optional = Type.Optional;

export const originEvents = Type.Object({
  total: Type.Integer({ description: 'Number of events in the range.' }),
  items: Type.Array(
    Type.Object({
      at: Type.String({ description: 'When it was noticed. ISO 8601, UTC.' }),
      origin: Type.Enum(['hls', 'dash']),
      state: Type.Enum(['ok', 'stalled', 'ended', 'failing'], { description: 'As in `health` of the origin.' }),
      onAir: Type.Enum(['source', 'backup', 'slate'], { description: 'What viewers are shown content from.' }),
      url: optional(Type.String({ description: 'The URL that is on air; absent for slate.' })),
      reason: optional(Type.String({ description: 'Why it is failing or stalled, or why slate is on air.' })),
    }),
    { description: 'Newest first. The last 7 days are kept.' },
  ),
});

export type OriginEvents = Static<typeof originEvents>;
