// SPDX-License-Identifier: Apache-2.0
// The contract of tries of ad requests and of replays of breaks.

import { type Static, Type } from 'typebox';
import { tracedAd, tracedBreak, tracedHook, tracedSource } from '../../../http/contract/airContract.ts';
import {
  allOptional,
  integer,
  list,
  number,
  object,
  oneOf,
  text,
  textMap,
  time,
} from '../../../http/contract/commonContract.ts';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { namedBody, namedObject } from '../../../http/contract/named.ts';

const optional = Type.Optional;

const breakDuration = (description: string) => number(description, { minimum: 0.5, maximum: 3600 });
const maxAds = (description: string) => integer(description, { minimum: 1, maximum: 100 });

export const tryBody = namedBody(
  'TryBody',
  'An ad request to try.',
  allOptional({
    url: text("An http or https URL with macros, used instead of that of the channel's ad source.", {
      maxLength: 8192,
    }),
    source: text('ID of an ad source, which is requested instead of the steps of the channel.', { maxLength: 128 }),
    parameters: textMap('Query parameters of the viewer, as in the playback URL.', Type.String({ maxLength: 4096 }), {
      maxProperties: 100,
    }),
    userAgent: text("The viewer's user agent.", { maxLength: 4096 }),
    address: text("The viewer's IPv4 or IPv6 address.", { pattern: '^[0-9A-Fa-f:.]{2,45}$' }),
    breakDuration: breakDuration('Seconds of the break. Default: those of the channel.'),
    maxAds: maxAds('The number of ads in the break. Default: no limit.'),
    format: oneOf(['hls', 'dash'], 'Judges the ads only for sessions of this format. Default: for all.'),
    prepare: Type.Boolean({ default: false, description: 'Whether creatives that are not ready are queued.' }),
  }),
);

const listedBreak = Type.Object({
  id: optional(Type.String()),
  timeOffset: text('As in VMAP: `start`, `end`, `#2`, `50%` or `00:10:00.000`.'),
  source: Type.Enum(['vast', 'tag', 'custom', 'none']),
  ads: optional(integer('Number of ads, if the break contains VAST.')),
});

const contents = object(
  'What the document contains.',
  allOptional({
    format: Type.Enum(['VAST', 'VMAP', 'OpenRTB']),
    bids: integer('OpenRTB: number of bids that can be used.'),
    version: Type.String(),
    ads: integer('VAST: number of ads that are not wrappers.'),
    wrappers: integer('VAST: number of wrappers.'),
    breaks: list(listedBreak, 'VMAP: its breaks.'),
    problem: text('Why it cannot be used.'),
  }),
);

const exchange = Type.Object({
  url: Type.String(),
  method: Type.Enum(['GET', 'POST']),
  headers: textMap('Headers of the request.'),
  body: optional(Type.String()),
  curl: optional(text('The request as a curl command. Of OpenRTB only with the scope `manage`.')),
  startedMs: number('Milliseconds from the start of the try.'),
  redirects: list(
    Type.Object({ url: Type.String(), status: Type.Integer(), location: text('Absolute URL.') }),
    'Redirects that were followed, in order.',
  ),
  status: optional(integer('HTTP status after redirects. Absent without a response.')),
  ms: number('Milliseconds, with redirects.'),
  error: optional(Type.String()),
  contentType: optional(Type.String()),
  bytes: optional(integer('Length of the body. If the status is not a success, at most 16 KB are read.')),
  document: optional(
    Type.Object({
      text: text('The first 64 KB of the body; of all documents together, 1 MB.'),
      isTruncated: Type.Boolean(),
    }),
  ),
  contents: optional(contents),
});

const judgedAd = Type.Object({
  ...tracedAd.properties,
  mediaFile: optional(text('URL of the media file that would be used.')),
  creativeState: optional(
    oneOf(
      ['ready', 'making', 'waiting', 'absent', 'failed', 'none', 'unknown'],
      '`making` and `waiting`: it is in the queue. `absent`: it would be queued for a viewer. `none`: there is no media file. `unknown`: it was not read in time.',
    ),
  ),
});

