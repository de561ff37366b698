// SPDX-License-Identifier: Apache-2.0
// The programme of a vod2live channel: the editions of its life on air, one after the other. The same instants give the
// same spans on every node and for every viewer.

import { weakValueCache } from '../../cache/weakValueCache.ts';
import { defined } from '../../invariant.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Programme, ProgrammeChange } from '../../timeline/programme/programme.ts';
import { type BreakSpan, type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { type Edition, type Lineup, positionAt, spanAt } from './edition.ts';

type SharedEdition = { readonly edition: Edition; readonly spanAt: (position: number) => Span };

/** Spans are values of their position: each is made once and shared by all viewers who see it. */
function sharing(edition: Edition): SharedEdition {
  const share = weakValueCache<number, Span>();
  return { edition, spanAt: (position) => share(position, () => spanAt(edition, position)) };
}

function spansBetween(editions: readonly SharedEdition[], from: Millis, to: Millis): Span[] {
  const spans: Span[] = [];
  const first = editions.findLastIndex(({ edition }) => edition.from <= from);
  for (const { edition, spanAt: shared } of editions.slice(Math.max(0, first))) {
    if (edition.from >= to && spans.length > 0) break;
    const lastPosition = edition.last?.position ?? Number.MAX_SAFE_INTEGER;
    for (let position = positionAt(edition, from); position <= lastPosition; position += 1) {
      const span = shared(position);
      if (spanStart(span) >= to) break;
      if (spanEnd(span) > from) spans.push(span);
    }
  }
  return spans;
}

const ends = (editions: readonly Edition[]) =>
  [defined(editions[0], 'a life has an edition'), defined(editions.at(-1), 'a life has an edition')] as const;

/** A break is taken off when its edition ends before it, or was replaced before it started. Its id names both (`spanAt`). */
function isOnSchedule({ editions }: Lineup, breakId: string): boolean {
  const [number, position] = breakId.split('-').map(Number) as [number, number];
  const edition = editions.find((one) => one.number === number);
  if (edition !== undefined) return edition.last === undefined || position <= edition.last.position;
  const [first, last] = ends(editions);
  return number < first.number || number > last.number;
}

/**
 * What an edition changes. An edit or an insertion that does not end with the list is a bridge, and its cycle follows it. More of a
 * schedule is laid out every hour, which changes nothing.
 */
function changeOf(
  { number, from, isBridge, isScheduled, slots }: Edition,
  previous: Edition | undefined,
): ProgrammeChange[] {
  const change = { number, from };
  if (slots.some(({ inserted }) => inserted !== undefined)) return [{ ...change, kind: 'insertion' }];
  if (isScheduled && previous?.isScheduled) return [];
  if (!isBridge && previous?.isBridge) return [{ ...change, kind: 'cycle' }];
  return [number === 0 ? change : { ...change, kind: 'edit' }];
}

/** An edit appends editions with higher numbers than any before, so the highest one names the whole schedule of a life. */
export function scheduleProgramme(lineup: Lineup): Programme {
  const { startedAt, editions } = lineup;
  const [first, last] = ends(editions);
  const shared = editions.map(sharing);
  const between = (from: Millis, to: Millis) => spansBetween(shared, from, to);
  return {
    startedAt,
    historyFrom: first.from,
    revision: last.number,
    changes: editions.flatMap((edition, index) => changeOf(edition, editions[index - 1])),
    edgeAt: (now) => now,
    listedAt: (instant) => instant,
    lag: 0,
    spansBetween: between,
    breakSpan: (breakId, startsAt) =>
      between(startsAt, millis(startsAt + 1)).find((span): span is BreakSpan => span.break?.id === breakId),
    isOnSchedule: (breakId) => isOnSchedule(lineup, breakId),
  };
}
