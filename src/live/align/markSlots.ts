// SPDX-License-Identifier: Apache-2.0
// Gives new slots the marker tags that a channel passes on: each tag as the origin wrote it, at the nearest start of a slot,
// where breaks start and end too. What is logged does not change, so tags for earlier slots are left out (law 1).
import { type Attributes, readAttributes } from '../../hls/attributes.ts';
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { PlacedSignal, Slot } from '../slot.ts';
import { millisBetween } from './originDates.ts';
import type { Tail } from './tail.ts';

/** @param placed those that were not logged before */
export function markSlots(tail: Tail | undefined, slots: readonly Slot[], placed: readonly PlacedSignal[]): Slot[] {
  const isRead = ({ kind }: PlacedSignal): boolean => kind !== 'unread';
  const logged = tail?.signals.filter(isRead) ?? [];
  const signals = placed.filter(isRead);
  const isNews = rangeFilter(tail?.recent ?? []);
  let before = tail?.recent.at(-1);
  return slots.map((slot) => {
    const isHere = placedAt(slot, before);
    before = slot;
    const ahead = logged.filter(
      (one, index) => isHere(one) && !isWithdrawn(one, [...logged.slice(index + 1), ...signals]),
    );
    const texts = inOrder(ahead, signals.filter(isHere)).map(({ raw }) => raw.replace(/[\r\n]+/g, ''));
    // One tag may be several signals, and signals of DASH have no tags.
    const tags = [...new Set(texts)].filter((text) => text.startsWith('#EXT') && isNews(text));
    return tags.length === 0 ? slot : { ...slot, tags };
  });
}

/** Each instant belongs to one slot: the one with the nearest start. */
function placedAt({ start, duration }: Slot, before: Slot | undefined): (signal: PlacedSignal) => boolean {
  const half = (length: number): number => length / 2 / FLICKS_PER_MILLI;
  return ({ at }) => {
    const late = millisBetween(start, at);
    return late >= -half(before?.duration ?? duration) && late < half(duration);
  };
}

/** A date range that was announced ahead may be cancelled or moved before its time. */
function isWithdrawn({ source, id, kind, at }: PlacedSignal, later: readonly PlacedSignal[]): boolean {
  if (source !== 'EXT-X-DATERANGE' || id === undefined) return false;
  return later.some(
    (one) => one.id === id && (one.kind === 'cancel' ? millisBetween(one.at, at) >= 0 : one.kind === kind),
  );
}

/** The end of a break precedes the start of the next one, also if that was announced earlier. */
function inOrder(ahead: readonly PlacedSignal[], own: readonly PlacedSignal[]): readonly PlacedSignal[] {
  if (ahead.length === 0) return own;
  const isEnd = ({ kind }: PlacedSignal): boolean => kind === 'in';
  return [...own.filter(isEnd), ...ahead, ...own.filter((signal) => !isEnd(signal))];
}

const RANGE = '#EXT-X-DATERANGE:';

/**
 * Date ranges are listed once. A further tag of one may add attributes, but not change any (RFC 8216bis §4.4.5.1).
 * @returns whether a tag is not a date range, or adds something to what is known of it
 */
function rangeFilter(listed: readonly Slot[]): (tag: string) => boolean {
  const known = new Map<string, Attributes>();
  function isNews(tag: string): boolean {
    if (!tag.startsWith(RANGE)) return true;
    const { attributes } = readAttributes(tag.slice(RANGE.length));
    const id = attributes.get('ID')?.value ?? tag;
    const before = known.get(id);
    const added = [...attributes].filter(([name]) => before?.has(name) !== true);
    const isSame = [...attributes].every(([name, { value }]) => (before?.get(name)?.value ?? value) === value);
    if (added.length === 0 || !isSame) return false;
    known.set(id, new Map([...(before ?? []), ...added]));
    return true;
  }
  for (const { tags } of listed) tags?.forEach(isNews);
  return isNews;
}