const { id, startsAt, duration, status, reason, position, warnings, limits, slate, content, bumpers } =
  tracedBreak.properties;
const outline = { id, startsAt, duration, status, reason, position, warnings, limits, slate, content, bumpers };
const judgedBreak = Type.Object({ ...outline, ads: Type.Array(judgedAd) });

const { request: _, response: __, wrappers: ___, ...sourceOutline } = tracedSource.properties;
const triedSource = Type.Object({ ...sourceOutline, ms: optional(number('Milliseconds of the request.')) });

const triedLadder = Type.Object({
  formats: list(Type.Enum(['hls', 'dash']), 'Formats of the sessions that play this ladder.'),
  container: Type.String(),
  framesPerSecond: Type.Number(),
  rungs: Type.Array(
    Type.Object({
      kind: Type.String(),
      codecs: Type.String(),
      bandwidth: Type.Number(),
      width: optional(Type.Integer()),
      height: optional(Type.Integer()),
    }),
  ),
  breaks: list(
    Type.Object({
      ...judgedBreak.properties,
      timeOffset: optional(text('Of a break that VMAP names, as in VMAP.')),
    }),
    'One break; of a VoD channel whose ad server names the breaks, all of them.',
  ),
});

export const adTry = namedObject('AdTry', {
  requestedAt: time,
  exchanges: list(exchange, 'The ad request, then those of wrappers and ad tags, in order. Secrets are masked.'),
  omittedExchanges: integer('Number of exchanges after the first 100.'),
  reason,
  warnings: Type.Array(Type.String()),
  sources: optional(list(triedSource, 'The ad sources of the steps, in the order of the channel.')),
  adsHook: optional(object('The call of the hook after all responses.', tracedHook)),
  ladders: list(triedLadder, 'What viewers would be shown. Empty if it is not known yet what the channel plays.'),
});

export const replayBody = namedBody(
  'ReplayBody',
  'How a break is replayed.',
  allOptional({
    breakDuration: breakDuration('Seconds that ads and bumpers can fill. Default: as in the record.'),
    maxAds: maxAds('The number of ads in the break. Default: as in the record.'),
    wrappers: oneOf(
      ['stored', 'request'],
      '`stored`: of the ads behind wrappers, those that were shown are replayed. `request`: wrappers are requested again.',
      { default: 'stored' },
    ),
  }),
);

const side = Type.Object({ outcome: tracedAd.properties.outcome, reason: tracedAd.properties.reason });

export const breakReplay = namedObject('BreakReplay', {
  before: { ...judgedBreak, description: 'What the record contains.' },
  now: optional({ ...judgedBreak, description: 'Absent if it is not known what the channel plays now.' }),
  differences: Type.Array(
    Type.Object({
      adId: text("The ad server's ID."),
      title: optional(Type.String()),
      change: Type.Enum(['playsNow', 'skippedNow', 'otherReason', 'same', 'notReplayed', 'added']),
      before: optional(side),
      now: optional(side),
      text: optional(text('What has changed, in one or two sentences.')),
    }),
  ),
  missing: list(Type.String(), 'What the replay could not take into account.'),
  exchanges: list(exchange, 'Wrappers that were requested again.'),
});

export type TryBody = Static<typeof tryBody>;
export type AdTry = DeepReadonly<Static<typeof adTry>>;
export type TriedExchange = AdTry['exchanges'][number];
export type JudgedBreak = DeepReadonly<Static<typeof judgedBreak>>;
export type JudgedAd = JudgedBreak['ads'][number];
export type ReplayBody = Static<typeof replayBody>;
export type BreakReplay = DeepReadonly<Static<typeof breakReplay>>;
