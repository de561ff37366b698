// SPDX-License-Identifier: Apache-2.0
// The contract of overviews and source checks: the installation, what is on air on every channel, whether a source can
// be played.
import { type Static, Type } from 'typebox';
import { timelineEntry } from './airContract.ts';
import { flag, integer, labelsField, list, number, oneOf, recordId, text, time, urlText } from './commonContract.ts';
import { foundRendition } from './liveContract.ts';
import { namedBody, namedObject } from './named.ts';
import { cuePoint } from './playlistContract.ts';
import { channelState, preparation, problems } from './statusContract.ts';

const optional = Type.Optional;

export const installationResponse = namedObject('Installation', {
  version: text('Version of Midroll.'),
  tenant: text('Name of the tenant that the key belongs to.'),
  email: text('E-mail address of the owner of the key.'),
  liveUrl: text('Base URL for players.'),
  offAirGrace: integer('Seconds after disabling a channel within which enabling it continues its sessions.'),
  degraded: optional(text('What does not work on the node that responds, as in its `/ready`, in a sentence.')),
});

export const onAirResponse = namedObject('OnAirChannel', {
  id: recordId,
  name: optional(Type.String()),
  labels: optional(labelsField),
  adSourceLabels: optional({ ...labelsField, description: 'Labels of its ad source.' }),
  type: oneOf(['vod2live', 'vod', 'live'], 'VoD channels have no `now`, `next` and `nextBreak`.'),
  ...channelState,
  preparation: optional(preparation),
  problems: optional(problems),
  playlistId: optional(recordId),
  viewers: integer('Sessions with a request within the last minute.'),
  isEstimate: optional(
    Type.Literal(true, {
      description:
        'The channel guides players, whose requests caches answer: guided viewers count for ten minutes after a request.',
    }),
  ),
  now: optional(timelineEntry),
  next: optional(timelineEntry),
  nextBreak: optional(timelineEntry),
});

const spliceType = optional(oneOf(['seconds', 'percent'], 'Unit of `spliceTime`. Default: seconds.'));
export const importBody = namedBody('Source', 'A source to check.', {
  url: urlText('http or https URL of an HLS or DASH manifest.'),
  isFresh: optional(flag('Import the source again even if it was imported recently.', { default: false })),
  spliceType,
  cuePoints: optional(list(cuePoint, 'Cue points to test.', { maxItems: 500 })),
});

export const importResponse = namedObject('SourceCheck', {
  url: Type.String(),
  state: oneOf(['ready', 'importing', 'failed'], '`importing`: repeat the request in a moment.'),
  reason: optional(text('Why it cannot be played.')),
  duration: optional(number('Measured duration in seconds.')),
  cutPoints: optional(list(Type.Number(), 'Where breaks can start, in seconds from the start of the asset.')),
  renditions: optional(Type.Array(foundRendition)),
  warnings: optional(Type.Array(Type.String())),
  cuePoints: optional(
    Type.Array(
      Type.Object({
        spliceTime: Type.Number(),
        landsAt: optional(number('The cut point, in seconds from the start of the asset.')),
        reason: optional(text('Why it would not become a break.')),
        warning: optional(text('Present if it would be moved by more than 5 s: by how much, and why.')),
      }),
    ),
  ),
});

export const mixBody = namedBody('SourceUrls', 'The sources of a playlist.', {
  urls: list(urlText('URL of a source.'), 'In the order of the playlist.', { maxItems: 1000 }),
});

export const mixResponse = namedObject('SourceMix', {
  first: optional(text('The first source that can be played. The others are compared with it.')),
  misfits: list(
    Type.Object({ url: Type.String(), reason: text('What differs from the first, such as codec or segment format.') }),
    'Sources that a channel which starts with the first one leaves out.',
  ),
});

export type SourceMix = Static<typeof mixResponse>;
export type Installation = Static<typeof installationResponse>;
export type OnAirChannel = Static<typeof onAirResponse>;
export type ImportBody = Static<typeof importBody>;
export type ImportResponse = Static<typeof importResponse>;

export const previewResponse = Type.Object({
  token: text('The value of `midroll-preview` in a playback URL of the channel.'),
  expiresAt: { ...time, description: 'Until when the token opens previews. They may last longer.' },
});
