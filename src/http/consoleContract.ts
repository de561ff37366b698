// The shapes of what the console asks besides the records: who one is and where players go, what is on air everywhere,
// whether a source can be played.
import { type Static, Type } from 'typebox';
import { timelineEntry } from './airContract.ts';
import { closed, preparation, recordId } from './contract.ts';

const optional = Type.Optional;

export const installationAnswer = Type.Object({
  version: Type.String({ description: 'of Midroll' }),
  tenant: Type.String({ description: 'name of the tenant that the key belongs to' }),
  email: Type.String({ description: 'whom the key speaks for' }),
  liveUrl: Type.String({ description: 'where players go' }),
});

export const onAirAnswer = Type.Object({
  id: recordId,
  name: optional(Type.String()),
  state: Type.Enum(['enabled', 'disabled', 'failed']),
  stateReason: optional(Type.String({ description: 'what is not as it was asked for' })),
  preparation: optional(preparation),
  playlistId: optional(recordId),
  viewers: Type.Integer({ description: 'sessions that asked for something within the last minute' }),
  now: optional(timelineEntry),
  next: optional(timelineEntry),
  nextBreak: optional(timelineEntry),
});

const spliceType = optional(
  Type.Enum(['seconds', 'percent'], { description: 'unit of spliceTime; seconds when absent' }),
);
const wantedCuePoint = closed(
  {
    spliceTime: Type.Number({ minimum: 0, maximum: 1_000_000 }),
    maxDuration: Type.Number({ exclusiveMinimum: 0, maximum: 86_400 }),
    maxAds: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  'A cue point as a playlist has it.',
);
export const importBody = closed(
  {
    url: Type.String({ maxLength: 8192, description: 'HLS or DASH manifest, http or https' }),
    isFresh: optional(Type.Boolean({ description: 'read it anew, however lately it was read', default: false })),
    spliceType,
    cuePoints: optional(Type.Array(wantedCuePoint, { maxItems: 500, description: 'to learn where they would land' })),
  },
  'A source that is to be looked at.',
);

const rendition = Type.Object({
  kind: Type.Enum(['video', 'audio', 'muxed', 'text']),
  codecs: Type.String(),
  bandwidth: Type.Integer({ description: 'bits a second' }),
  width: optional(Type.Integer()),
  height: optional(Type.Integer()),
  framesPerSecond: optional(Type.Number()),
  language: optional(Type.String()),
});
export const importAnswer = Type.Object({
  url: Type.String(),
  state: Type.Enum(['ready', 'importing', 'failed'], { description: '`importing`: ask again in a moment' }),
  reason: optional(Type.String({ description: 'why it cannot be played, in a plain sentence' })),
  duration: optional(Type.Number({ description: 'seconds, measured' })),
  cutPoints: optional(Type.Array(Type.Number(), { description: 'where breaks can fall, in seconds of the asset' })),
  renditions: optional(Type.Array(rendition)),
  warnings: optional(Type.Array(Type.String())),
  cuePoints: optional(
    Type.Array(
      Type.Object({
        spliceTime: Type.Number(),
        landsAt: optional(Type.Number({ description: 'in seconds of the asset' })),
        reason: optional(Type.String({ description: 'why it would make no break' })),
        warning: optional(
          Type.String({ description: 'where it would be moved by more than 5 s: by how much, and why' }),
        ),
      }),
    ),
  ),
});

export type Installation = Static<typeof installationAnswer>;
export type OnAirChannel = Static<typeof onAirAnswer>;
export type ImportBody = Static<typeof importBody>;
export type ImportAnswer = Static<typeof importAnswer>;
