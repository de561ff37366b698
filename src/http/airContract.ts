// The shapes of what is on air: what a channel plays when, who watches, and the story of each break.

import { type Static, Type } from 'typebox';
import { creativeFaults } from '../ads/creative/creativeFault.ts';
import { time } from './contract.ts';

const optional = Type.Optional;

export const timelineEntry = Type.Object({
  kind: Type.Enum(['content', 'break', 'slate']),
  startsAt: time,
  duration: Type.Number({ description: 'seconds' }),
  url: optional(Type.String({ description: 'of the content' })),
  breakId: optional(Type.String({ description: 'as it stands in the traces of sessions' })),
  maxAds: optional(Type.Integer()),
});
export const timelineAnswer = Type.Object({
  from: time,
  to: time,
  entries: Type.Array(timelineEntry),
  editions: optional(
    Type.Array(
      Type.Object({
        number: Type.Integer({ description: '0, 1, 2 … since the channel went on air' }),
        startsAt: time,
      }),
      { description: 'changes of the schedule that come into force in the range' },
    ),
  ),
});

const sessionFields = {
  id: Type.String(),
  channel: Type.String(),
  format: Type.Enum(['hls', 'dash']),
  openedAt: time,
};
export const sessionSummary = Type.Object(sessionFields);

const reason = optional(Type.Object({ code: Type.String(), text: Type.String({ description: 'one plain sentence' }) }));
const confirmed = optional(
  Type.Object(
    { events: Type.Array(Type.Object({ event: Type.String(), at: time, playerAt: optional(time) })) },
    { description: 'what the player says that it has shown' },
  ),
);
const tracedAd = Type.Object({
  adId: Type.String(),
  creativeId: optional(Type.String()),
  title: optional(Type.String()),
  duration: Type.Number({ description: 'seconds' }),
  outcome: Type.Enum(['stitched', 'skipped']),
  reason: optional(
    Type.Object({
      code: Type.String(),
      text: Type.String({ description: 'one plain sentence' }),
      fault: optional(Type.Enum(creativeFaults, { description: 'of a creative that failed' })),
    }),
  ),
  startsAt: optional(time),
  creative: optional(
    Type.Object(
      {
        use: Type.Enum(['asIs', 'conditioned']),
        reason: optional(Type.String({ description: 'why its own HLS or DASH is not shown as it is' })),
      },
      { description: 'how a stitched ad came to the ladder of the channel' },
    ),
  ),
  delivered: optional(
    Type.Object(
      {
        seconds: Type.Number({ description: 'of the ad that were asked for' }),
        events: Type.Array(Type.String(), { description: 'in the order of their instants' }),
      },
      { description: 'what the viewer was really given, where the ad was stitched' },
    ),
  ),
  confirmed,
});
const tracedBreak = Type.Object({
  id: Type.String(),
  startsAt: time,
  duration: Type.Number({ description: 'seconds' }),
  status: Type.Enum(['filled', 'partial', 'empty']),
  reason,
  request: optional(
    Type.Object({
      url: Type.String(),
      status: optional(Type.Integer()),
      ms: Type.Number(),
      error: optional(Type.String()),
    }),
  ),
  response: optional(
    Type.Object({
      version: optional(Type.String()),
      bytes: Type.Integer(),
      raw: Type.String({ description: 'as it came; the first 64 KB' }),
    }),
  ),
  wrappers: optional(
    Type.Array(
      Type.Object({
        url: Type.String(),
        status: optional(Type.Integer()),
        ms: Type.Number(),
        error: optional(Type.String()),
      }),
      { description: 'what was asked on the way to the ads' },
    ),
  ),
  warnings: Type.Array(Type.String()),
  ads: Type.Array(tracedAd),
  slate: Type.Number({ description: 'seconds of slate' }),
  bumpers: optional(Type.Number({ description: 'seconds of intro and outro' })),
  confirmed,
});
export const sessionTrace = Type.Object({
  ...sessionFields,
  parameters: Type.Object(
    {},
    { additionalProperties: Type.String(), description: 'query parameters of the request that opened the session' },
  ) as unknown as ReturnType<typeof Type.Unsafe<Record<string, string>>>,
  breaks: Type.Array(tracedBreak),
});

/** The response of the routes of the live port that open a session; it has no other schemas. */
export const openedSession = Type.Object({
  mediaURL: Type.String({ description: 'the HLS or DASH manifest of the session' }),
  vastURL: Type.String({ description: 'the VAST of its breaks' }),
});

export type OpenedSession = Static<typeof openedSession>;
export type TimelineEntry = Static<typeof timelineEntry>;
export type SessionTrace = Static<typeof sessionTrace>;
export type TracedBreak = Static<typeof tracedBreak>;
export type TracedAd = Static<typeof tracedAd>;
export type TimelineAnswer = Static<typeof timelineAnswer>;
export type SessionSummary = Static<typeof sessionSummary>;
