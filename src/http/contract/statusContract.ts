// SPDX-License-Identifier: Apache-2.0
// The contract of the status of a channel and of the items of its playlist.
import { type Static, Type } from 'typebox';
import type * as planned from '../../planning/status.ts';
import { flag, integer, list, number, object, oneOf, text, time } from './commonContract.ts';
import type { LiveStatus } from './liveContract.ts';
import type { DeepReadonly, Matching, Mutable } from './matching.ts';
import { named, namedObject } from './named.ts';

const optional = Type.Optional;
const seconds = number('Measured duration in seconds.');

const landedCuePoint = Type.Object({
  spliceTime: number('The requested position.'),
  landsAt: optional(number('The cut point that it was moved to, in seconds from the start of the asset.')),
  reason: optional(text('Why it does not become a break.')),
  warning: optional(text('Present if it was moved by more than 5 s: by how much, and why.')),
});
export const itemStatus = namedObject('ItemStatus', {
  index: integer('Index of the item in the playlist, from 0.'),
  entryId: optional(text('ID of the entry of the schedule, if the channel has one.')),
  url: optional(Type.String()),
  state: oneOf(
    ['ready', 'importing', 'failed', 'leftOut'],
    '`importing`: its asset is being imported. `leftOut`: it was imported but does not fit the channel. While the channel has a `preparation`, `ready` only means that the asset was imported.',
  ),
  reason: optional(text('Why it is not ready.')),
  duration: optional(seconds),
  warnings: optional(list(Type.String(), 'What is left out of the asset, and what players will notice.')),
  cuePoints: optional(Type.Array(landedCuePoint)),
});
export const titleImport = Type.Object({
  url: text('As named by `content`.'),
  state: Type.Enum(['importing', 'ready', 'failed']),
  reason: optional(text('Why the import failed.')),
  duration: optional(seconds),
  startedAt: time,
  updatedAt: time,
});
export const preparation = object(
  'Progress of the preparation. Present only while the channel, or a change of it, is being prepared.',
  {
    step: oneOf(['assets', 'slate'], 'The current step: importing its assets, or making its slate.'),
    assets: integer('Number of distinct URLs in its playlist.'),
    assetsRead: integer('How many of them were imported or failed.'),
    jobsAhead: optional(integer('Number of jobs that run before its slate is prepared. 0 while it is being prepared.')),
    isOnAir: flag('Whether the channel is on air meanwhile, because a change of it is being prepared.'),
  },
);
/** `failed` if an enabled channel cannot play. */
export const channelState = {
  state: Type.Enum(['enabled', 'disabled', 'failed']),
  stateReason: optional(text('Why the channel does not play as configured.')),
};
const stateSchema = Type.Object(channelState);

const since = text('Since when. ISO 8601, UTC.', { examples: ['2026-03-01T20:15:00.000Z'] });
const sentence = text('What is wrong, in one sentence.');
const channelProblem = named(
  'ChannelProblem',
  Type.Union(
    [
      object('Ad requests of the channel fail.', {
        kind: Type.Literal('ad-server'),
        since,
        text: sentence,
        adServer: text('Host and port of the ad server that fails.'),
        fillRate: optional(number('Fill rate of the channel in the last hour, 0 to 1. Absent without breaks.')),
      }),
      object('Creatives of the channel cannot be prepared.', {
        kind: Type.Literal('creative'),
        since,
        text: sentence,
        creatives: integer('Number of creatives that were requested in the last hour and are not ready.'),
        failing: integer('How many of them are tried again; the others have failed.'),
        adsLost: optional(integer('Ads that were not shown in the last hour because their creative had failed.')),
      }),
      object('The channel does not play as configured: its `stateReason`.', {
        kind: Type.Literal('state'),
        since: optional(since),
        text: sentence,
      }),
    ],
    { description: 'A problem of a channel.' },
  ),
);
export const problems = list(channelProblem, 'What is wrong with an enabled channel now. Absent if nothing is.');
export type ChannelProblem = Static<typeof channelProblem>;

export type ItemStatus = Matching<Static<typeof itemStatus>, Mutable<planned.ItemStatus>>;
export type TitleImport = Static<typeof titleImport>;
export type Preparation = Matching<Static<typeof preparation>, Mutable<planned.Preparation & { isOnAir: boolean }>>;
/** `items`, `titles` and `live` are absent in lists. */
export type ChannelStatus = Matching<
  Static<typeof stateSchema>,
  Mutable<Pick<planned.ChannelStatus, 'state' | 'stateReason'>>
> & {
  readonly preparation?: Preparation;
  readonly problems?: readonly ChannelProblem[];
  readonly items?: readonly ItemStatus[];
  readonly titles?: readonly TitleImport[];
  readonly live?: DeepReadonly<LiveStatus>;
};
