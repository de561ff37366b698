// SPDX-License-Identifier: Apache-2.0
// What has aired, from the editions of channels with synthetic media.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { currentOf, type Order, operated, planned } from '../../test/laws/insertedBreaks.ts';
import {
  assets,
  begun,
  replanned,
  START,
  type TestEntry,
  timedList,
} from '../../test/laws/shared/syntheticSchedule.ts';
import { compiled, edited, type SyntheticChannel, syntheticChannel } from '../../test/laws/syntheticChannel.ts';
import { replan } from '../channels/schedule/replan.ts';
import { type Millis, millis } from '../time/units.ts';
import { type AsRunRow, asRunOf, onAirUntil } from './asRun.ts';

const HOUR = 3_600_000;
const at = (seconds: number): Millis => millis(START + Math.round(seconds * 1000));
const [first, long, third] = assets as [(typeof assets)[number], (typeof assets)[number], (typeof assets)[number]];
const airOf = (channel: SyntheticChannel, from: number, to: number) => asRunOf(channel, at(from), at(to));

/** From, to, kind, what, in and out, differences; times in seconds after START. */
const shown = (rows: readonly AsRunRow[]) =>
  rows.map((row) => [
    (row.from - START) / 1000,
    (row.to - START) / 1000,
    row.kind,
    ...('entryId' in row ? [row.entryId] : []),
    ...('asset' in row ? [row.asset.in, row.asset.out] : []),
    ...('insertedId' in row ? [row.insertedId] : []),
    ...row.differences,
  ]);

const entry = (id: string, more: Partial<TestEntry> = {}): TestEntry => ({ id, asset: 0, breaks: [], ...more });
const scheduled = (...list: readonly TestEntry[]) => timedList(list, START + HOUR);
/** A channel with entries and what operators have inserted into it. */
function withOrders(list: readonly TestEntry[], orders: readonly Order[], now: number): SyntheticChannel {
  const channel = begun(scheduled(...list), START - 30_000);
  return ordered(channel, list, orders, now);
}
function ordered(channel: SyntheticChannel, list: readonly TestEntry[], orders: readonly Order[], now: number) {
  const wishes = {
    inserted: orders.filter(({ isOver }) => !isOver).map((order) => planned(channel, order)),
    isOver: (id: string) => orders.find((one) => one.id === id)?.isOver === true,
    longestSegment: 4000,
  };
  const next = replan(currentOf(channel), scheduled(...list), wishes, at(now));
  return next === undefined ? channel : compiled({ ...channel, records: next.lineup.map(({ record }) => record) });
}

