// SPDX-License-Identifier: Apache-2.0
// The ids of SCTE-35 events in signals. Programmers give the break, its placement opportunities and its ads one event id,
// so the id of a segmentation also has the type that starts it (ANSI/SCTE 35 §10.3.3.5); a cancellation states no type.
import type { SpliceAction } from '../scte35/spliceActions.ts';

const SEGMENTATION = 'segmentation ';

export function signalId({ action, scheme, eventId, typeId }: SpliceAction): string {
  if (typeId === undefined) return `${scheme} ${eventId}`;
  return `${scheme} ${eventId}/${action === 'end' ? typeId - 1 : typeId}`;
}

/** The id that cancels a signal. */
export const eventOf = (id: string): string => (id.startsWith(SEGMENTATION) ? id.replace(/\/\d+$/, '') : id);

/** The id as the source states it, without its scheme. */
export function statedId(id: string): string {
  const event = eventOf(id);
  return event.slice(event.indexOf(' ') + 1);
}

/** The same for all signals of one scheme and, of segmentations, of one type. */
export const kindOf = (id: string): string =>
  id.startsWith(SEGMENTATION) ? id.slice(id.indexOf('/')) : id.slice(0, id.indexOf(' '));
