// SPDX-License-Identifier: Apache-2.0
// The contract of tries of ad requests and of replays of breaks.

import { type Static, Type } from 'typebox';
import { tracedAd, tracedBreak } from '../../../http/contract/airContract.ts';
import { closed, textMap, time } from '../../../http/contract/commonContract.ts';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { named } from '../../../http/contract/named.ts';

const optional = Type.Optional;
const text = (maxLength: number, description: string) => optional(Type.String({ maxLength, description }));

const breakDuration = (description: string) => optional(Type.Number({ minimum: 0.5, maximum: 3600, description }));
const maxAds = (description: string) => optional(Type.Integer({ minimum: 1, maximum: 100, description }));

export const tryBody = named(
  'TryBody',
  closed(
    {
      url: text(8192, "An http or https URL with macros, used instead of that of the channel's ad source."),
      parameters: optional(
        Type.Object(
          {},
          {
            additionalProperties: Type.String({ maxLength: 4096 }),
            maxProperties: 100,
            description: 'Query parameters of the viewer, as in the playback URL.',
          },
        ) as unknown as ReturnType<typeof Type.Unsafe<Record<string, string>>>,
      ),
      userAgent: text(4096, "The viewer's user agent."),
      address: optional(
        Type.String({ pattern: '^[0-9A-Fa-f:.]{2,45}$', description: "The viewer's IPv4 or IPv6 address." }),
      ),
      breakDuration: breakDuration('Seconds of the break. Default: those of the channel.'),
      maxAds: maxAds('The number of ads in the break. Default: no limit.'),
      format: optional(
        Type.Enum(['hls', 'dash'], {
          description: 'Judges the ads only for sessions of this format. Default: for all.',
        }),
      ),
      prepare: optional(
        Type.Boolean({ default: false, description: 'Whether creatives that are not ready are queued.' }),
      ),
    },
    'An ad request to try.',
  ),
);

const listedBreak = Type.Object({
  id: optional(Type.String()),
  timeOffset: Type.String({ description: 'As in VMAP: `start`, `end`, `#2`, `50%` or `00:10:00.000`.' }),
  source: Type.Enum(['vast', 'tag', 'custom', 'none']),
  ads: optional(Type.Integer({ description: 'Number of ads, if the break contains VAST.' })),
});

const contents = Type.Object(
  {
    format: optional(Type.Enum(['VAST', 'VMAP'])),
    version: optional(Type.String()),
    ads: optional(Type.Integer({ description: 'VAST: number of ads that are not wrappers.' })),
    wrappers: optional(Type.Integer({ description: 'VAST: number of wrappers.' })),
    breaks: optional(Type.Array(listedBreak, { description: 'VMAP: its breaks.' })),
    problem: optional(Type.String({ description: 'Why it cannot be used.' })),
  },
  { description: 'What the document contains.' },
);

const exchange = Type.Object({
  url: Type.String(),
  method: Type.Enum(['GET', 'POST']),
  headers: textMap('Headers of the request.'),
  body: optional(Type.String()),
  curl: Type.String({ description: 'The request as a curl command.' }),
  startedMs: Type.Number({ description: 'Milliseconds from the start of the try.' }),
  redirects: Type.Array(
    Type.Object({
      url: Type.String(),
      status: Type.Integer(),
      location: Type.String({ description: 'Absolute URL.' }),
    }),
    { description: 'Redirects that were followed, in order.' },
  ),
  status: optional(Type.Integer({ description: 'HTTP status after redirects. Absent without a response.' })),
  ms: Type.Number({ description: 'Milliseconds, with redirects.' }),
  error: optional(Type.String()),
  contentType: optional(Type.String()),
  bytes: optional(
    Type.Integer({ description: 'Length of the body. If the status is not a success, at most 16 KB are read.' }),
  ),
  document: optional(
    Type.Object({
      text: Type.String({ description: 'The first 64 KB of the body; of all documents together, 1 MB.' }),
      isTruncated: Type.Boolean(),
    }),
  ),
  contents: optional(contents),
});

