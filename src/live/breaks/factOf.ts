// SPDX-License-Identifier: Apache-2.0
import type { MarkedBreak } from '../../markers/markedBreak.ts';
import { type Flicks, flicks, type Millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from './breakFact.ts';

const MAX_RAW = 300;

/**
 * @param base from which the break's times are counted
 * @param start of the timeline; a break that began before it is shown from there
 * @param announcedAt of the breaks that are known already, by id
 * @param readAt of the others
 */
export function factOf(
  marked: MarkedBreak,
  base: Instant,
  start: Flicks,
  announcedAt: ReadonlyMap<string, Millis>,
  readAt: Millis,
): BreakFact {
  const { source, raw, line, upid, sourceId, until, continuesUntil } = marked;
  const id = `${marked.order ?? 0}`;
  const at = Math.max(marked.at, Math.min(start, until ?? start));
  const duration = marked.duration ? flicks(Math.max(0, marked.duration - (at - marked.at))) : undefined;
  const isInsertionPoint =
    until === undefined ? marked.duration === 0 && continuesUntil === undefined : until === marked.at;
  return {
    id,
    startsAt: after(base, at),
    ...(duration === undefined ? {} : { duration }),
    ...(until === undefined ? {} : { endsAt: after(base, until) }),
    ...(continuesUntil === undefined ? {} : { continuesUntil: after(base, continuesUntil) }),
    announcedAt: announcedAt.get(id) ?? readAt,
    ...{ source, line, start: marked.start },
    raw: raw.length > MAX_RAW ? `${raw.slice(0, MAX_RAW)}…` : raw,
    ...(upid === undefined ? {} : { upid }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(isInsertionPoint ? { isInsertionPoint } : {}),
  };
}
