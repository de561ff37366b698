// SPDX-License-Identifier: Apache-2.0
// The contract of what is on air: timelines, sessions and traces.
import { type Static, Type } from 'typebox';
import { creativeFaults } from '../../ads/creative/creative.ts';
import type * as played from '../../playback/onAir/timelineEntries.ts';
import { allOptional, inserter, integer, list, number, object, oneOf, text, textMap, time } from './commonContract.ts';
import type { Matching, Mutable } from './matching.ts';
import { named, namedObject } from './named.ts';

const optional = Type.Optional;
const seconds = number('Seconds.');

export const timelineEntry = Type.Object({
  kind: Type.Enum(['content', 'break', 'slate']),
  startsAt: time,
  duration: seconds,
  url: optional(text('URL of the content.')),
  offset: optional(number('Seconds of the content before this entry.')),
  breakId: optional(text('ID of the break, as in traces.')),
  maxAds: optional(Type.Integer()),
  insertedId: optional(text('ID of the break or blackout that an operator inserted.')),
});
export const timelineResponse = namedObject('Timeline', {
  from: time,
  to: time,
  entries: Type.Array(timelineEntry),
  ...allOptional({
    editions: list(
      Type.Object({
        number: integer('0, 1, 2 … since the channel went on air.'),
        startsAt: time,
        kind: optional(
          oneOf(
            ['edit', 'insertion', 'cycle'],
            '`edit`: an edited playlist goes on air. `insertion`: a break or blackout was inserted. `cycle`: after one of these, the playlist starts again with its first item. Absent for the first edition.',
          ),
        ),
      }),
      'Changes of the schedule that take effect in the range.',
    ),
    next: {
      ...time,
      description: 'Start of the first entry beyond `limit`: `from` of the request that continues this one.',
    },
    knownFrom: { ...time, description: 'From when on the schedule is known. Earlier entries are not kept.' },
  }),
});

const sessionFields = {
  id: Type.String(),
  channel: Type.String(),
  format: Type.Enum(['hls', 'dash']),
  openedAt: time,
  insertion: inserter,
};
export const sessionSummary = named('SessionSummary', Type.Object(sessionFields));

