// SPDX-License-Identifier: Apache-2.0
// What an entry of a schedule plays, and what identifies it.
import { Type } from 'typebox';
import { closed, list, number, oneOf, recordId, text, urlText } from '../../../http/contract/commonContract.ts';
import { named } from '../../../http/contract/named.ts';

const optional = Type.Optional;
/** Eleven days, as for playlists. */
const MAX_SECONDS = 1_000_000;

export const seconds = (description: string, rules: Readonly<Record<string, unknown>> = {}) =>
  number(description, { ...('exclusiveMinimum' in rules ? {} : { minimum: 0 }), maximum: MAX_SECONDS, ...rules });
const assetSource = closed('An on-demand asset.', {
  url: urlText('HLS or DASH manifest.'),
  in: optional(seconds('Seconds of the asset at which it begins. Moved to the nearest cut point.')),
  out: optional(seconds('Seconds of the asset at which it ends.', { exclusiveMinimum: 0 })),
});
const playlistSource = closed('The items of a playlist, once, with their cue points.', { playlistId: recordId });
const liveSource = closed('The stream of a live origin, from the start of the entry on.', {
  live: closed('The origin, and when the entry ends. Seconds.', {
    sourceManifestUrl: urlText('HLS playlist or MPD of the origin. It has to fit the ladder of the channel.'),
    plannedDuration: seconds('Seconds until its planned end.', { exclusiveMinimum: 0, maximum: 86_400 }),
    end: optional(
      oneOf(
        ['planned', 'manual', 'marker'],
        'What ends it. `planned`: its planned end. `manual`: an operator. `marker`: a Program End of the origin (SCTE-35 0x11 or 0x12), or an operator. Default: `planned`.',
      ),
    ),
    overrun: optional(
      oneOf(
        ['move', 'join'],
        'Entries whose start has passed when it ends are played from their beginning, or joined in progress. Default: `join`.',
      ),
    ),
    maxDuration: optional(
      seconds('Longest duration of an entry that is not ended. Default: 6 hours more than planned.', {
        exclusiveMinimum: 0,
        maximum: 172_800,
      }),
    ),
    backupManifestUrls: optional(
      list(
        urlText('HLS playlist or MPD, as the origin.'),
        'Origins that are used in this order while the others fail.',
        { maxItems: 10 },
      ),
    ),
    endedAt: optional(text('When it was ended. ISO 8601.', { maxLength: 40 })),
  }),
});
export const entrySource = named(
  'EntrySource',
  Type.Union([assetSource, playlistSource, liveSource], {
    description: 'What the entry plays: `url`, `playlistId` or `live`.',
  }),
);

/** A segmentation descriptor has 255 bytes. */
export const upid = named(
  'Upid',
  closed('What identifies the entry for distributors: the UPID of its SCTE-35 messages.', {
    type: oneOf(
      ['adId', 'adi', 'ads', 'eidr', 'uri', 'uuid'],
      '`adId`: Ad-ID; `adi`: CableLabs ADI; `ads`: ADS information; `eidr`: EIDR; `uri`: URI; `uuid`: UUID.',
    ),
    value: text('1 to 200 visible ASCII characters.', {
      pattern: '^[!-~]{1,200}$',
      examples: ['10.5240/7791-8534-2C23-9030-8610-5'],
    }),
  }),
);
