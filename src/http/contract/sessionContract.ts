// SPDX-License-Identifier: Apache-2.0
// The contract of searches for sessions.
import { type Static, Type } from 'typebox';
import {
  filterText,
  inserter,
  integer,
  labelFilter,
  list,
  number,
  object,
  oneOf,
  text,
  textMap,
  time,
  timeText,
} from './commonContract.ts';

const optional = Type.Optional;
const outcome = Type.Enum(['filled', 'partial', 'empty']);

export const sessionQuery = Type.Object({
  id: filterText(128, 'ID of a session, or its first characters.'),
  channel: filterText(128, 'ID of a channel.'),
  label: optional({
    ...labelFilter,
    description: 'Only of channels that have one of these labels now. Repeated, or separated by commas.',
  }),
  parameter: filterText(2000, 'A query parameter of the request that opened the session, as `name=value`.'),
  address: filterText(64, 'Address of the viewer.'),
  userAgent: filterText(300, 'A part of the user agent, in upper or lower case.'),
  from: timeText('Sessions that were active at this time or later, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Sessions that were opened before this time. Default: all.'),
  at: timeText('Instead of `from` and `to`: from 5 minutes before this time to 5 minutes after it.'),
  outcome: optional({
    ...outcome,
    description: 'Only sessions with a break that was filled, partly filled or left empty and starts in the range.',
  }),
  reason: filterText(64, 'The same for breaks with this reason code, such as `NO_ADS`.'),
  state: optional(oneOf(['active', 'ended'], 'Only sessions that have not ended, or that have.')),
  limit: integer('Sessions per page.', { minimum: 1, maximum: 100, default: 20 }),
  cursor: optional(text('`x-next-cursor` of the previous page.', { maxLength: 1000 })),
});

const matchingBreak = Type.Object({
  id: text('ID of the break, as in the trace.'),
  startsAt: time,
  duration: number('Seconds.'),
  outcome,
  reason: optional(text('Code of the reason, as in the trace.')),
  adSeconds: number('Seconds of ads.'),
});

export const foundSession = Type.Object({
  id: Type.String(),
  channel: Type.String(),
  state: Type.Enum(['active', 'ended']),
  format: Type.Enum(['hls', 'dash']),
  openedAt: time,
  insertion: inserter,
  lastSeenAt: text('When its player last requested a manifest, within 15 seconds.'),
  endedAt: optional(text('When its player was last seen; only for sessions that have ended.')),
  address: text('Address of the viewer.'),
  userAgent: Type.String(),
  parameters: textMap('Query parameters of the request that opened the session.'),
  breaks: integer('Number of breaks.'),
  outcomes: object('Number of breaks by outcome.', {
    filled: Type.Integer(),
    partial: Type.Integer(),
    empty: Type.Integer(),
  }),
  ads: object('Number of ads.', { shown: Type.Integer(), skipped: Type.Integer() }),
  breakSeconds: number('Length of all breaks together.'),
  adSeconds: number('Seconds of ads in them.'),
  fill: optional(number('Share of the time of breaks that ads filled, from 0 to 1.')),
  matching: optional(
    list(matchingBreak, 'With `outcome` or `reason`: the breaks in the range that match, 20 at most.'),
  ),
});

export type FoundSession = Static<typeof foundSession>;
export type SessionQuery = Static<typeof sessionQuery>;
