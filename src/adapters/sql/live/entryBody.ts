// SPDX-License-Identifier: Apache-2.0
// The JSON of an entry of a live timeline, in a short form: init sections, keys and protection are written where they change, and of a URL
// only what differs from the one before it. Reading what was written returns the same entry (law 8).
import type { LiveEntry, PlacedSignal, Slot, SlotSegment } from '../../../live/slot.ts';
import { type Flicks, type Millis, millis } from '../../../time/units.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';

/** What differs from the URL before it, between the number of characters that both start with and that both end with. */
type ShortUrl = readonly [start: number, middle: string, end: number];
type ShortMedia = readonly [url: ShortUrl] | readonly [url: ShortUrl, start: number, length: number];

/** What segments repeat: absent if it is that of the segment before it in the rung; null if there is none. */
type Changed<Value> = Value | null;

/** The other fields of a segment have their own names. */
type ShortSegment = Pick<SlotSegment, 'isGap' | 'late'> & {
  /** Absent if it is that of the segment written before it, in the same or another rung. */
  readonly n?: number;
  readonly m?: number;
  /** Absent if it is that of the slot. */
  readonly d?: Flicks;
  readonly u: ShortMedia;
  readonly i?: Changed<ShortMedia>;
  readonly k?: Changed<readonly string[]>;
  readonly j?: Changed<readonly string[]>;
  readonly p?: Changed<readonly string[]>;
};

/** The other fields of a slot have their own names. */
type ShortSlot = Pick<Slot, 'originDate' | 'originStretch' | 'tags'> & {
  readonly n: number;
  readonly s: readonly [Millis, Flicks];
  readonly d: Flicks;
  readonly b?: 1;
  readonly x?: number;
  readonly r: readonly (readonly ShortSegment[])[];
};

type ShortEntry = Pick<LiveEntry, 'anchor' | 'rules' | 'checkpoint'> & {
  readonly r: Millis;
  /** How much later than it was read it is shown. */
  readonly v: number;
  readonly s: readonly ShortSlot[];
  readonly g?: readonly PlacedSignal[];
};

/** What the segments of a rung repeat. */
type Repeated = Pick<SlotSegment, 'init' | 'keys' | 'initKeys' | 'protection'>;

function shorten(url: string, before: string): ShortUrl {
  const most = Math.min(url.length, before.length);
  let start = 0;
  while (start < most && url[start] === before[start]) start += 1;
  let end = 0;
  while (end < most - start && url.at(-1 - end) === before.at(-1 - end)) end += 1;
  return [start, url.slice(start, url.length - end), end];
}

const lengthen = ([start, middle, end]: ShortUrl, before: string): string =>
  before.slice(0, start) + middle + before.slice(before.length - end);

const sameRange = (one: MediaRef['range'], other: MediaRef['range']): boolean =>
  one?.start === other?.start && one?.length === other?.length;
const sameMedia = (one: MediaRef | undefined, other: MediaRef | undefined): boolean =>
  one?.url === other?.url && sameRange(one?.range, other?.range);
const sameTexts = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  one?.length === other?.length && (one ?? []).every((key, index) => key === other?.[index]);

const given = <Name extends string, Value>(name: Name, value: Value | null | undefined) =>
  (value === undefined || value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

export function writeEntry({ number: _, readAt, visibleAt, slots, signals, ...others }: LiveEntry): string {
  const before = { media: '', init: '' };
  const rungs: Repeated[] = [];
  let lastNumber: number | undefined;
  const shortMedia = (media: MediaRef, as: keyof typeof before): ShortMedia => {
    const short = shorten(media.url, before[as] || before.media);
    before[as] = media.url;
    return media.range === undefined ? [short] : [short, media.range.start, media.range.length];
  };

  function shortSegment(segment: SlotSegment, index: number, slot: Slot): ShortSegment {
    const { number, duration, media, init, keys, initKeys, protection, mediaTime, ...others } = segment;
    const last = rungs[index];
    const isSameNumber = number === lastNumber;
    rungs[index] = segment;
    lastNumber = number;
    return {
      ...others,
      ...(isSameNumber ? {} : { n: number }),
      ...(mediaTime === undefined ? {} : { m: mediaTime }),
      ...(duration === slot.duration ? {} : { d: duration }),
      u: shortMedia(media, 'media'),
      ...(sameMedia(init, last?.init) ? {} : { i: init === undefined ? null : shortMedia(init, 'init') }),
      ...(sameTexts(keys, last?.keys) ? {} : { k: keys ?? null }),
      ...(sameTexts(initKeys, last?.initKeys) ? {} : { j: initKeys ?? null }),
      ...(sameTexts(protection, last?.protection) ? {} : { p: protection ?? null }),
    };
  }

  const shortSlot = (slot: Slot): ShortSlot => {
    const { number, start, duration, isNewStretch, missed, segments, ...others } = slot;
    return {
      ...others,
      ...{ n: number, s: [start.millis, start.rest], d: duration },
      ...(isNewStretch ? { b: 1 } : {}),
      ...(missed === undefined ? {} : { x: missed }),
      r: segments.map((rung, index) => rung.map((segment) => shortSegment(segment, index, slot))),
    };
  };

  const short: ShortEntry = {
    ...others,
    ...{ r: readAt, v: visibleAt - readAt, s: slots.map(shortSlot) },
    ...(signals.length === 0 ? {} : { g: signals }),
  };
  return JSON.stringify(short);
}

export function readEntry(number: number, body: string): LiveEntry {
  const { r: readAt, v, s, g, ...entry } = JSON.parse(body) as ShortEntry;
  const before = { media: '', init: '' };
  const rungs: Repeated[] = [];
  let lastNumber = 0;
  const mediaOf = ([own, start, length]: ShortMedia, as: keyof typeof before): MediaRef => {
    const url = lengthen(own, before[as] || before.media);
    before[as] = url;
    return start === undefined || length === undefined ? { url } : { url, range: { start, length } };
  };

  function segmentOf(own: ShortSegment, index: number, duration: Flicks): SlotSegment {
    const { n = lastNumber, m, d, u, i, k, j, p, ...others } = own;
    lastNumber = n;
    const media = mediaOf(u, 'media');
    const repeated: Repeated = {
      ...given('init', i === undefined ? rungs[index]?.init : i && mediaOf(i, 'init')),
      ...given('keys', k === undefined ? rungs[index]?.keys : k),
      ...given('initKeys', j === undefined ? rungs[index]?.initKeys : j),
      ...given('protection', p === undefined ? rungs[index]?.protection : p),
    };
    rungs[index] = repeated;
    return { number: n, duration: d ?? duration, media, ...repeated, ...given('mediaTime', m), ...others };
  }

  const slotOf = ({ n, s: [at, rest], d, b, x, r, ...others }: ShortSlot): Slot => ({
    ...others,
    ...{ number: n, start: { millis: at, rest }, duration: d, isNewStretch: b === 1 },
    ...(x === undefined ? {} : { missed: x }),
    segments: r.map((rung, index) => rung.map((segment) => segmentOf(segment, index, d))),
  });

  return {
    ...{ number, readAt, visibleAt: millis(readAt + v), ...entry },
    ...{ slots: s.map(slotOf), signals: g ?? [] },
  };
}
