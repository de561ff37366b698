// SPDX-License-Identifier: Apache-2.0
// What SSPs and ad servers read about live events, at the paths and with the names of IAB Tech Lab LEAP.
import { fieldError } from '../../../errors.ts';
import { readQuery, rejectQuery } from '../../../http/admin/request/readQuery.ts';
import { readTime } from '../../../http/admin/request/readRange.ts';
import { type AdminRequest, type Caller, type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import type { CountViewers } from '../../../sessions/sessionRules.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { DAY_MS } from '../../../time/zone.ts';
import { mayAccess } from '../../access/rules/scope.ts';
import {
  forecastQuery,
  forecastResponse,
  type LeapForecast,
  type LeapStreams,
  MAX_DAYS,
  streamsQuery,
  streamsResponse,
  VERSION,
} from '../contract/leapContract.ts';
import { type ForecastDeps, type ForecastPlace, forecastPage } from '../rules/forecast.ts';
import { mediaStreamOf } from '../rules/mediaStream.ts';
import { createOnAirReader, type LeapChannel } from '../rules/readOnAir.ts';

export type LeapDeps = Omit<ForecastDeps, 'desk'> & {
  readonly desk: ForecastDeps['desk'] & Parameters<typeof createOnAirReader>[0]['desk'];
  /** The enabled linear and live channels of a tenant. */
  readonly channelsOf: (tenant: string) => readonly LeapChannel[];
  readonly viewerCounts: CountViewers;
};

const FORECAST = '/leap/forecast';

const facts = {
  tag: 'leap',
  channelAccess: 'filtered',
  method: 'GET',
  acceptsBearer: true,
  errors: [503],
} as const;

export function leapRoutes(deps: LeapDeps): KeyedRoute[] {
  const { channelsOf, viewerCounts, now } = deps;
  const onAir = createOnAirReader(deps);

  /** The channels that the caller may access, by id. @param provider none are returned for another one than the tenant */
  const ownChannels = (caller: Caller, provider = caller.tenant): LeapChannel[] =>
    channelsOf(provider === caller.tenant ? provider : '')
      .filter(({ channel }) => mayAccess(caller, channel.id))
      .sort((a, b) => (a.channel.id < b.channel.id ? -1 : 1));

  async function streams({ caller, query }: AdminRequest) {
    const { sdp = caller.tenant, region } = readQuery(streamsQuery, query);
    const own = ownChannels(caller, sdp);
    const timestamp = now();
    const ids = own.map(({ channel }) => channel.id);
    const counts = ids.length === 0 ? new Map<string, number>() : await viewerCounts(caller.tenant, ids);
    const mediastreams: LeapStreams['streamsdata'][number]['mediastreams'] = [];
    for (const { channel, startedAt, programme } of own) {
      if (startedAt === undefined) continue;
      const viewers = counts.get(channel.id) ?? 0;
      const shown = programme === undefined ? { startsAt: startedAt } : await onAir(channel, programme);
      mediastreams.push(mediaStreamOf(channel, shown, { viewers, region, now: timestamp }));
    }
    const streamsdata = sdp === caller.tenant ? [{ sdp, mediastreams }] : [];
    return { status: 200, json: { version: VERSION, timestamp, streamsdata } satisfies LeapStreams };
  }

  async function forecast({ caller, query }: AdminRequest) {
    const { fdp, days, limit, country, cursor, ...given } = readQuery(forecastQuery, query);
    const timestamp = now();
    const start = timeOf(given, 'scheduledstart') ?? timestamp;
    const end = timeOf(given, 'scheduledend') ?? timestamp + days * DAY_MS;
    const { events, next } = await forecastPage(deps, {
      channels: ownChannels(caller, fdp).flatMap(({ channel }) => (channel.type === 'vod2live' ? channel : [])),
      // An event that starts now has started.
      from: millis(Math.max(start, timestamp + 1)),
      to: millis(Math.min(end, timestamp + MAX_DAYS * DAY_MS)),
      limit,
      country,
      place: readCursor(cursor),
    });
    const json: LeapForecast = { version: VERSION, timestamp, events: [...events] };
    return { status: 200, json, ...(next && { headers: { link: linkTo(query, next) } }) };
  }

  return [
    {
      ...facts,
      path: '/leap/concurrent-streams',
      operationId: 'getConcurrentStreams',
      summary: 'Count the viewers of what is on air (LEAP Concurrent Streams)',
      description:
        'IAB Tech Lab LEAP, Concurrent Streams API 1.0.0: each linear and live channel on air, with its programme. All viewers are `sstreams`; guided sessions count as these, as the specification says.',
      query: streamsQuery,
      response: ok('The streams on air.', streamsResponse),
      example: { query: { version: VERSION, region: '1' } },
      handle: streams,
    },
    {
      ...facts,
      path: FORECAST,
      operationId: 'getForecast',
      summary: 'Read what will be on air, with viewers and breaks to expect (LEAP Forecast)',
      description:
        'IAB Tech Lab LEAP, Forecast API 1.0.0: the programmes of schedules that have not started. A response that is not complete has a `link` header with `rel="next"`.',
      query: forecastQuery,
      response: ok('Events.', forecastResponse, {
        optionalHeaders: { link: 'URL of the next page, relative, with `rel="next"`. Absent if there are no more.' },
      }),
      example: { query: { version: VERSION, country: 'USA' } },
      handle: forecast,
    },
  ];
}

function timeOf<Name extends string>(given: Partial<Record<Name, string>>, name: Name): Millis | undefined {
  const text = given[name];
  const time = text === undefined ? undefined : readTime(text);
  if (text !== undefined && time === undefined) {
    const expected = 'must be an ISO 8601 time with a time zone, or UNIX seconds or milliseconds';
    rejectQuery([fieldError('time', `/${name}`, `${expected}; got ${JSON.stringify(text)}`)]);
  }
  return time;
}

function readCursor(text: string | undefined): ForecastPlace | undefined {
  if (text === undefined) return undefined;
  const [, at, listed, channel] = /^(\d{1,15})\.(\d{1,6})\.(.+)$/.exec(text) ?? [];
  if (channel !== undefined) return { channel, at: millis(Number(at)), listed: Number(listed) };
  const message = `must be the cursor of the link header before; got ${JSON.stringify(text)}`;
  rejectQuery([fieldError('cursor', '/cursor', message)]);
  return undefined;
}

function linkTo(query: AdminRequest['query'], { at, listed, channel }: ForecastPlace): string {
  const known = Object.keys(forecastQuery.properties);
  const given = Object.entries(query).filter(([name, value]) => known.includes(name) && typeof value === 'string');
  const next = new URLSearchParams({
    ...(Object.fromEntries(given) as Record<string, string>),
    cursor: `${at}.${listed}.${channel}`,
  });
  return `<${FORECAST}?${next}>; rel="next"`;
}
