// SPDX-License-Identifier: Apache-2.0
// The fields that only channels of one type use. Channels of another type accept and ignore them.
import { Type } from 'typebox';
import { channelDefaults, channelLimits } from './channelValues.ts';
import { allOptional, closed, integer, list, number, oneOf, text } from './commonContract.ts';

const optional = Type.Optional;

export const vodFields = allOptional({
  contentHosts: list(
    Type.String({ maxLength: 260 }),
    'Hosts that `?content=` can name in playback URLs of a `vod` channel, as `host`, `host:port` or `*.example.com`. Without any, the parameter is rejected.',
    { maxItems: 100, examples: [['media.example.com', '*.cdn.example.com']] },
  ),
  breakSource: oneOf(
    ['auto', 'cuePoints', 'manifest', 'vmap'],
    'Where the breaks of a `vod` channel come from: the cue points of its playlist, ad markers in the manifests of its content, or a VMAP of the ad server. `auto` uses the first of these that has any breaks.',
    { default: channelDefaults.breakSource },
  ),
  vodBudgetMs: integer(
    'Milliseconds in which all breaks of a session of a `vod` channel are decided.',
    channelLimits.vodBudgetMs,
  ),
  resumePolicy: oneOf(
    ['play', 'skip'],
    'Whether a session of a `vod` channel that starts later plays or skips the breaks before its start.',
    { default: channelDefaults.resumePolicy },
  ),
});

const segmentationType = integer('A SCTE-35 segmentation_type_id as a decimal number, for example 52 for 0x34.', {
  minimum: 0,
  maximum: 255,
});

/** The decoder's defaults: scte35/spliceActions.ts. */
const DEFAULT_TYPES = '34, 48, 50, 52, 54, 68 and 70';

export const segmentationTypes = optional(
  list(
    segmentationType,
    `The SCTE-35 segmentation types that start breaks, as decimal numbers. The next number ends them. If omitted, ${DEFAULT_TYPES} start breaks.`,
    { maxItems: 256, examples: [[52, 54]] },
  ),
);

export const sourceManifestUrl = text(
  'URL of the live origin of a `live` channel: an HLS multivariant or media playlist, or an MPD. A `live` channel without it is stored, but cannot play.',
  { maxLength: 8192, examples: ['https://origin.example.com/one/master.m3u8'] },
);
export const sourceDashUrl = text(
  'URL of the MPD of the same live stream, for DASH sessions. Needed if `sourceManifestUrl` is HLS from which DASH cannot be made.',
  { maxLength: 8192, examples: ['https://origin.example.com/one/live.mpd'] },
);

export const backupManifestUrls = list(
  Type.String({ maxLength: 8192 }),
  'URLs of backup origins of a `live` channel. While an origin lists nothing new for three target durations, the backups of its format are tried in this order, then slate goes on air.',
  { minItems: 1, maxItems: 8, uniqueItems: true, examples: [['https://backup.example.com/one/master.m3u8']] },
);

export const liveFields = allOptional({
  sourceManifestUrl,
  sourceDashUrl,
  backupManifestUrls,
  preroll: closed('Ads that viewers of a `live` channel see before the content when they join. None if omitted.', {
    maxDuration: number('Most seconds of ads.', { minimum: 1, maximum: 600 }),
    maxAds: optional(integer('Most ads. Not limited if omitted.', { minimum: 1, maximum: 50 })),
  }),
  breakFill: oneOf(
    ['slate', 'content'],
    'What a break of a `live` channel shows where it has no ads: slate, or the content of the origin.',
    { default: channelDefaults.breakFill },
  ),
  maxBreakDuration: number(
    'Seconds after which a break of a `live` channel ends if its markers state neither end nor duration.',
    channelLimits.maxBreakDuration,
  ),
  markers: oneOf(
    ['strip', 'pass'],
    'Whether HLS playlists of a `live` channel omit (`strip`) or keep (`pass`) the ad markers of their HLS origin. MPDs never keep those of the origin. A change applies to segments that are not listed yet.',
    { default: channelDefaults.markers },
  ),
  prefetch: oneOf(
    ['off', 'creatives', 'decision'],
    'What a `live` channel requests of the ad server before a break is announced: nothing (`off`); ads for a few viewers, so that creatives are conditioned in time (`creatives`); or the ads of the next break for each viewer (`decision`).',
    { default: channelDefaults.prefetch },
  ),
  segmentationTypes,
});
