// The shapes of assets: creatives and slate, made or to be made for channels' ladders.

import { type Static, Type } from 'typebox';
import { creativeFaults } from '../ads/creative/creativeFault.ts';
import { closed, filterText, recordId, time } from './contract.ts';

const optional = Type.Optional;

export const ASSET_ID = /^[0-9a-f]{32}$/;
const states = ['waiting', 'preparing', 'ready', 'failed'] as const;

export const assetBody = closed(
  {
    mediaUrl: optional(
      Type.String({ maxLength: 8192, description: 'a video file, or an HLS or DASH manifest, of one creative' }),
    ),
    vastUrl: optional(
      Type.String({ maxLength: 8192, description: 'a VAST or VMAP document: the creatives of its ads' }),
    ),
    vast: optional(Type.String({ maxLength: 1_000_000, description: 'such a document itself' })),
    channels: optional(
      Type.Array(recordId, {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'for whose ladders; all enabled channels when omitted',
      }),
    ),
  },
  'What is to be made before a viewer comes: exactly one of mediaUrl, vastUrl and vast.',
);

const rendition = Type.Object({
  id: Type.String({ description: 'the rung of the ladder' }),
  kind: Type.Enum(['video', 'audio', 'muxed', 'text']),
  codecs: Type.String(),
  bandwidth: Type.Number({ description: 'bits a second, at most' }),
  width: optional(Type.Integer()),
  height: optional(Type.Integer()),
});

export const assetAnswer = Type.Object({
  id: Type.String({ description: '32 hexadecimal digits: one creative for one ladder' }),
  kind: Type.Enum(['creative', 'slate']),
  state: Type.Enum([...states], { description: '`waiting` with a reason: it failed and is tried again' }),
  fault: optional(Type.Enum(creativeFaults, { description: 'why it failed, for counting' })),
  reason: optional(Type.String({ description: 'why it failed, in a plain sentence' })),
  attempts: Type.Integer({ description: 'how often its making was begun' }),
  nextAttemptAt: optional(time),
  source: optional(Type.String({ description: 'where it comes from, secrets masked; absent for the built-in slate' })),
  channels: Type.Array(Type.String(), { description: 'for which of your channels it is made' }),
  duration: optional(Type.Number({ description: 'seconds' })),
  renditions: optional(Type.Array(rendition)),
  bytes: optional(Type.Integer({ description: 'of all renditions, as they are stored' })),
  createdAt: time,
  madeAt: optional(time),
  lastUsedAt: optional(Type.String({ description: 'when a player asked for it, to the hour; ISO 8601, UTC' })),
  thumbnail: optional(Type.String({ description: 'path of a picture of it' })),
});

export const assetsAdded = Type.Object({
  assets: Type.Array(assetAnswer),
  skipped: Type.Array(
    Type.Object({
      adId: Type.String(),
      title: optional(Type.String()),
      reason: Type.Object({ code: Type.String(), text: Type.String({ description: 'one plain sentence' }) }),
    }),
    { description: 'ads of the VAST document that nothing is made of' },
  ),
  warnings: Type.Array(Type.String(), { description: 'what was odd about the VAST document' }),
});

export const assetFilter = {
  state: optional(Type.Enum([...states], { description: 'only those' })),
  channel: filterText(128, 'id of a channel: only those made for it'),
};

export type AssetBody = Static<typeof assetBody>;
export type AssetAnswer = Static<typeof assetAnswer>;
export type AssetsAdded = Static<typeof assetsAdded>;
