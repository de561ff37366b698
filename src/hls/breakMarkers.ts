// SPDX-License-Identifier: Apache-2.0
// Ad markers of the breaks that are listed, for those who replace them downstream: date ranges (RFC 8216 §4.3.2.7.1), and the tags
// that packagers write. They follow from a break and a segment alone, so they never change (law 1).
// docs/decisions/054-markers-out.md states why they look like this.

import { memo } from '../cache/memo.ts';
import { breakEnd, breakStart } from '../scte35/breakMessages.ts';
import { base64Text, hexText } from '../scte35/writeSection.ts';
import {
  FLICKS_PER_MILLI,
  type Flicks,
  flicksToMicros,
  flicksToMillis,
  isoText,
  millisToFlicks,
} from '../time/units.ts';
import { segmentStart } from '../timeline/asset/clip.ts';
import { announcedLength, type BreakPlace, breakOf, ofRung, type Span } from '../timeline/programme/span.ts';
import type { Row } from '../timeline/programme/window.ts';
import { decimalSeconds } from './attributes.ts';
import { programmeRanges } from './programmeRanges.ts';
import { type CellText, piecesText, rowText } from './segmentLines.ts';

export type MarkerDialect = 'daterange' | 'cue' | 'both';

/** @param upcoming breaks that are announced before they are listed */
export type Markers = { readonly dialect: MarkerDialect; readonly upcoming: readonly BreakPlace[] };

const seconds = (length: Flicks): string => decimalSeconds(flicksToMicros(length));

/** What is written of a break wherever it is. */
const textsOf = memo((place: BreakPlace) => {
  const { id, startsAt, upid } = place;
  const duration = announcedLength(place);
  const message = breakStart({ id, startsAt, duration });
  const range = `#EXT-X-DATERANGE:ID="splice-${id}",START-DATE="${isoText(startsAt)}"`;
  const planned = duration === undefined ? range : `${range},PLANNED-DURATION=${seconds(duration)}`;
  const asset = upid === undefined ? '' : `#EXT-X-ASSET:CAID=${encodeURIComponent(upid)}\n`;
  const out = duration === undefined ? '#EXT-X-CUE-OUT' : `#EXT-X-CUE-OUT:${seconds(duration)}`;
  return {
    planned: `${planned}\n`,
    started: `${planned},SCTE35-OUT=${hexText(message)}\n`,
    cues: `#EXT-OATCLS-SCTE35:${base64Text(message)}\n${asset}${out}\n`,
    message: base64Text(message),
    end: { range, message: `SCTE35-IN=${hexText(breakEnd({ id, startsAt, duration }))}` },
  };
});

/** Both ends of a break are rounded to a millisecond. */
const ROUNDING_MS = 1;

/** How long a break was. @param last its last span */
function lengthOf({ startsAt, duration }: BreakPlace, { placed }: Span): Flicks {
  const measured = placed.endsAt - startsAt;
  return Math.abs(measured - flicksToMillis(duration)) <= ROUNDING_MS ? duration : millisToFlicks(measured);
}

type Borders = { readonly ended: BreakPlace | undefined; readonly started: BreakPlace | undefined };

/** The break that has ended with the span before a row, and the one that is listed from the row on. */
function bordersOf({ span }: Row, before: Span | undefined): Borders {
  const [started, ended] = [breakOf(span), before && breakOf(before)];
  return started?.id === ended?.id ? { ended: undefined, started: undefined } : { ended, started };
}

/**
 * Tags of one range add to each other, and repeat nothing differently (RFC 8216bis §4.4.5.1). It is listed as long as one of its segments
 * is.
 */
const startedRange = ({ started }: Borders): string => (started === undefined ? '' : textsOf(started).started);

function endedRange({ ended }: Borders, before: Span | undefined): string {
  if (ended === undefined || before === undefined) return '';
  const { range, message } = textsOf(ended).end;
  return `${range},DURATION=${seconds(lengthOf(ended, before))},${message}\n`;
}

/** The date ranges before a row. @param before the span that is listed before it */
export function rangesBefore(row: Row, before: Span | undefined, rung: number, dialect: MarkerDialect): string {
  if (dialect === 'cue') return '';
  const borders = bordersOf(row, before);
  return endedRange(borders, before) + programmeRanges(row, rung) + startedRange(borders);
}

/** All markers before the first segment of a row that depend on the row before it. Ends are first: readers take each for the last start's. */
export function markersBefore(row: Row, before: Span | undefined, rung: number, dialect: MarkerDialect): string {
  const borders = bordersOf(row, before);
  const cueIn = borders.ended === undefined ? '' : '#EXT-X-CUE-IN\n';
  if (dialect === 'cue') return cueIn;
  const ended = endedRange(borders, before) + (dialect === 'both' ? cueIn : '');
  return ended + programmeRanges(row, rung) + startedRange(borders);
}

/** The tags before each segment of a break, so that who joins within it finds how much is over. */
function cueTags(place: BreakPlace, { placed }: Span, rung: number, index: number): string {
  const { clip, start, startsAt } = placed;
  const { cues, message } = textsOf(place);
  if (startsAt === place.startsAt && index === ofRung(clip.firsts, rung)) return cues;
  const at = segmentStart(clip, ofRung(clip.cells, rung), index);
  const elapsed = millisToFlicks(start.millis - place.startsAt + Math.round((start.rest + at) / FLICKS_PER_MILLI));
  const duration = announcedLength(place);
  // What was announced is over; a live break ends at the next border of its origin.
  if (duration !== undefined && elapsed >= duration) return '';
  const whole = duration === undefined ? '' : `,Duration=${seconds(duration)}`;
  return `#EXT-X-CUE-OUT-CONT:ElapsedTime=${seconds(elapsed)}${whole},SCTE35=${message}\n`;
}

/** The lines of the segments that a row shows. @param from the first of them */
export function markedText(
  row: Row,
  rung: number,
  texts: CellText,
  dialect: MarkerDialect,
  from = ofRung(row.first, rung),
): string {
  const { span, end } = row;
  const place = breakOf(span);
  if (place === undefined || dialect === 'daterange') return rowText(row, rung, texts, from);
  const begin = ofRung(span.placed.clip.firsts, rung);
  let text = '';
  for (let index = from; index < ofRung(end, rung); index += 1)
    text += cueTags(place, span, rung, index) + piecesText(texts.pieces, index - begin, index - begin + 1);
  return text;
}

/** The date ranges of breaks that are not listed yet. Without a message, because its place would be the place of the tag for some. */
export function upcomingRanges({ dialect, upcoming }: Markers, rows: readonly Row[]): string {
  if (dialect === 'cue') return '';
  const isListed = ({ id }: BreakPlace): boolean => rows.some(({ span }) => breakOf(span)?.id === id);
  return upcoming.map((place) => (isListed(place) ? '' : textsOf(place).planned)).join('');
}
