// SPDX-License-Identifier: Apache-2.0
// The contract of channels. Rules that a schema cannot express are in channels/channelFaults.ts.
import { type Static, Type } from 'typebox';
import { liveFields, vodFields } from './channelTypeContract.ts';
import { channelDefaults, channelLimits } from './channelValues.ts';
import {
  allOptional,
  bumpersField,
  flag,
  integer,
  labelsField,
  list,
  nameField,
  number,
  oneOf,
  recordId,
  text,
  urlText,
  written,
} from './commonContract.ts';
import { demandFields } from './demandContract.ts';
import { liveStatus } from './liveContract.ts';
import { namedBody, namedObject } from './named.ts';
import { channelState, itemStatus, preparation, problems, titleImport } from './statusContract.ts';

const optional = Type.Optional;

const apiKey = text('1 to 128 printable ASCII characters. Players send it as `api-key`. Random if omitted.', {
  pattern: '^[\\x21-\\x7e]{1,128}$',
});

const channelFields = allOptional({
  name: nameField,
  labels: labelsField,
  type: oneOf(
    ['vod2live', 'vod', 'live'],
    '`vod2live`: a linear channel that plays its playlist in a loop. `vod`: each session plays the playlist once, from start to end. `live`: the stream of a live HLS or DASH origin.',
    { default: channelDefaults.type },
  ),
  apiKey,
  signingSecret: text(
    '16 to 128 printable ASCII characters. If set, playback URLs need `exp` and a `sig` made with this secret. Responses contain it, so keep them confidential.',
    { pattern: '^[\\x21-\\x7e]{16,128}$' },
  ),
  playlistId: recordId,
  adSlateManifestUrl: urlText('URL of the slate. The built-in slate is used if empty.'),
  ...demandFields,
  bumpers: bumpersField(''),
  fillThreshold: number(
    'Seconds that must be left in a break for another ad to be added.',
    channelLimits.fillThreshold,
  ),
  repeats: oneOf(
    ['allow', 'inPods', 'drop'],
    'Whether a creative can be shown more than once in a break: always (`allow`), only in pods that the ad server ordered by `sequence` (`inPods`), or never (`drop`).',
    { default: channelDefaults.repeats },
  ),
  playlistSize: integer('Playlist window: how many seconds of segments a manifest lists.', channelLimits.playlistSize),
  timeShiftWindow: integer('How many seconds before the live edge a session can start.', channelLimits.timeShiftWindow),
  tracking: Type.Enum(['server', 'client'], { default: channelDefaults.tracking }),
  announceAds: flag(
    'Whether manifests announce breaks and ads, with EXT-X-DATERANGE in HLS and EventStream in DASH. Disable it if ad blockers use them.',
    { default: channelDefaults.announceAds },
  ),
  markersOut: oneOf(
    ['none', 'daterange', 'cue', 'both'],
    'How manifests of linear and live channels mark their breaks for those who replace them downstream: HLS with SCTE-35 date ranges (`daterange`), with EXT-X-CUE-OUT and related tags (`cue`), or with `both`; DASH with SCTE-35 events for any of these. Not in manifests of guided viewers, and `none` for a channel that keeps the markers of its origin.',
    { default: channelDefaults.markersOut },
  ),
  markersOutAhead: number(
    'Seconds before a break of a linear channel from which on HLS lists its date range.',
    channelLimits.markersOutAhead,
  ),
  insertion: oneOf(
    ['stitched', 'guided', 'auto'],
    'Who inserts the ads: Midroll, which stitches them into manifests (`stitched`), or the player, guided by HLS interstitials or DASH alternative MPD events (`guided`). `auto` guides the players that are known to do it well. `?insertion=` overrides it for a session.',
    { default: channelDefaults.insertion },
  ),
  deltaUpdates: flag(
    'Linear and live channels with long windows: whether players can request updates of manifests instead of whole ones: delta updates in HLS, MPD patches in DASH. False when absent. Video.js does not play HLS with breaks by them. Holds for sessions that are opened afterwards.',
  ),
  confirmations: flag(
    'Whether players can send confirmations of what they have shown. Traces contain them in addition to what was delivered.',
    { default: channelDefaults.confirmations },
  ),
  breakDuration: number('Seconds of a break whose cue point has no `maxDuration`.', channelLimits.breakDuration),
  ...vodFields,
  ...liveFields,
  systemId: text('ID of the system that stores its report events.', { maxLength: 128 }),
});
export const channelBody = namedBody('ChannelBody', 'A channel, as sent in requests.', {
  id: optional(recordId),
  ...channelFields,
  state: optional(
    oneOf(
      ['enabled', 'disabled', 'failed'],
      '`failed` is returned for an enabled channel that cannot play. In requests it means `enabled`.',
      { default: 'disabled' },
    ),
  ),
});

export const channelResponse = namedObject('Channel', {
  id: recordId,
  ...channelFields,
  apiKey,
  ...channelState,
  preparation: optional(preparation),
  problems: optional(problems),
  live: optional(liveStatus),
  warnings: optional(
    list(Type.String(), 'What is probably a mistake, such as unknown macros of its ad sources. Not in lists.'),
  ),
  items: optional(list(itemStatus, 'Status of each item of its playlist. Not in lists.')),
  titles: optional(
    list(
      titleImport,
      'VoD: imports of content that viewers requested, newest first. Only those that took long or failed. Not in lists.',
    ),
  ),
  ...written,
});

export type ChannelResponse = Static<typeof channelResponse>;
export type ChannelBody = Static<typeof channelBody>;