const judgedAd = Type.Object({
  ...tracedAd.properties,
  mediaFile: optional(Type.String({ description: 'URL of the media file that would be used.' })),
  creativeState: optional(
    Type.Enum(['ready', 'making', 'waiting', 'absent', 'failed', 'none', 'unknown'], {
      description:
        '`making` and `waiting`: it is in the queue. `absent`: it would be queued for a viewer. `none`: there is no media file. `unknown`: it was not read in time.',
    }),
  ),
});

const { id, startsAt, duration, status, reason, position, warnings, limits, slate, content, bumpers } =
  tracedBreak.properties;
const outline = { id, startsAt, duration, status, reason, position, warnings, limits, slate, content, bumpers };
const judgedBreak = Type.Object({ ...outline, ads: Type.Array(judgedAd) });

const triedLadder = Type.Object({
  formats: Type.Array(Type.Enum(['hls', 'dash']), { description: 'Formats of the sessions that play this ladder.' }),
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
  breaks: Type.Array(
    Type.Object({
      ...judgedBreak.properties,
      timeOffset: optional(Type.String({ description: 'Of a break that VMAP names, as in VMAP.' })),
    }),
    { description: 'One break; of a VoD channel whose ad server names the breaks, all of them.' },
  ),
});

export const adTry = named(
  'AdTry',
  Type.Object({
    requestedAt: time,
    exchanges: Type.Array(exchange, {
      description: 'The ad request, then those of wrappers and ad tags, in order. Secrets are masked.',
    }),
    omittedExchanges: Type.Integer({ description: 'Number of exchanges after the first 100.' }),
    reason,
    warnings: Type.Array(Type.String()),
    ladders: Type.Array(triedLadder, {
      description: 'What viewers would be shown. Empty if it is not known yet what the channel plays.',
    }),
  }),
);

export const replayBody = named(
  'ReplayBody',
  closed(
    {
      breakDuration: breakDuration('Seconds that ads and bumpers can fill. Default: as in the record.'),
      maxAds: maxAds('The number of ads in the break. Default: as in the record.'),
      wrappers: optional(
        Type.Enum(['stored', 'request'], {
          default: 'stored',
          description:
            '`stored`: of the ads behind wrappers, those that were shown are replayed. `request`: wrappers are requested again.',
        }),
      ),
    },
    'How a break is replayed.',
  ),
);

const side = Type.Object({ outcome: tracedAd.properties.outcome, reason: tracedAd.properties.reason });

export const breakReplay = named(
  'BreakReplay',
  Type.Object({
    before: { ...judgedBreak, description: 'What the record contains.' },
    now: optional({ ...judgedBreak, description: 'Absent if it is not known what the channel plays now.' }),
    differences: Type.Array(
      Type.Object({
        adId: Type.String({ description: "The ad server's ID." }),
        title: optional(Type.String()),
        change: Type.Enum(['playsNow', 'skippedNow', 'otherReason', 'same', 'notReplayed', 'added']),
        before: optional(side),
        now: optional(side),
        text: optional(Type.String({ description: 'What has changed, in one or two sentences.' })),
      }),
    ),
    missing: Type.Array(Type.String(), { description: 'What the replay could not take into account.' }),
    exchanges: Type.Array(exchange, { description: 'Wrappers that were requested again.' }),
  }),
);

export type TryBody = Static<typeof tryBody>;
export type AdTry = DeepReadonly<Static<typeof adTry>>;
export type TriedExchange = AdTry['exchanges'][number];
export type JudgedBreak = DeepReadonly<Static<typeof judgedBreak>>;
export type JudgedAd = JudgedBreak['ads'][number];
export type ReplayBody = Static<typeof replayBody>;
export type BreakReplay = DeepReadonly<Static<typeof breakReplay>>;
