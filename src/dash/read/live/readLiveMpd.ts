// SPDX-License-Identifier: Apache-2.0
// Reads MPDs of live streams (ISO/IEC 23009-1 5.3.1.2): what is available at an instant. It fetches nothing and has no clock.
// Patches (5.15) and segments that are still written are not used.
import type { NonEmpty } from '../../../invariant.ts';
import { finish, type Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks, millis } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { readDuration } from '../../duration.ts';
import type { SpliceEvent } from '../../mpd.ts';
import { childNamed, childrenNamed, hint, invalidAttribute, MpdFault, textAttribute } from '../../mpdFault.ts';
import {
  chooseBase,
  type IsDeadBase,
  isReadable,
  type MpdRefusal,
  type ReadingLimits,
  readingLimits,
  readRoot,
  resolveBases,
} from '../mpdElements.ts';
import { readRepresentation } from '../readRepresentation.ts';
import { isSpliceScheme } from '../readSpliceEvents.ts';
import type { InbandStream, LiveMpd, LivePeriod, LiveRepresentation } from './liveMpd.ts';
import type { LiveClock } from './liveTimeline.ts';
import { flicksBetween, readInstant } from './liveTimes.ts';
import { type PlacedPeriod, placeLivePeriods } from './placeLivePeriods.ts';
import { readLiveEvents } from './readLiveEvents.ts';
import { type LiveContext, readLiveSegments } from './readLiveSegments.ts';
import { lastSegmentEnd, setNames } from './unplacedPeriod.ts';

export type LiveReading = {
  /** Corrected by UTCTiming. */
  readonly now: Instant;
  /** availabilityStartTime of an earlier reading: packagers remove it when the MPD becomes static. */
  readonly availabilityStart?: Instant | undefined;
  /** Segments that end before are left out, so that a window of hours costs little. */
  readonly since?: Instant | undefined;
  /** The duration of the newest segments. Older segments get only a number and a time: a day has 43,200. */
  readonly newest?: Flicks | undefined;
  readonly known?: readonly LivePeriod[] | undefined;
  /** Whether a BaseURL is used only if there is no other. */
  readonly isDead?: IsDeadBase | undefined;
};

/**
 * @param url the URL of the MPD; relative URLs are resolved against it (5.6.4)
 * @returns the model, or one sentence that names the line, what was expected and what was found
 */
export const readLiveMpd = (text: string, url: string, reading: LiveReading): LiveMpd | MpdRefusal =>
  finish(readingLiveMpd(text, url, reading));

export const readingLiveMpd = (text: string, url: string, reading: LiveReading): Sliced<LiveMpd | MpdRefusal> =>
  readRoot(text, (root) => read(root, url, reading));

function* read(
  root: XmlElement,
  url: string,
  { now, availabilityStart: before, since, newest, known, isDead }: LiveReading,
): Sliced<LiveMpd> {
  yield;
  const limits = readingLimits();
  const lowLatency = lowLatencyWarning(root);
  if (lowLatency !== undefined) limits.warn(lowLatency);
  const isEnded = root.attributes.type?.trim() !== 'dynamic';
  const stated = textAttribute([root], 'availabilityStartTime');
  const written = stated === undefined ? undefined : readInstant(stated);
  const availabilityStart = written ?? before ?? missingStart(root, stated, isEnded);
  if (stated !== undefined && written === undefined)
    limits.warn(
      `line ${root.line}: MPD@availabilityStartTime must be a date and time; got "${stated}"; it is as before`,
    );
  const timeShift = hint(() => timeShiftOf(root), limits.warn);
  const clock: LiveClock = { now, timeShift, isEnded };
  const baseUrls = resolveBases(root, [url]);
  const placed = placeLivePeriods(root, { availabilityStart, now, known }, limits.warn);
  const faults: MpdFault[] = [];
  const periods: LivePeriod[] = [];
  const around = { clock, since, newest, limits, isDead, faults };
  const last = newest === undefined ? undefined : lastOf(placed, now);
  const recent = last && newest && after(last.edge, flicks(-newest));
  for (const [index, each] of placed.entries()) {
    const isRecent = last === undefined || index >= last.index;
    periods.push(yield* readPeriod(each, baseUrls, isRecent ? around : { ...around, since: since ?? recent }));
  }
  const hasMedia = periods.some(({ representations }) => representations.some(({ kind }) => kind !== 'text'));
  if (!hasMedia && faults[0] !== undefined) throw faults[0];
  const epoch = epochOf(periods, now);
  const location = locationOf(root, url);
  const events: SpliceEvent[] = [];
  for (const [index, { element, start, end }] of placed.entries()) {
    const [first] = periods[index]?.representations ?? [];
    const times = { start, end, ...(first && { media: first.segments }) };
    for (const event of yield* readLiveEvents(element, times, epoch, limits.warn)) events.push(event);
  }
  return {
    isEnded,
    availabilityStart,
    ...(timeShift && { timeShift }),
    ...(location && { location }),
    timing: childrenNamed(root, 'UTCTiming').map(({ attributes }) => ({
      scheme: attributes.schemeIdUri?.trim() ?? '',
      value: attributes.value?.trim() ?? '',
    })),
    periods,
    epoch,
    events,
    warnings: limits.warnings,
  };
}

/** The newest Period that lists its segments, and where they end. */
function lastOf(
  placed: readonly PlacedPeriod[],
  now: Instant,
): { readonly index: number; readonly edge: Instant } | undefined {
  for (const [index, { element, start }] of [...placed.entries()].reverse()) {
    const end = lastSegmentEnd(element, start);
    // Segments may be listed ahead.
    if (end !== undefined) return { index, edge: flicksBetween(now, end) > 0 ? now : end };
  }
  return undefined;
}

