// SPDX-License-Identifier: Apache-2.0
// The contract of overviews and source checks: the installation, what is on air on every channel, whether a source can
// be played.

import { type Static, Type } from 'typebox';
import { timelineEntry } from './airContract.ts';
import { closed, recordId, time } from './commonContract.ts';
import { foundRendition } from './liveContract.ts';
import { named } from './named.ts';
import { cuePoint } from './playlistContract.ts';
import { channelState, preparation } from './statusContract.ts';

const optional = Type.Optional;

export const installationResponse = named(
  'Installation',
  Type.Object({
    version: Type.String({ description: 'Version of Midroll.' }),
    tenant: Type.String({ description: 'Name of the tenant that the key belongs to.' }),
    email: Type.String({ description: 'E-mail address of the owner of the key.' }),
    liveUrl: Type.String({ description: 'Base URL for players.' }),
    degraded: optional(
      Type.String({ description: 'What does not work on the node that responds, as in its `/ready`, in a sentence.' }),
    ),
  }),
);

export const onAirResponse = named(
  'OnAirChannel',
  Type.Object({
    id: recordId,
    name: optional(Type.String()),
    type: Type.Enum(['vod2live', 'vod', 'live'], {
      description: 'VoD channels have no `now`, `next` and `nextBreak`.',
    }),
    ...channelState,
    preparation: optional(preparation),
    playlistId: optional(recordId),
    viewers: Type.Integer({ description: 'Sessions with a request within the last minute.' }),
    now: optional(timelineEntry),
    next: optional(timelineEntry),
    nextBreak: optional(timelineEntry),
  }),
);

const spliceType = optional(
  Type.Enum(['seconds', 'percent'], { description: 'Unit of `spliceTime`. Default: seconds.' }),
);
export const importBody = named(
  'Source',
  closed(
    {
      url: Type.String({ maxLength: 8192, description: 'http or https URL of an HLS or DASH manifest.' }),
      isFresh: optional(
        Type.Boolean({ description: 'Import the source again even if it was imported recently.', default: false }),
      ),
      spliceType,
      cuePoints: optional(Type.Array(cuePoint, { maxItems: 500, description: 'Cue points to test.' })),
    },
    'A source to check.',
  ),
);

export const importResponse = named(
  'SourceCheck',
  Type.Object({
    url: Type.String(),
    state: Type.Enum(['ready', 'importing', 'failed'], { description: '`importing`: repeat the request in a moment.' }),
    reason: optional(Type.String({ description: 'Why it cannot be played.' })),
    duration: optional(Type.Number({ description: 'Measured duration in seconds.' })),
    cutPoints: optional(
      Type.Array(Type.Number(), { description: 'Where breaks can start, in seconds from the start of the asset.' }),
    ),
    renditions: optional(Type.Array(foundRendition)),
    warnings: optional(Type.Array(Type.String())),
    cuePoints: optional(
      Type.Array(
        Type.Object({
          spliceTime: Type.Number(),
          landsAt: optional(Type.Number({ description: 'The cut point, in seconds from the start of the asset.' })),
          reason: optional(Type.String({ description: 'Why it would not become a break.' })),
          warning: optional(
            Type.String({ description: 'Present if it would be moved by more than 5 s: by how much, and why.' }),
          ),
        }),
      ),
    ),
  }),
);

export type Installation = Static<typeof installationResponse>;
export type OnAirChannel = Static<typeof onAirResponse>;
export type ImportBody = Static<typeof importBody>;
export type ImportResponse = Static<typeof importResponse>;

export const previewResponse = Type.Object({
  token: Type.String({ description: 'The value of `midroll-preview` in a playback URL of the channel.' }),
  expiresAt: { ...time, description: 'Until when the token opens previews. They may last longer.' },
});
