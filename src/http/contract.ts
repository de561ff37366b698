// The shapes of the administrative interface: what is validated, what is documented and what the console's types are
// made of. Rules that no schema can say stand in channels/playlistFaults.ts and channels/channelFaults.ts.
import { type Static, type TProperties, Type } from 'typebox';

export const closed = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });
const optional = Type.Optional;

/** Seconds: eleven days are longer than any asset, and keep sums within whole numbers. */
const MOST_SECONDS = 1_000_000;

const RECORD_ID = '^[A-Za-z0-9][A-Za-z0-9._~@:-]{0,127}$';
export const isRecordId = (text: string): boolean => new RegExp(RECORD_ID).test(text);
export const recordId = Type.String({
  pattern: RECORD_ID,
  description: '1 to 128 letters, digits and ._~@:- beginning with a letter or digit',
  examples: ['evening-loop'],
});
/** A filter of a query: text that a store can be asked for. PostgreSQL takes no zero byte. */
export const filterText = (most: number, description: string) =>
  Type.Optional(Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{0,${most}}$`, description }));
export const nameField = Type.String({ maxLength: 500 });
export const time = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-03-01T20:15:00.000Z'] });

export const written = {
  tenant: Type.String({ description: 'name of the owning tenant' }),
  createdBy: Type.String({ description: 'e-mail of the key that created it' }),
  createdAt: time,
  modifiedBy: optional(Type.String({ description: 'e-mail of the key that changed it last' })),
  modifiedAt: optional(time),
  __v: Type.Integer({ description: 'counts the changes' }),
};
/** Answered by us, ignored when sent: get, change, put works. */
export const readOnlyFields = ['_id', '__v', 'tenant', 'createdBy', 'createdAt', 'modifiedBy', 'modifiedAt'] as const;

const cuePoint = closed(
  {
    spliceTime: Type.Number({
      minimum: 0,
      maximum: MOST_SECONDS,
      description: 'where the break falls, in seconds or per cent (spliceType) of the item; 0 is a pre-roll',
    }),
    maxDuration: Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description: 'seconds that the break lasts' }),
    maxAds: optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'how many ads at most' })),
  },
  'An ad marker.',
);

const contentItem = closed(
  {
    sourceType: Type.Enum(['url', 'placeholder'], {
      description: '`placeholder` takes its URL from the query parameter `content` when the playlist is read',
    }),
    url: optional(
      Type.String({ maxLength: 8192, description: 'HLS or DASH manifest; for `url` only, which needs it' }),
    ),
    duration: optional(
      Type.Unsafe<number | string>({
        type: ['number', 'string'],
        exclusiveMinimum: 0,
        maximum: MOST_SECONDS,
        pattern: '^[0-9]{1,7}(\\.[0-9]{1,9})?$',
        description: 'seconds, as a number or a numeric string; answered as a number',
      }),
    ),
    spliceType: optional(
      Type.Enum(['seconds', 'percent'], { description: 'unit of its cue points; seconds when absent' }),
    ),
    cuePoints: optional(Type.Array(cuePoint, { maxItems: 500 })),
  },
  'One asset, or the place of one.',
);

const playlistFields = {
  name: optional(nameField),
  type: optional(Type.Enum(['vod2live', 'vod'])),
  status: optional(Type.Enum(['enabled', 'disabled'], { default: 'disabled' })),
  startDate: optional(Type.String({ maxLength: 40, description: 'ISO 8601 with a zone; anchors the loop' })),
  contents: optional(Type.Array(contentItem, { maxItems: 1000 })),
};
export const playlistBody = closed({ id: optional(recordId), ...playlistFields }, 'A playlist, as it is written.');
export const playlistAnswer = Type.Object({ id: recordId, ...playlistFields, ...written });
export const generatedPlaylist = Type.Object({ type: playlistFields.type, contents: playlistFields.contents });

const texts = (description: string) =>
  Type.Object(
    {},
    { additionalProperties: Type.String({ maxLength: 4096 }), maxProperties: 50, description },
  ) as unknown as ReturnType<typeof Type.Unsafe<Record<string, string>>>;

const adSource = closed(
  {
    url: Type.String({ maxLength: 8192, description: 'ad server, with macros like [CACHEBUSTING] where wanted' }),
    method: optional(Type.Enum(['GET', 'POST'], { default: 'GET' })),
    headers: optional(texts('request headers')),
    params: optional(texts('query parameters that are added to the URL')),
    timeoutMs: optional(Type.Integer({ minimum: 100, maximum: 10_000, default: 2000 })),
  },
  'Where ads are asked for.',
);

const bumperUrl = (place: string) =>
  optional(Type.String({ maxLength: 8192, description: `video file or manifest that is shown ${place}` }));
const bumpers = closed(
  { intro: bumperUrl('before the first ad'), outro: bumperUrl('at the end of the break') },
  'Clips of the channel around the ads of a break; not shown where there are no ads.',
);

const channelFields = {
  name: optional(nameField),
  type: optional(Type.Enum(['vod2live'], { default: 'vod2live' })),
  apiKey: optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,128}$',
      description: '1 to 128 printable ASCII characters, the api-key of the live routes; random when omitted',
    }),
  ),
  signingSecret: optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{16,128}$',
      description:
        '16 to 128 printable ASCII characters: sessions are opened only by addresses with `exp` and a `sig` made with it; answered as stored, so keep answers confidential',
    }),
  ),
  playlistId: optional(recordId),
  adSlateManifestUrl: optional(Type.String({ maxLength: 8192, description: 'slate; the built-in one when empty' })),
  adSource: optional(adSource),
  bumpers: optional(bumpers),
  fillThreshold: optional(
    Type.Number({
      minimum: 0,
      maximum: 60,
      default: 1,
      description: 'seconds of a break that must be left for one more ad to be put there',
    }),
  ),
  repeats: optional(
    Type.Enum(['allow', 'inPods', 'drop'], {
      default: 'inPods',
      description:
        'whether a creative may be shown twice in a break: always, only where the ad server ordered a pod by `sequence`, or never',
    }),
  ),
  playlistSize: optional(
    Type.Integer({ minimum: 10, maximum: 3600, default: 60, description: 'seconds that a manifest lists' }),
  ),
  timeShiftWindow: optional(
    Type.Integer({ minimum: 0, maximum: 86_400, default: 0, description: 'seconds that a viewer may go back' }),
  ),
  tracking: optional(Type.Enum(['server', 'client'], { default: 'server' })),
  announceAds: optional(
    Type.Boolean({
      default: true,
      description:
        'announces breaks and ads in manifests: EXT-X-DATERANGE in HLS, EventStream in DASH; off where ad-blockers look for them',
    }),
  ),
  confirmations: optional(
    Type.Boolean({
      default: false,
      description: 'whether players may say what they have shown; it stands in traces beside what was delivered',
    }),
  ),
  systemId: optional(Type.String({ maxLength: 128, description: 'the system that keeps its report events' })),
};
export const channelBody = closed(
  {
    id: optional(recordId),
    ...channelFields,
    state: optional(
      Type.Enum(['enabled', 'disabled', 'failed'], {
        default: 'disabled',
        description: '`failed` is what an enabled channel answers that cannot play; sent back, it means `enabled`',
      }),
    ),
  },
  'A channel, as it is written.',
);

const landedCuePoint = Type.Object({
  spliceTime: Type.Number({ description: 'as it was asked for' }),
  landsAt: optional(Type.Number({ description: 'the cut point that it was moved to, in seconds of the asset' })),
  reason: optional(Type.String({ description: 'why it makes no break, where it makes none' })),
  warning: optional(Type.String({ description: 'where it was moved by more than 5 s: by how much, and why' })),
});
export const itemStatus = Type.Object({
  index: Type.Integer({ description: 'which item of the playlist, from 0' }),
  url: optional(Type.String()),
  state: Type.Enum(['ready', 'importing', 'failed', 'leftOut'], {
    description:
      '`importing`: its asset is being read; `leftOut`: it was read, and does not fit the channel. While the channel has a `preparation`, `ready` means that the asset was read',
  }),
  reason: optional(Type.String({ description: 'why it is not ready, in a plain sentence' })),
  duration: optional(Type.Number({ description: 'seconds, measured' })),
  warnings: optional(
    Type.Array(Type.String(), {
      description: 'what is left out of its asset, or what players will see; plain sentences',
    }),
  ),
  cuePoints: optional(Type.Array(landedCuePoint)),
});
export const preparation = Type.Object(
  {
    step: Type.Enum(['assets', 'slate'], {
      description: 'what is waited for: its assets to be read, or its slate to be made',
    }),
    assets: Type.Integer({ description: 'different URLs in its playlist' }),
    assetsRead: Type.Integer({ description: 'how many of them were read, or failed' }),
    jobsAhead: optional(
      Type.Integer({ description: 'creatives and slate that are made before its slate; 0 while it is being made' }),
    ),
    isOnAir: Type.Boolean({
      description: 'whether viewers are served meanwhile: it is a change that is being prepared',
    }),
  },
  { description: 'how far it is; only while the channel, or a change of it, is being prepared' },
);
export const channelAnswer = Type.Object({
  id: recordId,
  ...channelFields,
  state: Type.Enum(['enabled', 'disabled', 'failed']),
  stateReason: optional(Type.String({ description: 'why it cannot play as asked' })),
  preparation: optional(preparation),
  items: optional(Type.Array(itemStatus, { description: 'what became of its playlist; not in lists' })),
  ...written,
});

export const errorAnswer = Type.Object({
  type: Type.String(),
  code: Type.Integer({ description: 'the status' }),
  message: Type.String(),
  name: Type.String(),
  data: optional(
    Type.Array(
      Type.Object({
        keyword: Type.String(),
        dataPath: Type.String({ description: 'JSON Pointer of the offending field' }),
        params: Type.Object({}),
        message: Type.String(),
      }),
    ),
  ),
  requestId: optional(Type.String({ description: 'with 5xx: what to look for in the log' })),
});

export type ErrorAnswer = Static<typeof errorAnswer>;
export type PlaylistAnswer = Static<typeof playlistAnswer>;
export type ChannelAnswer = Static<typeof channelAnswer>;
export type PlaylistBody = Static<typeof playlistBody>;
export type ChannelBody = Static<typeof channelBody>;
export type ItemStatus = Static<typeof itemStatus>;
export type Preparation = Static<typeof preparation>;
