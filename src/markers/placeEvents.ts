// SPDX-License-Identifier: Apache-2.0
// Reads the SCTE-35 events of an MPD and places them on the timeline. The time of the event decides, not that in its message.
import type { SpliceEvent } from '../dash/mpd.ts';
import { readPayload } from '../scte35/readSection.ts';
import { readSpliceXml } from '../scte35/readSpliceXml.ts';
import type { SpliceRefusal, SpliceSection } from '../scte35/spliceSection.ts';
import { finish, type Sliced } from '../time/sliced.ts';
import { type Flicks, flicks, secondsToFlicks } from '../time/units.ts';
import { type MarkerOptions, type MarkerSignal, type Reading, type Statement, statementsOf } from './markerSignal.ts';
import { spliceStatements } from './spliceStatements.ts';

/** A Period's events and its start on the timeline. */
type PeriodEvents = { readonly start: Flicks; readonly events: readonly SpliceEvent[] };

/** Event@duration is wrong if it and the duration in the message differ by more than this factor. */
const MAX_RATIO = 10;
/** No break is shorter. */
const LEAST = secondsToFlicks(1);

/** Each may contain a message. */
const EVENTS_IN_SLICE = 50;

/** @returns in the order of their times */
export const placeEvents = (periods: readonly PeriodEvents[], options: MarkerOptions = {}): readonly MarkerSignal[] =>
  finish(placingEvents(periods, options));

export function* placingEvents(
  periods: readonly PeriodEvents[],
  options: MarkerOptions = {},
): Sliced<readonly MarkerSignal[]> {
  let count = 0;
  const starts = options.starts && new Set(options.starts);
  const signals: MarkerSignal[] = [];
  for (const { start, events } of periods) {
    for (const event of events) {
      count += 1;
      if (count % EVENTS_IN_SLICE === 0) yield;
      const { scheme, line, element, id, warnings = [] } = event;
      const message = element.attributes.messageData?.trim();
      const section = message ? readPayload(message) : readSpliceXml(element);
      const { statements, warnings: found } = confirmed(section, event, starts) ?? spliceStatements(section, starts);
      const reading = withDuration({ statements, warnings: found.map((text) => `Event: ${text}`) }, event);
      const at = flicks(start + event.start);
      const noted = { ...reading, warnings: [...warnings, ...reading.warnings] };
      for (const statement of statementsOf(noted)) {
        // A Period repeats the events that began in the one before it.
        const hint = statement.hint ?? (id === undefined ? undefined : `event ${id}`);
        const raw = `<Event presentationTime="${element.attributes.presentationTime ?? '0'}"${id ? ` id="${id}"` : ''}>`;
        signals.push({ ...statement, ...(hint === undefined ? {} : { hint }), at, source: scheme, line, raw });
      }
    }
  }
  return inOrder(signals);
}

/** Events have no order at one instant: what ends a break precedes what starts there, unless that is what it ends. */
function inOrder(signals: readonly MarkerSignal[]): readonly MarkerSignal[] {
  const started = new Set(signals.flatMap(({ kind, at, id }) => (kind === 'out' ? [`${at} ${id}`] : [])));
  const isEndFirst = ({ kind, at, id }: MarkerSignal): boolean => kind === 'in' && !started.has(`${at} ${id}`);
  return signals.toSorted((a, b) => a.at - b.at || Number(isEndFirst(b)) - Number(isEndFirst(a)));
}

/** Some packagers edit messages in MPDs and keep the CRC. One with the duration of its event is sound nevertheless. */
function confirmed(
  section: SpliceSection | SpliceRefusal,
  { duration, element }: SpliceEvent,
  starts: ReadonlySet<number> | undefined,
): Reading | undefined {
  if (!('refused' in section) || section.unchecked === undefined) return undefined;
  if (!duration || element.local === 'emsg') return undefined;
  const { statements } = spliceStatements(section.unchecked, starts);
  const isSame = statements.some((statement) => statement.kind === 'out' && isNear(statement.duration, duration));
  return isSame
    ? { statements, warnings: [`${section.refused}; its duration is that of its event, so it is used`] }
    : undefined;
}

const isNear = (a: Flicks | undefined, b: Flicks): boolean => a !== undefined && Math.abs(a - b) <= b / 100;

/**
 * Event@duration may correct the message, but some packagers write it, or that in the message, in a wrong unit. It is the
 * length of the first start, which contains the others.
 */
function withDuration({ statements, warnings }: Reading, { duration }: SpliceEvent): Reading {
  const outermost = statements.find(({ kind }) => kind === 'out');
  const own = outermost?.duration;
  if (!duration) return { statements, warnings };
  const isNearly = !own || (duration < own * MAX_RATIO && own < duration * MAX_RATIO);
  const used = isNearly || own < LEAST ? duration : own;
  const text = `Event@duration and the duration in its message differ widely; the ${used === own ? 'message' : 'event'} is used`;
  const timed = statements.map(
    (statement): Statement =>
      statement === outermost && (isNearly || used !== own) ? { ...statement, duration: used } : statement,
  );
  return { statements: timed, warnings: isNearly ? warnings : [...warnings, text] };
}
