// SPDX-License-Identifier: Apache-2.0
// Where a Period is whose start follows from no attribute: by the times and the numbers of its segments, compared with those of
// the Period before it.
import { FLICKS_PER_SECOND } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import {
  bigAttribute,
  childNamed,
  childrenNamed,
  inherited,
  MpdFault,
  textAttribute,
  timescaleOf,
  wholeAttribute,
} from '../../mpdFault.ts';
import { isReadable } from '../mpdElements.ts';
import { segmentInformation } from '../segmentElements.ts';
import { timeOfS } from '../segmentTimeline.ts';
import { afterTicks, flicksBetween, isBeyondReason } from './liveTimes.ts';

export type GuessedStart = {
  readonly start: Instant;
  /** When its first segment starts, where that is not at `start`. */
  readonly firstAt?: Instant | undefined;
};

type PeriodBefore = { readonly element: XmlElement; readonly start: Instant };

/** What the first AdaptationSet with audio or video states about its segments. */
type SegmentFacts = {
  readonly timescale: number;
  readonly offset: bigint;
  readonly startNumber: number;
  /** The names of segments; equal names count the same segments. */
  readonly names: string | undefined;
  /** Ticks of a segment: the last one that is listed, or each. */
  readonly ticks: bigint;
  /** The segments that the MPD itself lists. */
  readonly listed?: { readonly first: bigint; readonly end: bigint; readonly count: number };
};

/** Flicks by which two borders that are one may differ: more than an audio frame, and rounding. */
const TOLERANCE = FLICKS_PER_SECOND / 2;
/** A Period with this many segments' time since its end has ended: packagers list a segment soon after they have written it. */
const ENDED_SEGMENTS = 3;

/** @param now absent if every segment that is listed is available */
export function guessStart(
  period: XmlElement,
  before: PeriodBefore,
  now: Instant | undefined,
): (GuessedStart & { readonly by: string }) | undefined {
  const [own, other] = [segmentFacts(period), segmentFacts(before.element)];
  if (own === undefined || other === undefined) return undefined;
  const { offset, timescale, listed } = own;
  const first = listed?.first ?? offset;
  const span = listed === undefined ? 0n : listed.end - listed.first;
  const endBefore = other.listed && afterTicks(before.start, other.listed.end - other.offset, other.timescale);
  const slack = Number((own.ticks * BigInt(FLICKS_PER_SECOND)) / BigInt(timescale)) / 2 + TOLERANCE;
  /** After what is listed before, and not later than what can be available. */
  const isPossible = (at: Instant): boolean =>
    (endBefore === undefined
      ? flicksBetween(before.start, at) > TOLERANCE
      : flicksBetween(endBefore, at) > -TOLERANCE) &&
    (now === undefined || listed === undefined || flicksBetween(afterTicks(at, span, timescale), now) > -slack);
  const startingWith = (at: Instant) => ({ start: afterTicks(at, offset - first, timescale), firstAt: at });

  // One media time for both Periods.
  const zero = afterTicks(before.start, -other.offset, other.timescale);
  const byTime = afterTicks(zero, first, timescale);
  if ((listed !== undefined || offset > other.offset) && isPossible(byTime))
    return { start: afterTicks(zero, offset, timescale), firstAt: byTime, by: 'its media times' };
  const byNumber = numberedAt(own, other, before.start, endBefore);
  if (byNumber !== undefined && isPossible(byNumber)) return { ...startingWith(byNumber), by: 'its segment numbers' };
  if (endBefore === undefined || listed === undefined || !isPossible(endBefore)) return undefined;
  const grace = BigInt(ENDED_SEGMENTS) * other.ticks;
  const isOver = now === undefined || flicksBetween(afterTicks(endBefore, grace, other.timescale), now) >= 0;
  return isOver ? { ...startingWith(endBefore), by: 'the end of the Period before it' } : undefined;
}

/** When the first segment of a Period starts that counts its segments on. */
function numberedAt(
  own: SegmentFacts,
  { names, startNumber, listed, ticks, timescale }: SegmentFacts,
  startBefore: Instant,
  endBefore: Instant | undefined,
): Instant | undefined {
  if (names === undefined || own.names !== names) return undefined;
  const between = own.startNumber - startNumber - (listed?.count ?? 0);
  return between < 0 ? undefined : afterTicks(endBefore ?? startBefore, BigInt(between) * ticks, timescale);
}

/** @param start of the Period */
export function firstSegmentAt(period: XmlElement, start: Instant): Instant | undefined {
  const facts = segmentFacts(period);
  return facts?.listed && afterTicks(start, facts.listed.first - facts.offset, facts.timescale);
}

