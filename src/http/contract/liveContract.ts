// SPDX-License-Identifier: Apache-2.0
// The contract of live origins: what is on air, what an analysis finds, and the breaks that were found.
import { type Static, Type } from 'typebox';
import type * as planned from '../../planning/live/liveStatus.ts';
import { breakKind, breakViewers, orderedBreak } from './breakContract.ts';
import { backupManifestUrls, segmentationTypes, sourceDashUrl, sourceManifestUrl } from './channelTypeContract.ts';
import { allOptional, closed, flag, integer, list, number, object, oneOf, text, time } from './commonContract.ts';
import type { Matching, Mutable } from './matching.ts';

const optional = Type.Optional;

export const foundRendition = Type.Object({
  kind: Type.Enum(['video', 'audio', 'muxed', 'text']),
  codecs: Type.String(),
  bandwidth: integer('Bits per second.'),
  width: optional(Type.Integer()),
  height: optional(Type.Integer()),
  framesPerSecond: optional(Type.Number()),
  language: optional(Type.String()),
});

const formats = ['hls', 'dash'] as const;
const serves = oneOf([...formats, 'both'], 'The formats that sessions can have.');
const targetDuration = number('Seconds.');

const originHealth = object('Whether the origin can be read.', {
  state: oneOf(
    ['idle', 'ok', 'stalled', 'ended', 'failing'],
    '`idle`: the channel has no viewers, so the origin is not read. `stalled`: it can be read, but lists nothing new that can be shown. `ended`: the same, because the stream has ended.',
  ),
  ...allOptional({
    since: time,
    reason: text('Why it is failing or stalled.'),
    readAt: text('Time of the last read without a failure. ISO 8601, UTC.'),
    onAir: object('What viewers are shown content from: this origin, a backup, or slate while all of them fail.', {
      kind: Type.Enum(['source', 'backup', 'slate']),
      url: optional(Type.String()),
      since: time,
    }),
    backups: list(
      Type.Object({
        url: Type.String(),
        state: oneOf(['ok', 'failing', 'unknown'], '`unknown`: it was not needed yet.'),
        reason: optional(Type.String()),
        checkedAt: optional(time),
      }),
      'Backup origins, in their order.',
    ),
    warnings: list(Type.String(), 'What the last read found that viewers may notice. At most 20.'),
  }),
});

const originOnAir = Type.Object({
  url: Type.String(),
  serves,
  startedAt: text('Since when it is on air. ISO 8601, UTC.'),
  targetDuration,
  renditions: list(foundRendition, 'Fixed while it is on air.'),
  warnings: optional(list(Type.String(), 'What is left out of it, and what players will notice.')),
  health: optional(originHealth),
});

export const liveStatus = object('Live: the origins that are on air. Not in lists.', {
  hls: optional(originOnAir),
  dash: optional(originOnAir),
});

export const analysisBody = closed('Live origins to analyse.', {
  sourceManifestUrl,
  sourceDashUrl: optional(sourceDashUrl),
  backupManifestUrls: optional(backupManifestUrls),
  segmentationTypes,
});

const line = optional(integer('Line of the manifest or playlist.'));
const raw = text('The tag or event as the origin wrote it.');
const source = text('The name of the tag, or the scheme of the event; `api` for an inserted break.');
const upid = optional(text('SCTE-35 segmentation_upid.'));

