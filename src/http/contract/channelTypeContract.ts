// SPDX-License-Identifier: Apache-2.0
// The fields that only channels of one type use. Channels of another type accept and ignore them.
import { Type } from 'typebox';
import { channelDefaults, channelLimits } from './channelValues.ts';
import { closed } from './commonContract.ts';

const optional = Type.Optional;

export const vodFields = {
  contentHosts: optional(
    Type.Array(Type.String({ maxLength: 260 }), {
      maxItems: 100,
      description:
        'Hosts that `?content=` can name in playback URLs of a `vod` channel, as `host`, `host:port` or `*.example.com`. Without any, the parameter is rejected.',
      examples: [['media.example.com', '*.cdn.example.com']],
    }),
  ),
  breakSource: optional(
    Type.Enum(['auto', 'cuePoints', 'manifest', 'vmap'], {
      default: channelDefaults.breakSource,
      description:
        'Where the breaks of a `vod` channel come from: the cue points of its playlist, ad markers in the manifests of its content, or a VMAP of the ad server. `auto` uses the first of these that has any breaks.',
    }),
  ),
  vodBudgetMs: optional(
    Type.Integer({
      ...channelLimits.vodBudgetMs,
      description: 'Milliseconds in which all breaks of a session of a `vod` channel are decided.',
    }),
  ),
  resumePolicy: optional(
    Type.Enum(['play', 'skip'], {
      default: channelDefaults.resumePolicy,
      description: 'Whether a session of a `vod` channel that starts later plays or skips the breaks before its start.',
    }),
  ),
};

const segmentationType = Type.Integer({
  minimum: 0,
  maximum: 255,
  description: 'A SCTE-35 segmentation_type_id as a decimal number, for example 52 for 0x34.',
});

/** The decoder's defaults: scte35/spliceActions.ts. */
const DEFAULT_TYPES = '34, 48, 50, 52, 54, 68 and 70';

export const segmentationTypes = optional(
  Type.Array(segmentationType, {
    maxItems: 256,
    description: `The SCTE-35 segmentation types that start breaks, as decimal numbers. The next number ends them. If omitted, ${DEFAULT_TYPES} start breaks.`,
    examples: [[52, 54]],
  }),
);

export const sourceManifestUrl = Type.String({
  maxLength: 8192,
  description:
    'URL of the live origin of a `live` channel: an HLS multivariant or media playlist, or an MPD. A `live` channel without it is stored, but cannot play.',
  examples: ['https://origin.example.com/one/master.m3u8'],
});
export const sourceDashUrl = Type.String({
  maxLength: 8192,
  description:
    'URL of the MPD of the same live stream, for DASH sessions. Needed if `sourceManifestUrl` is HLS from which DASH cannot be made.',
  examples: ['https://origin.example.com/one/live.mpd'],
});

export const backupManifestUrls = Type.Array(Type.String({ maxLength: 8192 }), {
  minItems: 1,
  maxItems: 8,
  uniqueItems: true,
  description:
    'URLs of backup origins of a `live` channel. While an origin lists nothing new for three target durations, the backups of its format are tried in this order, then slate goes on air.',
  examples: [['https://backup.example.com/one/master.m3u8']],
});

export const liveFields = {
  sourceManifestUrl: optional(sourceManifestUrl),
  sourceDashUrl: optional(sourceDashUrl),
  backupManifestUrls: optional(backupManifestUrls),
  preroll: optional(
    closed(
      {
        maxDuration: Type.Number({ minimum: 1, maximum: 600, description: 'Most seconds of ads.' }),
        maxAds: optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Most ads. Not limited if omitted.' })),
      },
      'Ads that viewers of a `live` channel see before the content when they join. None if omitted.',
    ),
  ),
  breakFill: optional(
    Type.Enum(['slate', 'content'], {
      default: channelDefaults.breakFill,
      description: 'What a break of a `live` channel shows where it has no ads: slate, or the content of the origin.',
    }),
  ),
  maxBreakDuration: optional(
    Type.Number({
      ...channelLimits.maxBreakDuration,
      description:
        'Seconds after which a break of a `live` channel ends if its markers state neither end nor duration.',
    }),
  ),
  markers: optional(
    Type.Enum(['strip', 'pass'], {
      default: channelDefaults.markers,
      description:
        'Whether HLS playlists of a `live` channel omit (`strip`) or keep (`pass`) the ad markers of their HLS origin. MPDs never keep those of the origin. A change applies to segments that are not listed yet.',
    }),
  ),
  prefetch: optional(
    Type.Enum(['off', 'creatives', 'decision'], {
      default: channelDefaults.prefetch,
      description:
        'What a `live` channel requests of the ad server before a break is announced: nothing (`off`); ads for a few viewers, so that creatives are conditioned in time (`creatives`); or the ads of the next break for each viewer (`decision`).',
    }),
  ),
  segmentationTypes,
};
