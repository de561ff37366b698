// SPDX-License-Identifier: Apache-2.0
// Reads the SCTE-35 events of an MPD and places them on the timeline. The time of the event decides, not that in its message.
import type { SpliceEvent } from '../dash/spliceEvent.ts';
import { readPayload } from '../scte35/readPayload.ts';
import { readSpliceXml } from '../scte35/readSpliceXml.ts';
import type { SpliceRefusal, SpliceSection } from '../scte35/spliceSection.ts';
import { type Flicks, flicks } from '../time/units.ts';
import type { MarkerOptions, MarkerSignal, MarkerWarning, Reading, Statement } from './markerSignal.ts';
import type { PlacedMarkers } from './placeTags.ts';
import { spliceStatements } from './spliceStatements.ts';

/** A Period's events and its start on the timeline. */
export type PeriodEvents = { readonly start: Flicks; readonly events: readonly SpliceEvent[] };

/** Event@duration is wrong if it and the duration in the message differ by more than this factor. */
const MAX_RATIO = 10;

export function placeEvents(periods: readonly PeriodEvents[], options: MarkerOptions = {}): PlacedMarkers {
  const starts = options.starts && new Set(options.starts);
  const signals: MarkerSignal[] = [];
  const warnings: MarkerWarning[] = [];
  for (const { start, events } of periods) {
    for (const event of events) {
      const { scheme, line, element, id } = event;
      const message = element.attributes.messageData?.trim();
      const section = message ? readPayload(message) : readSpliceXml(element);
      const { statements, warnings: found } = confirmed(section, event, starts) ?? spliceStatements(section, starts);
      const at = flicks(start + event.start);
      for (const text of found) warnings.push({ line, text: `Event: ${text}` });
      // The first start contains the others.
      const outermost = statements.find(({ kind }) => kind === 'out');
      for (const statement of statements) {
        const timed = statement === outermost ? withDuration(statement, event, warnings) : statement;
        // A Period repeats the events that began in the one before it.
        const hint = timed.hint ?? (id === undefined ? undefined : `event ${id}`);
        const raw = `<Event presentationTime="${element.attributes.presentationTime ?? '0'}"${id ? ` id="${id}"` : ''}>`;
        signals.push({ ...timed, ...(hint === undefined ? {} : { hint }), at, source: scheme, line, raw });
      }
    }
  }
  return { signals: signals.sort((a, b) => a.at - b.at), warnings };
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

/** Event@duration may correct the message, but some packagers write it in a wrong unit. */
function withDuration(statement: Statement, { duration, line }: SpliceEvent, warnings: MarkerWarning[]): Statement {
  const own = statement.duration;
  if (!duration) return statement;
  if (!own || (duration < own * MAX_RATIO && own < duration * MAX_RATIO)) return { ...statement, duration };
  const text = 'Event@duration and the duration in its message differ widely; the message is used';
  warnings.push({ line, text });
  return statement;
}
