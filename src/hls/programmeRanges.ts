// SPDX-License-Identifier: Apache-2.0
// Where the entries of a schedule end and start, as date ranges with SCTE35-CMD (RFC 8216 §4.3.2.7.1), which start and end no break. Each
// is an instant of its own, and follows from its segment alone.
import { eventIdOf } from '../scte35/breakMessages.ts';
import { programmeEnd, programmeStart } from '../scte35/programmeMessages.ts';
import { hexText } from '../scte35/writeSection.ts';
import { isoText } from '../time/units.ts';
import { type EntryPlace, ofRung } from '../timeline/programme/span.ts';
import type { Row } from '../timeline/programme/window.ts';

/** Before the first segment after an end or a start, as long as that segment is listed. */
export function programmeRanges({ span: { border, placed }, first }: Row, rung: number): string {
  if (border?.at !== placed.startsAt || ofRung(first, rung) !== ofRung(placed.clip.firsts, rung)) return '';
  const { at, ended, started } = border;
  const range = (entry: EntryPlace, what: string, message: Uint8Array): string =>
    `#EXT-X-DATERANGE:ID="programme-${eventIdOf(entry)}-${what}",START-DATE="${isoText(at)}",SCTE35-CMD=${hexText(message)}\n`;
  return (
    (ended === undefined ? '' : range(ended, 'end', programmeEnd(ended))) +
    (started === undefined ? '' : range(started, 'start', programmeStart(started)))
  );
}
