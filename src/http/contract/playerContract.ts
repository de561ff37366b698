// SPDX-License-Identifier: Apache-2.0
// The contract of what players receive and send about their ads on the live port: the tracking feed and confirmations. The
// opening of sessions is in airContract.ts. Objects can have further fields.
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { integer, list, number, object, oneOf, text, time } from './commonContract.ts';
import { named, namedObject } from './named.ts';

const optional = Type.Optional;
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const objects = (description: string) => list(Type.Object({}), description);

const moment = {
  startTime: text('ISO 8601 duration from the start of the presentation.'),
  startTimeInSeconds: number('Presentation time.'),
  duration: text('ISO 8601 duration.'),
  durationInSeconds: Type.Number(),
} satisfies TProperties;

const feedEvent = Type.Object({
  eventId: Type.String(),
  eventType: text('Name of the event in VAST or VMAP.'),
  eventProgramDateTime: time,
  ...moment,
  beaconUrls: list(Type.String(), 'URLs that the player has to call. Macros are unchanged.'),
  firedBy: oneOf(['server', 'player'], 'Which side sends the beacons.'),
});
const feedAd = Type.Object({
  adId: text('ID of the ad in manifests and traces.'),
  adTitle: Type.String(),
  adSystem: Type.String(),
  adProgramDateTime: time,
  ...moment,
  creativeId: Type.String(),
  vastAdId: Type.String(),
  skipOffset: orNull(Type.String()),
  trackingEvents: Type.Array(feedEvent),
  adVerifications: objects('OMID verifications.'),
  companionAds: objects('Companions.'),
  icons: objects('Icons.'),
  extensions: objects('Extensions of the VAST.'),
});
const avail = Type.Object({
  availId: text('Media sequence number of its first segment in HLS, ID of its first Period in DASH.'),
  breakId: text('ID of the break, as in traces.'),
  availProgramDateTime: time,
  ...moment,
  status: Type.Enum(['filled', 'partial', 'empty']),
  reason: orNull(Type.Object({ code: Type.String(), text: Type.String() })),
  ads: Type.Array(feedAd),
  adBreakTrackingEvents: Type.Array(feedEvent),
  nonLinearAdsList: objects('Non-linear ads.'),
});

export const trackingFeed = namedObject('TrackingFeed', {
  avails: list(avail, 'Breaks of the session, oldest first.'),
  nextToken: orNull(text('Leads to the page with earlier avails; null on the last page.')),
  presentationZeroDateTime: time,
  dashAvailabilityStartTime: orNull(time),
  hlsAnchorMediaSequenceNumber: orNull(Type.Integer()),
  tracking: oneOf(['server', 'client'], 'The setting of the channel.'),
});
export const feedPageBody = Type.Object({
  NextToken: optional(text('The nextToken of an earlier response.')),
});

export const confirmationsBody = namedObject('Confirmations', {
  events: Type.Array(
    Type.Object({
      adId: optional(text('ID of an ad of the session.')),
      breakId: optional(text('ID of a break of the session, for breakStart and breakEnd.')),
      eventType: text('Name of the event in VAST or VMAP.'),
      at: optional(
        Type.Unsafe<number | string>({
          type: ['string', 'number'],
          description: 'When it happened: ISO 8601 or milliseconds since 1970.',
        }),
      ),
    }),
    { maxItems: 100 },
  ),
});
export const confirmationsResult = namedObject('ConfirmationsResult', {
  recorded: integer('Number of new events.'),
  repeated: integer('Number of events that were sent before.'),
  refused: Type.Array(
    Type.Object({
      index: integer('Index of the event in the request.'),
      reason: Type.String(),
    }),
  ),
});

export const readiness = namedObject('Readiness', {
  status: Type.String(),
  reason: optional(text('Why the process should not receive requests.')),
  degraded: optional(text('What does not work although the process can serve viewers, in a sentence.')),
});

/** RFC 8216bis §6.2.5.1. Other values are ignored. */
export const hlsSkip = text(
  '`YES` or `v2`: a delta update, which replaces older segments by their number, if the playlist has `CAN-SKIP-UNTIL` and older segments. Other values are ignored.',
);

/** The query of an MPD patch. */
export const patchQuery = Type.Object({
  since: text('What the player has, as in the PatchLocation of its MPD.'),
});

/** The body that opens a session for an MRSS feed. */
export const feedRequestBody = named(
  'FeedRequest',
  Type.Object(
    {
      url: text('URL of the MRSS feed.'),
      deliverytypes: Type.Array(Type.Enum(['dash', 'hls']), { minItems: 1, maxItems: 1 }),
    },
    {
      description: 'Every other field is a variable for the ad server: text, a number or a boolean.',
      additionalProperties: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
    },
  ),
);

const clip = Type.Object({
  category: Type.Enum(['intro', 'ad', 'outro', 'content']),
  titleId: text(
    'Content: the `guid` of the item, or its number from 1. Ads: the ID of the ad in manifests and traces.',
  ),
  title: Type.String(),
  duration: integer('Milliseconds.'),
  trackingEvents: optional(list(feedEvent, 'Only for ads.')),
});
const feedSession = Type.Object({
  url: text('URL of the HLS or DASH manifest of the session.'),
  clips: list(clip, 'What the manifest shows, from start to end.'),
  vastURL: text('URL of the VAST of its breaks.'),
  sessionId: text('ID of the session, as in traces.'),
  trackingURL: text('URL of the tracking feed of its ads.'),
  warnings: optional(list(Type.String(), 'What was corrected or left out, by item and line.')),
});
export const openedFeed = named(
  'OpenedFeed',
  object('One field: the requested delivery type.', { dash: optional(feedSession), hls: optional(feedSession) }),
);

export type FeedClip = Static<typeof clip>;
export type OpenedFeed = Static<typeof openedFeed>;
