// SPDX-License-Identifier: Apache-2.0
// The contract of what partners read about live events. Sources: IAB Tech Lab LEAP, Concurrent Streams API 1.0.0 and Forecast API
// 1.0.0, whose names are all in lower case.
import { type Static, Type } from 'typebox';
import { filterText, integer, list, object, text, timeText } from '../../../http/contract/commonContract.ts';
import { named, namedObject } from '../../../http/contract/named.ts';

const optional = Type.Optional;
/** The version of both APIs. Versions with the same first number are compatible. */
export const VERSION = '1.0.0';
export const MAX_EVENTS = 2000;
export const MAX_DAYS = 14;

const requested = {
  version: optional(
    text('A version of the API that begins with 1.', { pattern: '^1(\\.\\d{1,4}){0,2}$', examples: [VERSION] }),
  ),
  requestor: filterText(200, 'Who makes the request. Access depends on the key alone.'),
};
const provider = filterText(128, 'Only of this provider: the name of the tenant.');

export const streamsQuery = Type.Object({
  ...requested,
  sdp: provider,
  region: optional(
    integer('The region of all counts, as agreed with the partner. Midroll does not know where viewers are.', {
      minimum: 1,
      maximum: 1_000_000,
    }),
  ),
});

export const forecastQuery = Type.Object({
  ...requested,
  fdp: provider,
  country: optional(
    text('The country of all viewers, three capital letters (ISO 3166-1). Midroll does not know where viewers are.', {
      pattern: '^[A-Z]{3}$',
      examples: ['USA'],
    }),
  ),
  days: integer('How many days ahead.', { minimum: 1, maximum: MAX_DAYS, default: 7 }),
  scheduledstart: timeText('Only events that start then or later. ISO 8601, or UNIX seconds or milliseconds.'),
  scheduledend: timeText('Only events that start before, in place of `days`. As `scheduledstart`.'),
  limit: integer('Most events of a response.', { minimum: 1, maximum: MAX_EVENTS, default: MAX_EVENTS }),
  cursor: optional(text('Where the response before ended: in its `link` header.', { maxLength: 200 })),
});

const millis = (description: string) => integer(`${description} UNIX milliseconds.`, { maximum: 8.64e15 });
const bit = (description: string) => integer(description, { minimum: 0, maximum: 1 });

const content = object('What is shown (AdCOM 1.0, Content).', {
  id: text('The same in both APIs and in bid requests: `channel/entry` of a schedule, else the channel.'),
  title: text('Title of the programme, of the episode, or of the channel.'),
  series: optional(text('Title of the programme, if it is an episode.')),
  season: optional(Type.String()),
  episode: optional(integer('From 1.')),
  genre: optional(text('The first category of the entry.')),
  rating: optional(text('The first rating of the entry.')),
  lang: optional(text('ISO 639-1.')),
  live: bit('Whether it is the stream of an origin.'),
  channel: object('The channel.', { id: Type.String(), name: Type.String() }),
  data: optional(
    list(
      object('Ids of others.', {
        name: text('Kind of the ids, such as `eidr`.'),
        cids: list(Type.String(), 'The ids.'),
      }),
      'The `upid` of the entry.',
    ),
  ),
});

const version = text('Version of the API.', { examples: [VERSION] });
const timestamp = millis('When it was computed.');

export const streamsResponse = namedObject('LeapConcurrentStreams', {
  version,
  timestamp,
  streamsdata: list(
    object('The streams of a provider.', {
      sdp: text('The name of the tenant.'),
      mediastreams: list(
        object('A channel on air.', {
          content,
          eventstart: millis('Start of the programme on air; of a channel without programmes, when it went on air.'),
          eventend: millis('End of the programme; if it is not known, 24 hours after the start of this hour.'),
          streamcount: list(
            object('Viewers now.', {
              region: optional(integer('As in the query.')),
              sstreams: integer('Sessions that requested something in the last minute, stitched and guided.'),
            }),
            'One.',
          ),
        }),
        'Channels on air.',
      ),
    }),
    'One provider, or none.',
  ),
});

const event = named(
  'LeapUpcomingEvent',
  object('A programme that has not started.', {
    id: text('The same as `content.id`.'),
    scheduledstart: millis('When it is laid out to start.'),
    scheduledend: millis('When it is laid out to end.'),
    flexibleend: bit('1 for a live entry that is ended by hand or by its origin.'),
    content,
    eventstatus: integer('1: scheduled.'),
    streamsdata: optional(
      list(
        object('Viewers to expect.', {
          country: optional(text('As in the query.')),
          expectedpeak: integer('Median of the peaks in the same hours of the last four weeks.'),
          lowerbound: integer('The least of these peaks.'),
        }),
        'One; absent if nothing was counted in four weeks.',
      ),
    ),
    inventoryconfig: object('The breaks.', {
      supportedmtype: list(integer('2: video.'), 'Types of ads.'),
      totaladdurationsec: optional(integer('Seconds of all breaks. Absent for a live entry.')),
      expectedpodcount: optional(integer('Number of breaks. Absent for a live entry.')),
      unplanned: bit('1 for a live entry: its breaks are those of its origin.'),
    }),
    lastmodifieddate: millis('When the schedule was last changed.'),
  }),
);

export const forecastResponse = namedObject('LeapForecast', {
  version,
  timestamp,
  events: list(event, 'By channel, then by start.'),
});

export type LeapContent = Static<typeof content>;
export type LeapStreams = Static<typeof streamsResponse>;
export type LeapEvent = Static<typeof event>;
export type LeapForecast = Static<typeof forecastResponse>;
