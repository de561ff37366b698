// SPDX-License-Identifier: Apache-2.0
// The contract of breaks that operators insert, end and cancel by hand.
import { type Static, Type } from 'typebox';
import { allOptional, closed, number, object, oneOf, text, time, urlText } from './commonContract.ts';

const optional = Type.Optional;

export const breakKind = oneOf(
  ['ads', 'blackout'],
  '`ads`: viewers get ads. `blackout`: viewers see slate, or `asset`, in place of the content and of its breaks.',
  { default: 'ads' },
);

export const breakOrderBody = closed(
  'A break to insert, end or cancel.',
  allOptional({
    action: oneOf(
      ['insert', 'end', 'cancel'],
      '`insert` a break, `end` the one that is on air, `cancel` one that has not started. `end` and `cancel` also apply to breaks of the origin.',
      { default: 'insert' },
    ),
    id: text(
      '1 to 64 letters, digits or ._-. `insert`: a name for the new break; the same request again returns the same break. `end`, `cancel`: the break, by its `id` or `sourceId`; `end` without it ends the break on air.',
      { pattern: '^[A-Za-z0-9._-]{1,64}$', examples: ['half-time'] },
    ),
    kind: breakKind,
    startsAt: text('ISO 8601 with a time zone, at most 30 days ahead. Default: now.', {
      maxLength: 40,
      examples: ['2026-03-01T20:15:00Z'],
    }),
    duration: number(
      'Seconds. Required for `ads`, at most `maxBreakDuration` of the channel. A `blackout` without it lasts until it is ended.',
      { minimum: 1, maximum: 604_800, examples: [30] },
    ),
    asset: urlText(
      'http(s) URL of on-demand media that a `blackout` shows in a loop. Default: the slate of the channel.',
    ),
  }),
);

export const orderedBreak = Type.Object({
  id: Type.String(),
  kind: breakKind,
  state: Type.Enum(['scheduled', 'running', 'ended', 'cancelled']),
  startsAt: time,
  duration: optional(number('Seconds.')),
  endsAt: optional(text('Absent as long as the end is not known. ISO 8601, UTC.')),
  asset: optional(Type.String()),
  assetState: optional(
    oneOf(
      ['preparing', 'ready', 'failed'],
      'Of the asset of a blackout. Until it is ready, the slate of the channel is shown.',
    ),
  ),
  assetReason: optional(text('Why the asset failed.')),
  createdAt: time,
});

/** In the list of breaks. */
export const breakViewers = object(
  'How many of the sessions that are still stored have a decision for the break, and how many of these have ads in it.',
  { decided: Type.Integer(), withAds: Type.Integer() },
);

export type BreakOrderBody = Static<typeof breakOrderBody>;
export type OrderedBreak = Static<typeof orderedBreak>;