describe('rows of a schedule', () => {
  test('are entries with their breaks, and filler', () => {
    const cue = { spliceTime: 40, maxDuration: 20 };
    const channel = begun(scheduled(entry('film', { start: 0, breaks: [cue] }), entry('late', { start: 120 })), START);
    expect(shown(airOf(channel, 0, 200)).filter(([, , kind]) => kind !== 'filler' && kind !== 'slate')).toEqual([
      [0, 40, 'programme', 'film', 0, 40],
      [40, 60, 'break', 'film'],
      [60, 100, 'programme', 'film', 40, 80],
      [120, 200, 'programme', 'late', 0, 80],
    ]);
    const [row, own] = airOf(channel, 0, 60);
    expect(row).toMatchObject({ plannedStart: START, asset: { url: first.url } });
    expect([row?.id, own?.id]).toEqual(['l-0-0', 'l-0-1']);
    expect(own).toMatchObject({ breakId: '0-1' });
  });

  test('state what the start of the next entry cuts', () => {
    const film = { ...entry('film', { start: 0, asset: 1 }), in: 30 };
    const channel = begun(scheduled(film, entry('news', { start: 60 })), START);
    expect(shown(airOf(channel, 0, 140))).toEqual([
      [0, 60, 'programme', 'film', 30, 90, 'Cut 300.000 s before its end by "news".'],
      [60, 140, 'programme', 'news', 0, 80],
    ]);
    const odd = begun(scheduled(entry('film', { start: 0 }), entry('news', { start: 43 })), START);
    expect(shown(airOf(odd, 0, 43)).map(([, to, kind, ...more]) => [to, kind, more.at(-1)])).toEqual([
      [42, 'programme', 'Cut 38.000 s before its end by "news".'],
      [43, 'slate', expect.any(String)],
    ]);
  });

  test('state nothing about an entry that ends at its out point, or as long as it should be', () => {
    const channel = begun(scheduled(entry('film', { start: 0, asset: 1, length: 60 }), entry('news')), START);
    expect(airOf(channel, 0, 140).flatMap(({ differences }) => differences)).toEqual([]);
  });

  test('state that there was nothing to play', () => {
    const channel = begun(scheduled(entry('film', { start: 0 }), entry('news', { start: 82 })), START);
    expect(shown(airOf(channel, 79, 83))).toEqual([
      [79, 80, 'programme', 'film', 79, 80],
      [80, 82, 'slate', 'Slate, because nothing could be played in this time.'],
      [82, 83, 'programme', 'news', 0, 1],
    ]);
  });

  test('state which live entry slate is shown for, apart from the slate before and after it', () => {
    const live = { start: 82, length: 60, isLive: true } as const;
    const channel = begun(
      scheduled(entry('film', { start: 0 }), entry('match', live), entry('news', { start: 144 })),
      START,
    );
    const rows = airOf(channel, 79, 145).map((row) => ['entryId' in row && row.entryId, (row.to - START) / 1000]);
    expect(rows.filter(([id]) => id === 'match')).toEqual([['match', 142]]);
    const alone = begun(scheduled(entry('match', { ...live, start: 0 }), entry('news', { start: 62 })), START);
    expect(shown(airOf(alone, 0, 63)).map(([from, to, kind, id]) => [from, to, kind, id])).toEqual([
      [0, 60, 'slate', 'match'],
      [60, 62, 'slate', expect.stringContaining('Slate')],
      [62, 63, 'programme', 'news'],
    ]);
  });

  test.each([
    [10, ['Started 6.000 s later than planned.']],
    [30, ['Started 26.000 s later than planned.', 'Joined in progress, without its first 26.000 s.']],
  ])('state that a break by hand of %d s has delayed an entry', (duration, differences) => {
    const list = [entry('film', { start: 0 }), entry('news', { start: 60, asset: 0 })];
    const channel = withOrders(list, [{ id: 'x', kind: 'ads', startsAt: at(55), duration }], 50);
    expect(shown(airOf(channel, 40, 160))).toEqual([
      [
        ...[40, 56, 'programme', 'film', 40, 56, "Interrupted by an operator's break."],
        'Cut 24.000 s before its end by "news".',
      ],
      [56, 56 + duration, 'insertedBreak', 'x', 'Inserted by an operator.'],
      [56 + duration, expect.any(Number), 'programme', 'news', duration > 15 ? 26 : 0, 80, ...differences],
      ...shown(airOf(channel, 40, 160)).slice(3),
    ]);
  });

  test('state that an entry has started early', () => {
    const channel = begun(scheduled(entry('film', { start: 0 })), START);
    const records = channel.records.map((record) => ({
      ...record,
      entries: record.entries?.map((one) => one && { ...one, startsAt: at(1.24) }) ?? [],
    }));
    expect(airOf({ ...channel, records }, 0, 10)[0]?.differences).toEqual(['Started 1.240 s earlier than planned.']);
  });

  test('state what an edit has cut', () => {
    const before = begun(scheduled(entry('film', { start: 0, asset: 1 })), START);
    const channel = replanned(before, scheduled(entry('news', { start: 20 })), at(1));
    const [film, news] = shown(airOf(channel, 0, 90));
    expect(film?.slice(2)).toEqual([
      'programme',
      'film',
      0,
      film?.[1],
      expect.stringMatching(/^Cut 3\d\d\.000 s before/),
    ]);
    expect(news?.[2]).not.toBe('slate');
  });
});

