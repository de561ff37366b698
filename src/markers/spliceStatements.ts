// SPDX-License-Identifier: Apache-2.0
// What a SCTE-35 message states about breaks.
import { withoutUndefined } from '../invariant.ts';
import { readPayload } from '../scte35/readSection.ts';
import { type SpliceAction, spliceActions } from '../scte35/spliceActions.ts';
import type { SpliceRefusal, SpliceSection } from '../scte35/spliceSection.ts';
import { lengthOfTicks } from './markerAttributes.ts';
import type { Reading, Statement } from './markerSignal.ts';

const kinds = { start: 'out', end: 'in', cancel: 'cancel', programmeEnd: 'programmeEnd' } as const;

/**
 * The time in the message is left out: the place of the tag or event decides. Breaks and the ads in them that start
 * together are one break.
 */
export function spliceStatements(section: SpliceSection | SpliceRefusal, starts?: ReadonlySet<number>): Reading {
  if ('refused' in section) return { statements: [], warnings: [section.refused] };
  const statements = spliceActions(section, starts).map((action): Statement => {
    const { time, duration, rank, upid } = action;
    const length = duration === undefined ? undefined : lengthOfTicks(duration);
    return {
      kind: kinds[action.action],
      id: signalId(action),
      rank,
      ...withoutUndefined({ hint: time?.toString(), duration: length, upid }),
    };
  });
  return { statements, warnings: section.warnings };
}

/** What the payload of a tag adds to what its name and attributes state. */
export function payloadDetails(text: string | undefined, starts?: ReadonlySet<number>) {
  if (text === undefined) return { details: {}, isOther: false, programmeEnds: [], warnings: [] };
  const section = readPayload(text);
  const { statements, warnings } = spliceStatements(section, starts);
  const { duration, upid } = statements.find(({ kind }) => kind === 'out') ?? {};
  const isSegmentation =
    !('refused' in section) && section.command.kind === 'timeSignal' && section.segmentations.length > 0;
  return {
    details: withoutUndefined({ duration, upid }),
    /** True if the message can be read, and what starts or ends is no break: a programme or a chapter. */
    isOther: isSegmentation && statements.every(isProgrammeEnd),
    programmeEnds: statements.filter(isProgrammeEnd),
    /** Why it cannot be read. */
    warnings: 'refused' in section ? warnings : [],
  };
}

const isProgrammeEnd = ({ kind }: Statement): boolean => kind === 'programmeEnd';

/** Whether a text is a SCTE-35 message, by the first byte of each (0xFC), and not a length or attributes. */
export const isPayload = (text: string): boolean => /^"?(\/[A-D][A-Za-z0-9+/]{10}|0x[fF][cC]\d)/.test(text);

// The ids of SCTE-35 events in signals. Programmers give the break, its placement opportunities and its ads one event id,
// so the id of a segmentation also has the type that starts it (ANSI/SCTE 35 §10.3.3.5); a cancellation states no type.

const SEGMENTATION = 'segmentation ';

function signalId({ action, scheme, eventId, typeId }: SpliceAction): string {
  if (typeId === undefined) return `${scheme} ${eventId}`;
  return `${scheme} ${eventId}/${action === 'end' ? typeId - 1 : typeId}`;
}

export const eventOf = (id: string): string => (id.startsWith(SEGMENTATION) ? id.replace(/\/\d+$/, '') : id);

/** The id as the source states it, without its scheme. */
export function statedId(id: string): string {
  const event = eventOf(id);
  return event.slice(event.indexOf(' ') + 1);
}

/** The same for all signals of one scheme and, of segmentations, of one type. */
export const kindOf = (id: string): string =>
  id.startsWith(SEGMENTATION) ? id.slice(id.indexOf('/')) : id.slice(0, id.indexOf(' '));
