// SPDX-License-Identifier: Apache-2.0
// The contract of assets: creatives and slate for the ladders of channels.
import { type Static, Type } from 'typebox';
import { creativeFaults } from '../../ads/creative/creative.ts';
import {
  allOptional,
  filterText,
  integer,
  list,
  number,
  oneOf,
  recordId,
  text,
  time,
  urlText,
} from './commonContract.ts';
import { namedBody, namedObject } from './named.ts';

const optional = Type.Optional;

export const ASSET_ID = /^[0-9a-f]{32}$/;
const states = ['ready', 'waiting', 'preparing', 'failing', 'failed'] as const;

export const assetBody = namedBody(
  'AssetBody',
  'Creatives to make in advance. Needs exactly one of mediaUrl, vastUrl and vast.',
  allOptional({
    mediaUrl: urlText('URL of a video file, HLS manifest or DASH manifest of one creative.'),
    vastUrl: urlText('URL of a VAST or VMAP document. The creatives of its ads are added.'),
    vast: text('A VAST or VMAP document.', { maxLength: 1_000_000 }),
    channels: list(recordId, 'IDs of the channels whose ladders to use. Default: all enabled channels.', {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
    }),
  }),
);

const rendition = Type.Object({
  id: text('Rung of the ladder.'),
  kind: Type.Enum(['video', 'audio', 'muxed', 'text']),
  codecs: Type.String(),
  bandwidth: number('Peak bit rate in bits per second.'),
  width: optional(Type.Integer()),
  height: optional(Type.Integer()),
});

export const assetResponse = namedObject('Asset', {
  id: text('32 hexadecimal digits. Identifies one creative for one ladder.'),
  kind: Type.Enum(['creative', 'slate']),
  state: oneOf(
    [...states],
    '`failing`: it has failed and is tried again. `failed`: it is tried again when an ad server returns it after some hours, or when you retry it.',
  ),
  fault: optional(oneOf(creativeFaults, 'Fault code of the last failure.')),
  reason: optional(text('Why the last attempt failed.')),
  attempts: integer('Number of attempts so far.'),
  nextAttemptAt: optional(time),
  source: optional(text('Source URL with secrets masked. Absent for the built-in slate.')),
  adId: optional(text('ID of the ad that it was first requested for.')),
  creativeId: optional(text('ID of the creative in that ad.')),
  title: optional(text('Title of that ad.')),
  adsLost: optional(
    integer('Ads of the last hour that were not shown because it was not ready. Only for the whole tenant.'),
  ),
  channels: list(Type.String(), 'IDs of your channels that use it.'),
  duration: optional(number('Seconds.')),
  renditions: optional(Type.Array(rendition)),
  bytes: optional(integer('Stored size of all renditions.')),
  createdAt: time,
  madeAt: optional(time),
  lastUsedAt: optional(text('Time of the last request by a player, rounded to the hour. ISO 8601, UTC.')),
  thumbnail: optional(text('Path of a thumbnail.')),
});

export const assetsAdded = namedObject('AddedAssets', {
  assets: Type.Array(assetResponse),
  skipped: list(
    Type.Object({
      adId: Type.String(),
      title: optional(Type.String()),
      reason: Type.Object({ code: Type.String(), text: text('The reason in one sentence.') }),
    }),
    'Ads of the VAST document that were skipped.',
  ),
  warnings: list(Type.String(), 'Problems in the VAST document that were tolerated.'),
});

export const assetFilter = {
  state: optional(oneOf([...states], 'Returns only assets in this state.')),
  channel: filterText(128, 'Returns only assets of the channel with this ID.'),
};

export type AssetBody = Static<typeof assetBody>;
export type AssetResponse = Static<typeof assetResponse>;
export type AssetsAdded = Static<typeof assetsAdded>;