/** Where the segments end that a Period lists. @param start of the Period */
export function lastSegmentEnd(period: XmlElement, start: Instant): Instant | undefined {
  const facts = segmentFacts(period, true);
  return facts?.listed && afterTicks(start, facts.listed.end - facts.offset, facts.timescale);
}

/** @param isEnd whether only the end of what is listed is needed */
function segmentFacts(period: XmlElement, isEnd = false): SegmentFacts | undefined {
  // The reader of the Period warns of sets that it leaves out.
  for (const set of childrenNamed(period, 'AdaptationSet').filter((each) => isReadable(each, () => {}))) {
    const [representation] = childrenNamed(set, 'Representation');
    if (representation === undefined || ['text', 'application', 'image'].includes(typeOf(set))) continue;
    try {
      return factsOf([representation, set, period], isEnd);
    } catch (error) {
      // The reader of the segments states what is wrong.
      if (!(error instanceof MpdFault)) throw error;
    }
  }
  return undefined;
}

function factsOf(levels: readonly XmlElement[], isEnd: boolean): SegmentFacts | undefined {
  const { elements } = segmentInformation(levels);
  const timescale = timescaleOf(elements);
  const offset = bigAttribute(elements, 'presentationTimeOffset') ?? 0n;
  const startNumber = wholeAttribute(elements, 'startNumber') ?? 1;
  const common = { timescale, offset, startNumber, names: textAttribute(elements, 'media') };
  const duration = Math.round(Number(textAttribute(elements, 'duration') ?? 0));
  const ticks = Number.isSafeInteger(duration) ? BigInt(duration) : 0n;
  const timeline = inherited(elements, 'SegmentTimeline');
  const list = inherited(elements, 'SegmentURL');
  const facts = timeline
    ? timelineFacts(entriesOf(timeline.child, isEnd))
    : {
        ticks,
        ...(list && { listed: listedOf(ticks, offset, startNumber, childrenNamed(list.parent, 'SegmentURL').length) }),
      };
  if (facts === undefined || facts.ticks <= 0n) return undefined;
  const { first, end } = facts.listed ?? { first: offset, end: offset };
  if ([offset, first, end].some((each) => isBeyondReason(each, timescale))) return undefined;
  return { ...common, ...facts };
}

function listedOf(ticks: bigint, offset: bigint, startNumber: number, count: number) {
  const first = offset + BigInt(Math.max(0, startNumber - 1)) * ticks;
  return { first, end: first + BigInt(count) * ticks, count };
}

/** All, or the last one with a time and those after it. */
function entriesOf(timeline: XmlElement, isEnd: boolean): readonly XmlElement[] {
  const entries = childrenNamed(timeline, 'S');
  return isEnd
    ? entries.slice(
        Math.max(
          0,
          entries.findLastIndex((s) => s.attributes.t !== undefined),
        ),
      )
    : entries;
}

/** Ignores what repeats until an end that is not stated. */
function timelineFacts(entries: readonly XmlElement[]): Pick<SegmentFacts, 'ticks' | 'listed'> | undefined {
  let [at, ticks, count] = [0n, 0n, 0];
  let first: bigint | undefined;
  for (const s of entries) {
    at = timeOfS(s) ?? at;
    ticks = BigInt(wholeAttribute([s], 'd', 1) ?? 0);
    const repeats = wholeAttribute([s], 'r', Number.NEGATIVE_INFINITY) ?? 0;
    first ??= at;
    count += Math.max(0, repeats) + 1;
    at += ticks * BigInt(Math.max(0, repeats) + 1);
  }
  return first === undefined ? undefined : { ticks, listed: { first, end: at, count } };
}

/** `video`, `audio`, `text` and others; empty if it is not stated. */
const typeOf = (set: XmlElement): string => {
  const first = childNamed(set, 'Representation');
  const text = set.attributes.contentType ?? set.attributes.mimeType ?? first?.attributes.mimeType ?? '';
  return text.trim().toLowerCase().replace(/\/.*/s, '');
};

/**
 * A name for each AdaptationSet of a Period that stays the same whenever the MPD is read: @id, else its type and language,
 * and which of those it is.
 */
export function setNames(sets: readonly XmlElement[]): string[] {
  const counts = new Map<string, number>();
  return sets.map((set) => {
    const id = set.attributes.id?.trim();
    if (id) return id;
    const name = [typeOf(set), set.attributes.lang?.trim()].filter(Boolean).join('-');
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}