describe('what operators insert', () => {
  const list = [entry('film', { start: 0, asset: 1 })];
  const order: Order = { id: 'x', kind: 'ads', startsAt: at(20), duration: 30 };

  test('interrupts a programme, which continues', () => {
    expect(shown(airOf(withOrders(list, [order], 10), 0, 100))).toEqual([
      [0, 21, 'programme', 'film', 0, 21, "Interrupted by an operator's break."],
      [21, 51, 'insertedBreak', 'x', 'Inserted by an operator.'],
      [51, 100, 'programme', 'film', 21, 70],
    ]);
  });

  test('is ended early', () => {
    const over = ordered(withOrders(list, [order], 10), list, [{ ...order, isOver: true }], 26);
    const [row] = airOf(over, 25, 26);
    expect(asRunOf(over, at(21), row!.to)[0]?.differences).toEqual(['Inserted by an operator.']);
    const end = onAirUntil(over, at(25));
    expect(asRunOf(over, at(21), end)[0]?.differences).toEqual([
      'Inserted by an operator.',
      expect.stringMatching(/^Ended \d+\.\d{3} s early by an operator\.$/),
    ]);
  });

  test('is one row, however long a blackout lasts', () => {
    const dark: Order = { id: 'dark', kind: 'blackout', startsAt: at(20) };
    const open = withOrders(list, [dark], 10);
    expect(shown(airOf(open, 15, 200 * 86_400)).slice(1)).toEqual([
      [21, 200 * 86_400, 'blackout', 'dark', 'Inserted by an operator.'],
    ]);
    const over = ordered(open, list, [{ ...dark, isOver: true }], 5000);
    const [, row] = airOf(over, 15, 6000);
    expect(row).toMatchObject({ from: at(21), differences: ['Inserted by an operator.', 'Ended by an operator.'] });
  });
});

describe('rows of a playlist', () => {
  const items = [first, third].map((asset) => ({ asset, cuePoints: [] }));

  test('are its items, over and over', () => {
    const channel = syntheticChannel(items, START);
    expect(shown(airOf(channel, 0, 200))).toEqual([
      [0, 80, 'programme', 0, 80],
      [80, 168, 'programme', 0, 88],
      [168, 200, 'programme', 0, 32],
    ]);
    expect(airOf(channel, 50, 50)).toEqual([]);
  });

  test('do not show an edit that changes nothing on air, and show what another one cuts', () => {
    const kept = edited(syntheticChannel(items, START), [...items, { asset: long, cuePoints: [] }], START + 20_000);
    expect(shown(airOf(kept, 0, 100))[0]).toEqual([0, 80, 'programme', 0, 80]);
    const cut = edited(syntheticChannel(items, START), [{ asset: long, cuePoints: [] }], START + 20_000);
    expect(shown(airOf(cut, 0, 30))).toEqual([
      [0, 20, 'programme', 0, 20, 'Cut 60.000 s before its end by a change of what is played.'],
      [20, 30, 'programme', 0, 10],
    ]);
  });
});

const seconds = (max: number) => fc.integer({ min: 0, max });
const entries = fc
  .array(
    fc.record({ asset: seconds(3), gap: fc.option(seconds(200)), length: fc.option(fc.integer({ min: 1, max: 400 })) }),
    { minLength: 1, maxLength: 8 },
  )
  .map((made) => {
    let start = 0;
    return made.map(({ asset, gap, length }, index): TestEntry => {
      if (gap !== null) start += gap + 1;
      return entry(`e${index}`, {
        asset,
        breaks: { every: 60, maxDuration: 20 },
        ...(gap === null ? {} : { start }),
        ...(length === null ? {} : { length }),
      });
    });
  });
