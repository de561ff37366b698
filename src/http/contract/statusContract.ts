// SPDX-License-Identifier: Apache-2.0
// The contract of the status of a channel and of the items of its playlist.

import { type Static, Type } from 'typebox';
import type * as planned from '../../planning/status.ts';
import { time } from './commonContract.ts';
import type { LiveStatus } from './liveContract.ts';
import type { DeepReadonly, Matching, Mutable } from './matching.ts';
import { named } from './named.ts';

const optional = Type.Optional;
const seconds = Type.Number({ description: 'Measured duration in seconds.' });

const landedCuePoint = Type.Object({
  spliceTime: Type.Number({ description: 'The requested position.' }),
  landsAt: optional(
    Type.Number({ description: 'The cut point that it was moved to, in seconds from the start of the asset.' }),
  ),
  reason: optional(Type.String({ description: 'Why it does not become a break.' })),
  warning: optional(Type.String({ description: 'Present if it was moved by more than 5 s: by how much, and why.' })),
});
export const itemStatus = named(
  'ItemStatus',
  Type.Object({
    index: Type.Integer({ description: 'Index of the item in the playlist, from 0.' }),
    url: optional(Type.String()),
    state: Type.Enum(['ready', 'importing', 'failed', 'leftOut'], {
      description:
        '`importing`: its asset is being imported. `leftOut`: it was imported but does not fit the channel. While the channel has a `preparation`, `ready` only means that the asset was imported.',
    }),
    reason: optional(Type.String({ description: 'Why it is not ready.' })),
    duration: optional(seconds),
    warnings: optional(
      Type.Array(Type.String(), { description: 'What is left out of the asset, and what players will notice.' }),
    ),
    cuePoints: optional(Type.Array(landedCuePoint)),
  }),
);
export const titleImport = Type.Object({
  url: Type.String({ description: 'As named by `content`.' }),
  state: Type.Enum(['importing', 'ready', 'failed']),
  reason: optional(Type.String({ description: 'Why the import failed.' })),
  duration: optional(seconds),
  startedAt: time,
  updatedAt: time,
});
export const preparation = Type.Object(
  {
    step: Type.Enum(['assets', 'slate'], {
      description: 'The current step: importing its assets, or making its slate.',
    }),
    assets: Type.Integer({ description: 'Number of distinct URLs in its playlist.' }),
    assetsRead: Type.Integer({ description: 'How many of them were imported or failed.' }),
    jobsAhead: optional(
      Type.Integer({ description: 'Number of jobs that run before its slate is made. 0 while it is being made.' }),
    ),
    isOnAir: Type.Boolean({
      description: 'Whether the channel is on air meanwhile, because a change of it is being prepared.',
    }),
  },
  { description: 'Progress of the preparation. Present only while the channel, or a change of it, is being prepared.' },
);
/** `failed` if an enabled channel cannot play. */
export const channelState = {
  state: Type.Enum(['enabled', 'disabled', 'failed']),
  stateReason: optional(Type.String({ description: 'Why the channel does not play as configured.' })),
};
const stateSchema = Type.Object(channelState);

export type ItemStatus = Matching<Static<typeof itemStatus>, Mutable<planned.ItemStatus>>;
export type TitleImport = Static<typeof titleImport>;
export type Preparation = Matching<Static<typeof preparation>, Mutable<planned.Preparation & { isOnAir: boolean }>>;
/** `items`, `titles` and `live` are absent in lists. */
export type ChannelStatus = Matching<
  Static<typeof stateSchema>,
  Mutable<Pick<planned.ChannelStatus, 'state' | 'stateReason'>>
> & {
  readonly preparation?: Preparation;
  readonly items?: readonly ItemStatus[];
  readonly titles?: readonly TitleImport[];
  readonly live?: DeepReadonly<LiveStatus>;
};