const analysedOrigin = Type.Object({
  url: Type.String(),
  isPlayable: flag('Whether a channel can play it. If not, `problems` states why.'),
  ...allOptional({
    format: oneOf([...formats], 'Absent if the URL leads to no manifest.'),
    serves: serves,
    noDash: text('HLS: why DASH cannot be made from it.'),
    targetDuration: targetDuration,
    window: object('What the origin lists.', { seconds: Type.Number(), segments: integer('Of one rendition.') }),
    hasDates: flag('Whether it states when its segments start: EXT-X-PROGRAM-DATE-TIME, or `availabilityStartTime`.'),
  }),
  renditions: Type.Array(
    Type.Object({
      ...foundRendition.properties,
      isEncrypted: flag('Encrypted content is passed through. Ads are not encrypted.'),
    }),
  ),
  breaks: list(
    Type.Object({
      startsAt: optional(time),
      duration: optional(number('Announced seconds.')),
      endsAt: optional(text('The end that a marker states. ISO 8601, UTC.')),
      offset: optional(number('Seconds from the start of what it lists to that of the break.')),
      endOffset: optional(number('The same for the end that a marker states.')),
      source,
      raw,
      line: integer('Line of the manifest or playlist.'),
      upid,
    }),
    'Breaks that it lists at the moment.',
  ),
  warnings: Type.Array(Type.Object({ line, text: Type.String() })),
  problems: list(Type.String(), 'What will not work, and why.'),
});

export const analysisResponse = Type.Object({
  sourceManifestUrl: analysedOrigin,
  sourceDashUrl: optional(analysedOrigin),
  backupManifestUrls: optional(list(analysedOrigin, 'In the order of the request.')),
});

const origin = oneOf([...formats], 'The origin that it was found in, or on whose timeline it is.');

export const liveBreaks = Type.Object({
  total: integer('Number of breaks in the range.'),
  items: list(
    Type.Object({
      id: text('The same on all nodes and at all times.'),
      origin: optional(origin),
      kind: breakKind,
      state: optional(orderedBreak.properties.state),
      viewers: optional(breakViewers),
      asset: orderedBreak.properties.asset,
      assetState: optional(
        oneOf(['preparing', 'ready', 'failed'], 'Of the asset of a blackout that is scheduled or running.'),
      ),
      assetReason: orderedBreak.properties.assetReason,
      startsAt: text(
        'ISO 8601, UTC. Of a break inserted into a `vod2live` channel: where it is on the schedule, or the requested time until it is there.',
      ),
      duration: optional(number('Announced seconds.')),
      endsAt: optional(
        text('The end that a marker stated, or on the schedule of a `vod2live` channel. ISO 8601, UTC.'),
      ),
      announcedAt: text('When its first marker was read. ISO 8601, UTC.'),
      isInsertionPoint: optional(flag('True if it replaces nothing.')),
      source,
      sourceId: optional(text('Its id in the scheme of its source; of an inserted break, its id.')),
      upid,
      raw,
      line: integer('Line of the manifest or playlist that announced it.'),
      warning: optional(text('What of its markers was not used as written.')),
    }),
    'Newest first.',
  ),
  warnings: list(
    Type.Object({
      origin,
      line: Type.Integer(),
      text: Type.String(),
      at: text('When it was read. ISO 8601, UTC.'),
    }),
    'Markers that were not used as written, newest first. At most 100.',
  ),
});

export const originEvents = Type.Object({
  total: integer('Number of events in the range.'),
  items: list(
    Type.Object({
      at: text('When it was noticed. ISO 8601, UTC.'),
      origin: Type.Enum(['hls', 'dash']),
      state: oneOf(['ok', 'stalled', 'ended', 'failing'], 'As in `health` of the origin.'),
      onAir: oneOf(['source', 'backup', 'slate'], 'What viewers are shown content from.'),
      url: optional(text('The URL that is on air; absent for slate.')),
      reason: optional(text('Why it is failing or stalled, or why slate is on air.')),
    }),
    'Newest first. The last 7 days are kept.',
  ),
});

export type OriginEvents = Static<typeof originEvents>;

export type FoundRendition = Matching<
  Static<typeof foundRendition>,
  Mutable<planned.LiveOriginStatus['renditions'][number]>
>;
export type LiveStatus = Static<typeof liveStatus>;
export type AnalysisResponse = Static<typeof analysisResponse>;
export type LiveBreaks = Static<typeof liveBreaks>;
