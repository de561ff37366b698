// SPDX-License-Identifier: Apache-2.0
// Writes MPDs (ISO/IEC 23009-1 5.3): the dynamic ones of linear and live channels around their Periods, and the static ones of whole
// presentations.
import { memo } from '../../cache/memo.ts';
import type { Parts } from '../../cache/sharedText.ts';
import { invariant, isNonEmpty, lastOf } from '../../invariant.ts';
import { isoText, type Millis, millis } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { holdBackMillis, type Ladder } from '../../timeline/ladder/ladder.ts';
import { type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';
import type { Window } from '../../timeline/programme/window.ts';
import { element, escapeAttribute, escapeText, utf8Bytes, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets } from './adaptationSets.ts';
import { announceSpan, keptSignal, type PeriodFrame, periodTag, writePeriods } from './periods.ts';

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
  /** The base of relative segment URLs, itself relative to the MPD (5.6.4), as the MPD has it (`baseUrlText`). */
  readonly baseUrl: string;
};

/** MPD@id, and the PatchLocation element (patch.ts). */
type Patches = { readonly id: string; readonly location: string };

/** The attributes of every MPD. */
const ROOT = {
  xmlns: 'urn:mpeg:dash:schema:mpd:2011',
  profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
} as const;

const PUBLISHED = 'published';

/** What an MPD contains around its Periods, for all viewers with the same window. */
export type Around = Required<
  Pick<MpdFrame, 'availabilityStart' | 'clockOffset' | 'depth' | 'startDelay' | 'clockUrl'>
> & {
  /** Up to the time of publication, from there to the base URL, and after the Periods. */
  readonly beginning: string;
  readonly middle: string;
  readonly end: string;
};

function writeAround(frame: MpdFrame): Around {
  const { ladder, availabilityStart, clockOffset = 0, depth, startDelay = 0, clockUrl } = frame;
  const text = element('MPD', {
    ...ROOT,
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
  return {
    availabilityStart,
    clockOffset,
    depth,
    startDelay,
    clockUrl,
    beginning: before,
    middle: after.replace(/\/>$/, '>\n<BaseURL>'),
    end: `\n${utf8Bytes(clock)}\n</MPD>`,
  };
}

/** The last one of a ladder. */
const arounds = memo((_: Ladder): { last?: Around } => ({}));

/** What is around the Periods of an MPD, except for what differs between viewers. */
export function aroundOf(frame: MpdFrame): Around {
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

type Sent = Pick<MpdFrame, 'now' | 'baseUrl'>;

function startOf({ beginning, middle }: Around, { now, baseUrl }: Sent, patches?: Patches): string {
  const published = isoText(now) + (patches === undefined ? '' : idText(patches.id));
  return `${beginning}${published}${middle}${baseUrl}</BaseURL>${patches === undefined ? '' : `\n${patches.location}`}`;
}

/** @param periods on separate lines. @returns the bytes of the text (`utf8Bytes`) */
export const mpdAround = (periods: string, around: Around, sent: Sent, patches?: Patches): string =>
  `${startOf(around, sent, patches)}${periods === '' ? '' : '\n'}${periods}${around.end}`;

/** The same. @param periods each after a line break */
export const mpdAroundParts = (periods: string | Parts, around: Around, sent: Sent): string | Parts =>
  typeof periods === 'string'
    ? startOf(around, sent) + periods + around.end
    : [startOf(around, sent), ...periods, around.end];

/** MPD@id, after MPD@publishTime. */
const idText = (id: string): string => `" id="${/^[\w-]+$/.test(id) ? id : utf8Bytes(escapeAttribute(id))}`;

/** A URL as the content of BaseURL: almost always a session's id. */
export const baseUrlText = (url: string): string => (/^[\w-]+\/$/.test(url) ? url : utf8Bytes(escapeText(url)));

/** @returns the bytes of the text (`utf8Bytes`) */
export const writeMpd = ({ rows }: Window, frame: MpdFrame): string =>
  mpdAround(writePeriods(rows, frame).text, aroundOf(frame), frame);

/** ASCII text needs neither counting nor encoding when it is sent; other characters are written as references. */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e\n]/gu, (other) => `&#${other.codePointAt(0)};`);

/** By ladder and clip. */
const setsOf = memo((ladder: Ladder) =>
  memo((clip: Clip): string => ascii(adaptationSets({ clip, first: clip.firsts, end: clip.ends }, ladder))),
);

type StaticFrame = Pick<MpdFrame, 'ladder' | 'baseUrl'> & {
  /** The event streams of a span's Period, ASCII or empty. @param zero the start of the presentation */
  readonly eventsOf: (span: Span, zero: Millis) => string;
};

/** The event streams that announce breaks and ads, if manifests do. */
export const announcedEvents =
  (announces: boolean): StaticFrame['eventsOf'] =>
  (span, zero) =>
    announces ? announceSpan(span, zero, keptSignal) : '';

/**
 * A whole presentation as a static MPD (5.3.1.2): a Period for each span. Only the head of a Period and its events differ between
 * viewers.
 * @param spans all spans of a presentation, in order; the first one starts at time zero
 * @returns ASCII text
 */
export function writeStaticMpd(spans: readonly Span[], { ladder, baseUrl, eventsOf }: StaticFrame): string {
  invariant(isNonEmpty(spans), 'a presentation has a span');
  const zero = spanStart(spans[0]);
  const sets = setsOf(ladder);
  // Periods are concatenated, not joined by `element`, which would copy them several times.
  let periods = '';
  spans.forEach((span, index) => {
    const start = spanStart(span);
    const next = spans[index + 1];
    // Start and duration are differences of the same rounded instants, so Periods tile exactly (law 7).
    const end = next === undefined ? spanEnd(span) : spanStart(next);
    const events = eventsOf(span, zero);
    periods +=
      `${periodTag(span.id, start - zero)} duration="${writeDuration(end - start)}">\n` +
      `${events}${events === '' ? '' : '\n'}${sets(span.placed.clip)}\n</Period>\n`;
  });
  const attributes = {
    ...ROOT,
    type: 'static',
    mediaPresentationDuration: writeDuration(spanEnd(lastOf(spans)) - zero),
    minBufferTime: 'PT2S',
    maxSegmentDuration: writeDuration(1000 * ladder.targetDuration),
  };
  const around = element('MPD', attributes, element('BaseURL', {}, ascii(escapeText(baseUrl))));
  const end = around.lastIndexOf('</MPD>');
  return xmlDeclaration + around.slice(0, end) + periods + around.slice(end);
}
