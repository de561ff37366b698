// SPDX-License-Identifier: Apache-2.0
// The contract of playlists. Rules that a schema cannot express are in channels/playlistFaults.ts.
import { type Static, Type } from 'typebox';
import {
  allOptional,
  closed,
  integer,
  labelsField,
  nameField,
  number,
  object,
  oneOf,
  recordId,
  text,
  urlText,
  written,
} from './commonContract.ts';
import { namedBody, namedObject } from './named.ts';

const optional = Type.Optional;

/** Eleven days, longer than any asset. Sums stay exact integers in milliseconds. */
const MAX_SECONDS = 1_000_000;

export const cuePoint = closed('A cue point: where a break starts and how long it is.', {
  spliceTime: number(
    'Position of the break in the item, in seconds or per cent (see `spliceType`). 0 is a pre-roll, -1 a post-roll.',
    { minimum: -1, maximum: MAX_SECONDS },
  ),
  maxDuration: optional(
    number('Duration of the break in seconds. Default: `breakDuration` of the channel.', {
      exclusiveMinimum: 0,
      maximum: 86_400,
    }),
  ),
  maxAds: optional(integer('Maximum number of ads.', { minimum: 1, maximum: 1000 })),
});

const sourceType = oneOf(
  ['url', 'placeholder'],
  'A `placeholder` gets its URL from the query parameter `content` when the playlist is read. Default: `url` if the item has one, else `placeholder`.',
);

const ITEM = 'An asset, or a placeholder for one.';
const contentItem = closed(
  ITEM,
  allOptional({
    sourceType,
    url: urlText('HLS or DASH manifest. Required for `url`, not allowed for `placeholder`.'),
    duration: Type.Unsafe<number | string>({
      type: ['number', 'string'],
      exclusiveMinimum: 0,
      maximum: MAX_SECONDS,
      pattern: '^[0-9]{1,7}(\\.[0-9]{1,9})?$',
      description: 'Seconds, as a number or a numeric string. Returned as a number.',
    }),
    spliceType: oneOf(['seconds', 'percent'], 'Unit of `spliceTime` in its cue points. Default: seconds.'),
    cuePoints: Type.Array(cuePoint, { maxItems: 500 }),
  }),
);

const playlistFields = allOptional({
  name: nameField,
  labels: labelsField,
  type: Type.Enum(['vod2live', 'vod']),
  status: Type.Enum(['enabled', 'disabled'], { default: 'disabled' }),
  startDate: text('ISO 8601 with a time zone. The loop starts at this instant.', { maxLength: 40 }),
  contents: Type.Array(contentItem, { maxItems: 1000 }),
});
/** `sourceType` is always in responses. */
const storedContents = optional(Type.Array(object(ITEM, { ...contentItem.properties, sourceType })));
export const playlistBody = namedBody('PlaylistBody', 'A playlist, as sent in requests.', {
  id: optional(recordId),
  ...playlistFields,
});
export const playlistResponse = namedObject('Playlist', {
  id: recordId,
  ...playlistFields,
  contents: storedContents,
  ...written,
});
export const generatedPlaylist = namedObject('GeneratedPlaylist', {
  type: playlistFields.type,
  contents: storedContents,
});

export type PlaylistResponse = Static<typeof playlistResponse>;
export type PlaylistBody = Static<typeof playlistBody>;
