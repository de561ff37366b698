// SPDX-License-Identifier: Apache-2.0
// Writes the rows of the window as a dynamic MPD (ISO/IEC 23009-1 5.3). The window decides what is listed.
import { memo } from '../../cache/memo.ts';
import { isoText } from '../../time/isoText.ts';
import { type Millis, millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/holdBack.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Window } from '../../timeline/programme/window.ts';
import { utf8Bytes } from '../../xml/utf8Bytes.ts';
import { element, escapeAttribute, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { type PeriodFrame, writePeriods } from './periods.ts';

export type MpdFrame = PeriodFrame & {
  /** How much later the clock is than the timeline, in milliseconds; constant. 0 by default. */
  readonly clockOffset?: number;
  readonly now: Millis;
  /** The length of the window in milliseconds. */
  readonly depth: number;
  /** Milliseconds behind `now` at which players should start, if that is more than the hold-back (5.3.1.2). */
  readonly startDelay?: number;
  /** The URL at which players read the server's clock (5.8.5.7). */
  readonly clockUrl: string;
  /** The base of relative segment URLs, itself relative to the MPD (5.6.4). */
  readonly baseUrl: string;
};

/** MPD@id, and the PatchLocation element (patch/patchLocation.ts). */
type Patches = { readonly id: string; readonly location: string };

const PUBLISHED = 'published';

/** What an MPD contains around its Periods, for all viewers with the same window. */
type Around = {
  readonly availabilityStart: Millis;
  readonly clockOffset: number;
  readonly depth: number;
  readonly startDelay: number;
  readonly clockUrl: string;
  /** Up to the time of publication, from there to the base URL, and after the Periods. */
  readonly parts: readonly [string, string, string];
};

function writeAround(frame: MpdFrame): Around {
  const { ladder, availabilityStart, clockOffset = 0, depth, startDelay = 0, clockUrl } = frame;
  const text = element('MPD', {
    xmlns: 'urn:mpeg:dash:schema:mpd:2011',
    profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
    type: 'dynamic',
    availabilityStartTime: isoText(millis(availabilityStart + clockOffset)),
    publishTime: PUBLISHED,
    minimumUpdatePeriod: 'PT2S',
    minBufferTime: 'PT2S',
    timeShiftBufferDepth: writeDuration(depth),
    suggestedPresentationDelay: writeDuration(Math.max(holdBackMillis(ladder), startDelay)),
    maxSegmentDuration: writeDuration(1000 * ladder.targetDuration),
  });
  const [before, after] = (xmlDeclaration + text).split(PUBLISHED) as [string, string];
  const clock = element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: clockUrl });
  const parts = [before, after.replace(/\/>$/, '>\n<BaseURL>'), `\n${utf8Bytes(clock)}\n</MPD>`] as const;
  return { availabilityStart, clockOffset, depth, startDelay, clockUrl, parts };
}

/** The last one of a ladder. */
const arounds = memo((_: Ladder): { last?: Around } => ({}));

function aroundOf(frame: MpdFrame): Around {
  const known = arounds(frame.ladder);
  const { last } = known;
  const { availabilityStart, clockOffset = 0, depth, startDelay = 0, clockUrl } = frame;
  const isSame =
    last?.depth === depth &&
    last.availabilityStart === availabilityStart &&
    last.clockOffset === clockOffset &&
    last.startDelay === startDelay &&
    last.clockUrl === clockUrl;
  if (isSame) return last;
  known.last = writeAround(frame);
  return known.last;
}

/** @param periods on separate lines. @returns the bytes of the text (utf8Bytes.ts) */
export function mpdAround(periods: string, frame: MpdFrame, patches?: Patches): string {
  const [before, after, end] = aroundOf(frame).parts;
  const separator = periods === '' ? '' : '\n';
  const published = isoText(frame.now) + (patches === undefined ? '' : idText(patches.id));
  const based = `${baseUrlText(frame.baseUrl)}</BaseURL>${patches === undefined ? '' : `\n${patches.location}`}`;
  return `${before}${published}${after}${based}${separator}${periods}${end}`;
}

/** MPD@id, after MPD@publishTime. */
const idText = (id: string): string => `" id="${/^[\w-]+$/.test(id) ? id : utf8Bytes(escapeAttribute(id))}`;

/** Almost always a session's id. */
const baseUrlText = (url: string): string => (/^[\w-]+\/$/.test(url) ? url : utf8Bytes(escapeText(url)));

/** @returns the bytes of the text (utf8Bytes.ts) */
export const writeMpd = ({ rows }: Window, frame: MpdFrame): string => mpdAround(writePeriods(rows, frame).text, frame);