const cueLists = fc.array(fc.record({ spliceTime: seconds(60), maxDuration: fc.constantFrom(0.5, 5, 10.1234) }), {
  maxLength: 2,
});
const channels = fc.oneof(
  fc
    .tuple(entries, entries, seconds(600), fc.option(fc.record({ startsAt: seconds(900), duration: seconds(90) })))
    .map(([list, other, edit, order]) => {
      const channel = replanned(begun(scheduled(...list), START - 30_000), scheduled(...other), at(edit));
      if (order === null) return channel;
      const one = { id: 'x', kind: 'ads', startsAt: at(order.startsAt), duration: order.duration + 1 } as const;
      return ordered(channel, other, [one], order.startsAt - 10);
    }),
  fc
    .tuple(fc.array(cueLists, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(seconds(900), fc.boolean())))
    .map(([cues, orders]) => {
      const items = cues.map((cuePoints, index) => ({ asset: assets[index]!, cuePoints }));
      const made = orders
        .map(([startsAt, isBlackout], index): Order => {
          const kind = isBlackout ? 'blackout' : 'ads';
          return { id: `o${index}`, kind, startsAt: at(startsAt), duration: 90 };
        })
        .sort((one, other) => one.startsAt - other.startsAt);
      let channel = syntheticChannel(items, START - 30_000);
      made.forEach((_, index) => {
        channel = operated(channel, made.slice(0, index + 1), made[index]!.startsAt - 10_000);
      });
      return channel;
    }),
);

/** Rows of ranges that follow each other, with those joined that their border has cut. */
function joined(before: readonly AsRunRow[], next: readonly AsRunRow[]): AsRunRow[] {
  const [last, head] = [before.at(-1), next[0]];
  if (last === undefined || head?.id !== last.id) return [...before, ...next];
  const differences = [...last.differences, ...head.differences];
  const asset = 'asset' in last && 'asset' in head ? { asset: { ...last.asset, out: head.asset.out } } : {};
  return [...before.slice(0, -1), { ...last, to: head.to, differences, ...asset } as AsRunRow, ...next.slice(1)];
}

test('rows tile the time, and those of two ranges that follow each other are those of both', () => {
  fc.assert(
    fc.property(
      channels,
      fc.array(fc.integer({ min: -30_000, max: 1_500_000 }), { minLength: 3, maxLength: 3 }),
      (channel, times) => {
        const [a, b, c] = times.map((time) => millis(START + time)).sort((one, other) => one - other) as [
          Millis,
          Millis,
          Millis,
        ];
        const rows = asRunOf(channel, a, c);
        expect(rows.map(({ from }) => from)).toEqual(
          [a, ...rows.slice(0, -1).map(({ to }) => to)].slice(0, rows.length),
        );
        expect(rows.at(-1)?.to ?? a).toBe(c);
        for (const { from, to } of rows) expect(to).toBeGreaterThan(from);
        expect(joined(asRunOf(channel, a, b), asRunOf(channel, b, c))).toEqual(rows);
        const sentences = rows.flatMap(({ differences }) => differences).join(' ');
        // The playlists are not edited.
        if (channel.records[0]?.entries === undefined) expect(sentences).not.toMatch(/Cut|Started|Joined/);
        const spans = channel.programme.spansBetween(a, c);
        for (const { placed, break: own, insertedId } of spans) {
          const row = rows.find(
            ({ from, to }) => from < placed.endsAt && to > placed.startsAt && from <= Math.max(a, placed.startsAt),
          );
          const isBreak = row?.kind === 'break' || row?.kind === 'insertedBreak';
          expect([isBreak, row && 'insertedId' in row ? row.insertedId : undefined]).toEqual([
            own !== undefined,
            insertedId,
          ]);
          if (row && 'asset' in row) expect(row.asset.url).toBe(placed.clip.asset.url);
        }
      },
    ),
    lawRuns(100),
  );
});