const reasonText = text('The reason in one sentence.');
const reason = optional(Type.Object({ code: Type.String(), text: reasonText }));
const confirmed = optional(
  object('What the player reported as shown.', {
    events: Type.Array(Type.Object({ event: Type.String(), at: time, playerAt: optional(time) })),
  }),
);
export const tracedAd = Type.Object({
  adId: Type.String(),
  creativeId: optional(Type.String()),
  title: optional(Type.String()),
  duration: seconds,
  shown: optional(number('Seconds of the ad that were shown, if a live break ended before it.')),
  outcome: Type.Enum(['stitched', 'skipped']),
  ...allOptional({
    reason: Type.Object({
      code: Type.String(),
      text: reasonText,
      fault: optional(oneOf(creativeFaults, 'Fault code of a creative that failed.')),
    }),
    startsAt: time,
    creative: object('How the creative of a stitched ad was adapted to the ladder of the channel.', {
      use: Type.Enum(['asIs', 'conditioned']),
      reason: optional(text('Why its own HLS or DASH is not used as is.')),
    }),
    delivered: object('What was delivered to the viewer. Present for stitched ads.', {
      seconds: number('Seconds of the ad that the player requested.'),
      events: list(Type.String(), 'Delivered events in chronological order.'),
    }),
    source: text('ID of the ad source that offered the ad. This and the next fields: only for channels with steps.'),
    step: integer('The step of the ad source, from 0.'),
    price: object('What the ad source pays for a thousand impressions, if known. Only with the scope `manage`.', {
      amount: number('In units of the currency.'),
      currency: text('ISO 4217.'),
    }),
    advertisers: list(Type.String(), 'Domains of the advertiser, or its name.'),
    categories: list(Type.String(), 'IAB content categories.'),
    seat: text('The seat of an OpenRTB bid.'),
  }),
  confirmed,
});
const exchange = {
  url: Type.String(),
  status: optional(Type.Integer()),
  ms: Type.Number(),
  error: optional(Type.String()),
};
const sentRequest = Type.Object({
  ...exchange,
  method: optional(Type.Literal('POST', { description: 'Present for a POST request.' })),
  headers: optional(textMap('Headers that the ad source adds, with secrets masked.')),
  body: optional(text('The body of a POST, limited to 4,096 characters, with secrets masked.')),
  curl: optional(text('The request as a curl command, with secrets masked.')),
});
const received = {
  version: optional(Type.String()),
  bytes: Type.Integer(),
  raw: text('The response body, limited to the first 64 KB; to 16 KB if its status is not a success.'),
  contentType: optional(text('Present if the response could not be used.')),
};
const wrapperRequests = list(
  Type.Object({
    ...exchange,
    response: optional(
      object('Present if the response could not be used.', {
        contentType: Type.String(),
        raw: optional(text('The first 4 KB of its body. Of OpenRTB only with the scope `manage`.')),
      }),
    ),
  }),
  'Requests that were made to follow VAST wrappers.',
);
const limits = {
  duration: number('Seconds that ads and bumpers could fill.'),
  maxAds: optional(Type.Integer()),
};
export const tracedHook = {
  hook: oneOf(['request', 'ads'], 'Before a request, or after all responses.'),
  ms: Type.Number(),
  status: optional(Type.Integer()),
  error: optional(text('Why its response was ignored.')),
  changes: list(Type.String(), 'What it changed, in sentences.'),
};
export const tracedSource = Type.Object({
  step: integer('From 0.'),
  source: text('ID of the ad source.'),
  name: optional(Type.String()),
  type: Type.Enum(['vast', 'openrtb', 'house']),
  ...allOptional({
    requested: object('What was requested. Absent if nothing was.', limits),
    waitedMs: number('Milliseconds for which the request waited because of the rate of the source.'),
    hooks: list(Type.Object(tracedHook), 'Calls of the hook of the channel.'),
    request: sentRequest,
    response: Type.Object({
      ...received,
      raw: optional({ ...received.raw, description: 'As for the break. Of OpenRTB only with the scope `manage`.' }),
    }),
    wrappers: wrapperRequests,
  }),
  offered: integer('Number of ads that it offered.'),
  reason: optional(
    Type.Object({
      code: Type.String(),
      text: reasonText,
      nbr: optional(integer('Of `NO_BID`: the code of the bidder (`nbr` of OpenRTB).')),
    }),
  ),
});
export const tracedBreak = Type.Object({
  id: Type.String(),
  startsAt: time,
  duration: seconds,
  status: Type.Enum(['filled', 'partial', 'empty']),
  reason,
  ...allOptional({
    position: object('The place of the break in the content. Only for VoD channels.', {
      kind: Type.Enum(['pre', 'mid', 'post']),
      requested: number('Seconds of the content before the requested position.'),
      contentTime: number('Seconds of content before the break.'),
      movedBy: number('Seconds from the requested position to the cut point that was used.'),
      origin: oneOf(['cuePoint', 'marker', 'vmap'], 'What named the break.'),
      replaced: optional(number('Seconds of content that ads replace in the break.')),
    }),
    request: sentRequest,
    prefetched: Type.Literal(true, { description: 'The ads were requested before the break was announced.' }),
    requestedAt: { ...time, description: 'When prefetched ads were requested.' },
    response: Type.Object(received),
    wrappers: wrapperRequests,
    sources: list(
      tracedSource,
      'The ad sources of the steps, in the order of the channel. Then `request`, `response` and `wrappers` are absent.',
    ),
    adsHook: object('The call of the hook after all responses.', tracedHook),
  }),
  warnings: Type.Array(Type.String()),
  ads: Type.Array(tracedAd),
  limits: optional(object('What limited the ads of the break.', limits)),
  slate: number('Seconds of slate.'),
  content: optional(number("Live: seconds without ads in a break that shows the origin's content instead of slate.")),
  bumpers: optional(number('Seconds of intro and outro.')),
  confirmed,
});
export const sessionTrace = namedObject('SessionTrace', {
  ...sessionFields,
  endedAt: optional({ ...time, description: 'When its player was last seen; only for sessions that have ended.' }),
  parameters: textMap('Query parameters of the request that opened the session.'),
  breaks: Type.Array(tracedBreak),
});

/** The response of `/hls/view/:channelId` and `/dash/view/:channelId` on the live port. */
export const openedSession = namedObject('OpenedSession', {
  mediaURL: text('URL of the HLS or DASH manifest of the session.'),
  vastURL: text('URL of the VAST of its breaks.'),
  sessionId: text('ID of the session, as in traces.'),
  trackingURL: text('URL of the tracking feed of its ads.'),
  insertion: inserter,
  stitchedURL: text('URL of the manifest into which Midroll stitches the ads.'),
  guidedURL: text('URL of the manifest with which the player inserts the ads. Of VoD with VMAP it is stitched, too.'),
  durationSeconds: optional(number('VoD: length of the presentation, content and ads.')),
  contentDurationSeconds: optional(number('VoD: length of the content without ads.')),
  startSeconds: optional(number('VoD with `start`: where playback starts, in stream time.')),
  breaks: optional(
    list(
      Type.Object({
        id: text('ID of the break, as in traces.'),
        contentTime: number('Seconds of content before it.'),
        streamTime: number('Seconds of the presentation before it: content and earlier breaks.'),
        duration: seconds,
        ads: Type.Array(
          Type.Object({
            id: text('ID of the ad, as in feeds.'),
            title: optional(Type.String()),
            streamTime: number('Seconds of the presentation before it.'),
            duration: seconds,
          }),
        ),
      }),
      'VoD: the breaks of the session in order.',
    ),
  ),
});

export type OpenedSession = Static<typeof openedSession>;
export type TimelineEntry = Matching<Static<typeof timelineEntry>, Mutable<played.TimelineEntry>>;
export type SessionTrace = Static<typeof sessionTrace>;
export type TracedBreak = Static<typeof tracedBreak>;
export type TracedAd = Static<typeof tracedAd>;
export type TimelineResponse = Static<typeof timelineResponse>;
export type SessionSummary = Static<typeof sessionSummary>;