function missingStart(root: XmlElement, stated: string | undefined, isEnded: boolean): Instant {
  const expected = 'a date and time such as "2026-01-01T00:00:00Z"';
  if (stated !== undefined || !isEnded) return invalidAttribute(root, 'availabilityStartTime', expected);
  // On-demand content has no place on the wall clock.
  return { millis: millis(0), rest: flicks(0) };
}

function timeShiftOf(root: XmlElement): Flicks | undefined {
  const text = textAttribute([root], 'timeShiftBufferDepth');
  if (text === undefined) return undefined;
  const length = readDuration(text);
  // More than 100 days is as good as unlimited.
  if (length === undefined && !/^P[\dDTHMSY.]*\d[DTHMS]/.test(text))
    return invalidAttribute(root, 'timeShiftBufferDepth', 'a duration such as "PT1H2M3.5S"');
  return length;
}

/** The URL that replaces that of the MPD; the first one, because further ones are alternatives. */
function locationOf(root: XmlElement, url: string): string | undefined {
  const location = childNamed(root, 'Location')?.text.trim();
  return location && URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

/** Events are this near to what is live. */
const RECENT_MS = 50 * 86_400_000;

/**
 * Whole milliseconds, so that the same event has the same distance to any segment in every reading. The clock, or the newest
 * segment of an MPD that is not continued any more.
 */
function epochOf(periods: readonly LivePeriod[], { millis: now }: Instant): Instant {
  const newest = periods.reduce((latest, { representations }) => {
    const ends = representations.map(({ segments: { segments } }) => segments.at(-1)?.startsAt.millis ?? latest);
    return Math.max(latest, ...ends);
  }, Number.NEGATIVE_INFINITY);
  const isOld = Number.isFinite(newest) && Math.abs(newest - now) > RECENT_MS;
  return { millis: isOld ? millis(newest) : now, rest: flicks(0) };
}

type Around = Pick<LiveContext, 'clock' | 'since' | 'newest'> & {
  readonly limits: ReadingLimits;
  /** Because of which audio or video is left out. */
  readonly faults: MpdFault[];
  readonly isDead: IsDeadBase | undefined;
};

function* readPeriod(
  { element, where, stretch, start, end }: PlacedPeriod,
  mpdUrls: NonEmpty<string>,
  { clock, since, newest, limits, isDead, faults }: Around,
): Sliced<LivePeriod> {
  const leave = (fault: MpdFault, what: string): void => {
    faults.push(fault);
    limits.warn(`${fault.message}; ${what} is left out`);
  };
  const context = { ...limits, period: element, where, start, end, clock, since, newest };
  const sets = childrenNamed(element, 'AdaptationSet').filter((set) => isReadable(set, limits.warn));
  const nameOf = setNames(sets);
  let lost: string | undefined;
  const representations: LiveRepresentation[] = [];
  for (const [index, set] of sets.entries()) {
    const listed = childrenNamed(set, 'Representation');
    limits.count(listed.length, set.line);
    const [before, faultsBefore] = [representations.length, faults.length];
    for (const [place, representation] of listed.entries()) {
      yield;
      try {
        const levels = [element, set, representation];
        const all = levels.reduce((parents, level) => resolveBases(level, parents), mpdUrls);
        const { baseUrl, ...bases } = chooseBase(all, isDead);
        const read = yield* readRepresentation(representation, set, baseUrl, context, readLiveSegments);
        if (read === undefined) continue;
        const key = `${nameOf[index]}/${read.id ?? place + 1}`;
        representations.push({ ...read, ...bases, key, inband: inbandOf([representation, set]) });
      } catch (error) {
        if (!(error instanceof MpdFault)) throw error;
        leave(error, `Representation "${representation.attributes.id ?? place + 1}" of ${where}`);
      }
    }
    if (representations.length === before) lost ??= faults[faultsBefore]?.message;
  }
  const known = { ...(end && { end }), ...(lost !== undefined && { lost }) };
  return { where, line: element.line, stretch, start, ...known, representations };
}

const inbandOf = (levels: readonly XmlElement[]): InbandStream[] =>
  levels
    .flatMap((level) => childrenNamed(level, 'InbandEventStream'))
    .map(({ attributes, line }) => ({ scheme: attributes.schemeIdUri?.trim() ?? '', line }))
    .filter(({ scheme }) => isSpliceScheme(scheme));

// Recognises an MPD for low latency, whose segments can be requested in chunks while they are written. Chunks are not used.

/** Elements with many children, none of which states anything about latency. */
const SKIPPED = new Set(['SegmentTimeline', 'EventStream', 'ContentProtection']);

/** ISO/IEC 23009-1 5.3.9.5.3: availabilityTimeComplete="false" on a BaseURL or a SegmentTemplate, or a Resync element. */
const hasChunks = ({ local, attributes }: XmlElement): boolean =>
  attributes.availabilityTimeComplete?.trim() === 'false' || local === 'Resync';

function findChunks(element: XmlElement): XmlElement | undefined {
  if (hasChunks(element)) return element;
  for (const child of element.children) {
    const found = SKIPPED.has(child.local) ? undefined : findChunks(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns a warning with its line; undefined if the MPD does not announce chunks */
function lowLatencyWarning(root: XmlElement): string | undefined {
  const found = findChunks(root);
  if (found === undefined) return undefined;
  const stated = found.local === 'Resync' ? 'Resync' : `availabilityTimeComplete="false" of ${found.local}`;
  return `line ${found.line}: ${stated} announces low-latency chunks, which are not used: viewers get whole segments, with the latency of these`;
}
