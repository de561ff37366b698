// SPDX-License-Identifier: Apache-2.0
// Stores the timelines of live channels. The first writer of an entry wins.

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../../invariant.ts';
import type { LiveLog } from '../../../live/ports.ts';
import type { LiveEntry, PlacedSignal, Slot, SlotSegment } from '../../../live/slot.ts';
import { type Flicks, type Millis, millis } from '../../../time/units.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import { jsonRows } from '../jsonRows.ts';
import type { Sql } from '../sql.ts';

type Row = { readonly life: string; readonly number: number; readonly body: string };

/** After as many entries, other work of this thread gets a turn. */
const ENTRIES_PER_TURN = 200;

async function decodeAll(rows: readonly Row[]): Promise<LiveEntry[]> {
  const entries: LiveEntry[] = [];
  for (const { number, body } of rows) {
    if (entries.length % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
    entries.push(readEntry(number, body));
  }
  return entries;
}

const startOf = ({ slots }: LiveEntry): number | null =>
  slots.length === 0 ? null : Math.min(...slots.map(({ start }) => start.millis));

export function sqlLiveLog({ db, kind, atomicRows }: Sql): LiveLog {
  const newRows = jsonRows(kind, 'life text, number bigint, first bigint, starts_at bigint, body text');
  const askedRows = jsonRows(kind, 'life text, value bigint');
  // PostgreSQL: an entry and the end of its feed exclude each other. SQLite has one writer at a time.
  const keptUntilStored = sql.raw(kind === 'postgres' ? 'for key share of live_feeds' : '');
  const ofLife = (life: string) =>
    db.selectFrom('live_entries').select(['life', 'number', 'body']).where('life', '=', life).orderBy('number');

  return {
    async append(entries) {
      const writer = randomUUID();
      const firsts = new Map<string, number>();
      for (const { life, entry } of entries) firsts.set(life, Math.min(entry.number, firsts.get(life) ?? entry.number));
      const rows = entries.map(({ life, entry }) => {
        return [life, entry.number, firsts.get(life) ?? entry.number, startOf(entry), writeEntry(entry)] as const;
      });
      const insertion = (some: typeof rows, chain: RawBuilder<unknown>) =>
        sql`
          insert into live_entries (life, number, starts_at, writer, body)
          select news.life, news.number, news.starts_at, cast(${writer} as text), news.body
          from ${newRows(some)} as news join live_feeds on live_feeds.life = news.life
          ${chain} order by news.life, news.number ${keptUntilStored}
          on conflict (life, number) do nothing returning life, number`;
      // Two writers could otherwise interleave the entries of an outage. PostgreSQL waits for a concurrent writer of
      // the same number, so the second statement finds whose entry was stored.
      const isOurs = sql`where exists (select 1 from live_entries as before
        where before.life = news.life and before.number = news.first and before.writer = ${writer})`;
      const rest = rows.filter(([, number, first]) => number !== first);
      const stored = await atomicRows([
        insertion(
          rows.filter(([, number, first]) => number === first),
          sql`where true`,
        ),
        ...(rest.length === 0 ? [] : [insertion(rest, isOurs)]),
      ]);
      const keys = new Set((stored.flat() as Row[]).map(({ life, number }) => `${life} ${number}`));
      return entries.map(({ life, entry }) => keys.has(`${life} ${entry.number}`));
    },
    read: async (life, from) => decodeAll(await ofLife(life).where('number', '>=', from).execute()),
    async tail(life, ms) {
      const from = neededFrom(sql`cast(${life} as text)`, sql`cast(${ms} as bigint)`);
      return decodeAll(await ofLife(life).where('number', '>=', from).execute());
    },
    async readAll(after) {
      if (after.length === 0) return new Map();
      const asked = askedRows(after.map(({ life, from }) => [life, from]));
      const { rows } = await sql<Row>`
        select entries.life, entries.number, entries.body from ${asked} as asked
        join live_entries as entries on entries.life = asked.life and entries.number >= asked.value
        order by entries.life, entries.number`.execute(db);
      const entries = await decodeAll(rows);
      const byLife = groupBy(rows.entries(), ([, { life }]) => life);
      return new Map([...byLife].map(([life, own]) => [life, own.flatMap(([index]) => entries[index] ?? [])]));
    },
    async removeBefore(kept) {
      if (kept.length === 0) return;
      await removalOfOld(askedRows(kept.map(({ life, millis }) => [life, millis]))).execute(db);
    },
  };
}

// Which entries of live timelines are old, and their removal.

/** The number of the newest entry that is needed for the last `millis` of a timeline. */
const neededFrom = (life: RawBuilder<unknown>, millis: RawBuilder<unknown>) => sql<number>`coalesce((
  select number from live_entries as old where old.life = ${life} and old.starts_at <= (
    select starts_at from live_entries as newest where newest.life = ${life} and newest.starts_at is not null
    order by newest.number desc limit 1) - ${millis}
  order by old.number desc limit 1), 0)`;

/**
 * Removes what the last milliseconds of each feed do not need. The entries of a feed are found by its life: with 500 feeds,
 * finding the feed of each entry takes a hundred times as long.
 * @param kept a table of `life` and `value`, in milliseconds
 */
export const removalOfOld = (kept: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with needed as materialized (
    select kept.life, ${neededFrom(sql.ref('kept.life'), sql.ref('kept.value'))} as number from ${kept} as kept)
  delete from live_entries where (life, number) in (
    select old.life, old.number from needed cross join live_entries as old
    where old.life = needed.life and old.number < needed.number)`;

// The JSON of an entry, in a short form: init sections, keys and protection are written where they change, and of a URL only what
// differs from the one before it. Reading what was written returns the same entry (law 8).

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
      n: number,
      s: [start.millis, start.rest],
      d: duration,
      ...(isNewStretch ? { b: 1 } : {}),
      ...(missed === undefined ? {} : { x: missed }),
      r: segments.map((rung, index) => rung.map((segment) => shortSegment(segment, index, slot))),
    };
  };

  const short: ShortEntry = {
    ...others,
    r: readAt,
    v: visibleAt - readAt,
    s: slots.map(shortSlot),
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
    number: n,
    start: { millis: at, rest },
    duration: d,
    isNewStretch: b === 1,
    ...(x === undefined ? {} : { missed: x }),
    segments: r.map((rung, index) => rung.map((segment) => segmentOf(segment, index, d))),
  });

  return { number, readAt, visibleAt: millis(readAt + v), ...entry, slots: s.map(slotOf), signals: g ?? [] };
}
