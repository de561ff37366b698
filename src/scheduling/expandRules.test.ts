// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import { finish } from '../time/sliced.ts';
import { type Millis, millis, secondsToFlicks } from '../time/units.ts';
import { expandRules, MAX_REPEATED, ruleEntryOf } from './expandRules.ts';
import { ruleFaults } from './ruleFaults.ts';
import { type Entry, type Rule, type RuleEntry, weekdays } from './schedule.ts';

const at = (iso: string): Millis => millis(Date.parse(iso));
const entry = (id: string, duration?: number): RuleEntry => ({
  id,
  source: { url: `https://x/${id}.m3u8` },
  ...(duration === undefined ? {} : { duration }),
});
const lengthOf = ({ duration }: RuleEntry) => (duration === undefined ? undefined : secondsToFlicks(duration));
const between = (rules: readonly Rule[], from: Millis, to: Millis) => finish(expandRules(rules, from, to, lengthOf));
const expand = (rules: readonly Rule[], from: string, to: string) => between(rules, at(from), at(to));
/** Ids with the starts that they have. */
const shown = (rule: Rule, from: string, to: string) =>
  expand([rule], from, to).entries.map(({ entry: { id, start } }) => (start === undefined ? id : `${id} ${start}`));

const HOUR = 3600;
const films: Rule = {
  id: 'films',
  at: '20:15',
  timeZone: 'Europe/Berlin',
  entries: [entry('a', HOUR), entry('b', HOUR)],
};

describe('an occurrence', () => {
  test('starts at its time of day, with entries that follow the first one', () => {
    const [first, second] = expand([films], '2026-01-05T00:00Z', '2026-01-06T00:00Z').entries;
    expect(first).toEqual({
      rule: 'films',
      entry: { ...entry('a', HOUR), id: 'films@2026-01-05.a', start: '2026-01-05T19:15:00.000Z' },
    });
    expect(second).toEqual({ rule: 'films', entry: { ...entry('b', HOUR), id: 'films@2026-01-05.b' } });
  });

  test('has live entries that have been ended by hand', () => {
    const live = { sourceManifestUrl: 'https://x/live.mpd', plannedDuration: HOUR };
    const [endedAt, entryId] = ['2026-01-05T19:40:00.000Z', 'films@2026-01-05.show'];
    const rule = { ...films, entries: [{ id: 'show', source: { live } }], ended: [{ entryId, at: endedAt }] };
    const sources = expand([rule], '2026-01-05T00:00Z', '2026-01-07T00:00Z').entries.map((one) => one.entry.source);
    expect(sources).toEqual([{ live: { ...live, endedAt } }, { live }]);
  });

  test('belongs to the window in which it starts, or begins with, while it still runs', () => {
    const counts = (from: string, to: string) => shown(films, `2026-01-05T${from}Z`, `2026-01-05T${to}Z`).length;
    expect(counts('19:00', '19:15')).toBe(0);
    expect(counts('19:15', '19:16')).toBe(2);
    expect(counts('21:14:59', '21:30')).toBe(2);
    expect(counts('21:15', '21:30')).toBe(0);
  });

  test('that runs for days is found, until the next one of its rule starts', () => {
    const long = { ...films, days: ['sat'], entries: [entry('a', 60 * HOUR)] } as const;
    expect(shown(long, '2026-01-12T12:00Z', '2026-01-12T13:00Z')).toEqual([
      'films@2026-01-10.a 2026-01-10T19:15:00.000Z',
    ]);
    const daily = { ...long, days: weekdays };
    expect(shown(daily, '2026-01-12T12:00Z', '2026-01-12T13:00Z')).toEqual([
      'films@2026-01-11.a 2026-01-11T19:15:00.000Z',
    ]);
  });

  test('has the date of its zone', () => {
    const rule: Rule = { id: 'r', at: '08:00:30', timeZone: 'Pacific/Kiritimati', entries: [entry('a')] };
    expect(shown(rule, '2026-01-01T00:00Z', '2026-01-02T00:00Z')).toEqual(['r@2026-01-02.a 2026-01-01T18:00:30.000Z']);
  });

  test.each([
    ['2026-03-29', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25', '2026-10-25T00:30:00.000Z'],
  ])('at a time that is skipped or repeated on %s', (day, start) => {
    expect(shown({ ...films, at: '02:30', entries: [entry('a')] }, `${day}T00:00Z`, `${day}T12:00Z`)).toEqual([
      `films@${day}.a ${start}`,
    ]);
  });
});

describe('the days of a rule', () => {
  const one = { ...films, entries: [entry('a')] };
  const days = (rule: Rule) =>
    expand([rule], '2026-01-01T00:00Z', '2026-01-15T00:00Z').entries.map(({ entry: { id } }) => id.slice(14, 16));

  test('are weekdays between its first and its last day, without exceptions', () => {
    expect(days({ ...one, days: ['mon', 'thu'] })).toEqual(['01', '05', '08', '12']);
    expect(days({ ...one, from: '2026-01-03', until: '2026-01-06', except: ['2026-01-04'] })).toEqual([
      '03',
      '05',
      '06',
    ]);
    expect(days({ ...one, days: [] })).toEqual([]);
  });

  test('take its entries in turn, from its first day on, and an exception changes no other day', () => {
    const turns: Rule = { ...films, order: 'alternate', days: ['mon', 'tue', 'fri'], from: '2026-01-02' };
    const taken = (rule: Rule, to: string) =>
      expand([rule], '2026-01-01T00:00Z', to).entries.map(({ entry: { id } }) => id.slice(11));
    const all = ['01-02.a', '01-05.b', '01-06.a', '01-09.b', '01-12.a', '01-13.b'];
    expect(taken(turns, '2026-01-14T00:00Z')).toEqual(all);
    expect(taken({ ...turns, except: ['2026-01-06'] }, '2026-01-14T00:00Z')).toEqual(all.toSpliced(2, 1));
  });
});

describe('a loop', () => {
  const loop: Rule = {
    ...films,
    repeatUntil: '00:00',
    entries: [entry('a', HOUR), entry('b'), entry('c', 0.5 * HOUR)],
  };

  test('repeats its entries until a time of day, and those of unknown length are played once', () => {
    const { entries } = expand([loop], '2026-01-05T22:00Z', '2026-01-05T23:00Z');
    expect(entries.map(({ entry: { id } }) => id.slice(17))).toEqual(['a', 'b', 'c', 'a.2', 'c.2', 'a.3']);
    expect(new Set(entries.map(({ endsBy }) => endsBy))).toEqual(new Set([at('2026-01-05T23:00Z')]));
    expect(shown(loop, '2026-01-05T23:00Z', '2026-01-06T00:00Z')).toEqual([]);
  });

  test('that ends when it starts lasts a day, of 23 hours when the clocks go forward', () => {
    const whole: Rule = { ...films, at: '00:00', repeatUntil: '00:00', entries: [entry('a', HOUR)] };
    expect(shown(whole, '2026-03-28T23:00Z', '2026-03-29T22:00Z')).toHaveLength(23);
    expect(shown(whole, '2026-10-24T22:00Z', '2026-10-25T23:00Z')).toHaveLength(25);
  });

  test('in time that is skipped has no entries', () => {
    expect(shown({ ...loop, at: '02:30', repeatUntil: '03:00' }, '2026-03-29T00:00Z', '2026-03-29T12:00Z')).toEqual([]);
  });

  test('of unknown lengths plays each entry once', () => {
    expect(
      shown({ ...loop, entries: [entry('a'), entry('b')] }, '2026-01-05T19:00Z', '2026-01-05T20:00Z'),
    ).toHaveLength(2);
  });

  test('of entries that are too short ends early, with a warning that names the rule', () => {
    const short: Rule = { ...films, at: '00:00', repeatUntil: '00:00', entries: [entry('a', 30), entry('b', 29)] };
    const { entries, warnings } = expand([short], '2026-01-05T00:00Z', '2026-01-05T01:00Z');
    expect([entries.length, warnings]).toEqual([MAX_REPEATED, [naming('films', '2880')]]);
    const enough = { ...short, entries: [entry('a', 30)] };
    expect(expand([enough], '2026-01-05T00:00Z', '2026-01-05T01:00Z').warnings).toEqual([]);
  });
});

test('rules that repeat on the same day share its entries in proportion to their time', () => {
  const whole: Rule = { ...films, at: '00:00', repeatUntil: '00:00', entries: [entry('a', 20)] };
  const half: Rule = { ...whole, id: 'half', at: '10:00', repeatUntil: '22:00' };
  const other: Rule = { ...whole, id: 'other', days: ['tue'] };
  const countsOn = (day: string) => {
    const { entries, warnings } = expand([whole, half, other], `${day}T00:00Z`, `${day}T00:01Z`);
    return [entries.filter(({ rule }) => rule === 'films').length, warnings];
  };
  expect(countsOn('2026-01-05')).toEqual([1920, [naming('films', '1920')]]);
  expect(countsOn('2026-01-06')).toEqual([1152, [naming('films', '1152'), naming('other', '1152')]]);
});

// Laws of any rules

const ids = ['a', 'b', 'c-1'];
const times = fc.constantFrom('00:00', '00:30', '02:30', '06:00:15', '20:15', '23:59:59');
const dates = fc.constantFrom('2026-03-20', '2026-03-28', '2026-03-29', '2026-04-02', '2026-10-25');
const lengths = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu');
const rules = fc.uniqueArray(
  fc.record<Rule, 'id' | 'at' | 'entries'>(
    {
      id: fc.string({ unit: fc.constantFrom('a', 'Z', '9'), minLength: 1, maxLength: 40 }),
      at: times,
      repeatUntil: times,
      timeZone: zones,
      days: fc.subarray([...weekdays]),
      from: dates,
      until: dates,
      except: fc.array(dates, { maxLength: 3 }),
      order: fc.constantFrom('sequence', 'alternate'),
      entries: fc.tuple(lengths, lengths, lengths).map((all) => all.map((length, i) => entry(ids[i]!, length))),
    },
    { requiredKeys: ['id', 'at', 'entries'] },
  ),
  { maxLength: 3, selector: ({ id }) => id },
);
const START = Date.parse('2026-03-18T00:00Z');
const window = fc
  .tuple(fc.integer({ min: 0, max: 25_000 }), fc.integer({ min: 1, max: 5000 }))
  .map(([start, length]) => [millis(START + start * 60_000), millis(START + (start + length) * 60_000)] as const);

test('a window has the same entries as one that contains it, apart from what ended before it or starts after it', () => {
  fc.assert(
    fc.property(rules, window, fc.nat(4000), fc.nat(4000), (some, [from, to], before, after) => {
      const outer = between(some, millis(from - before * 60_000), millis(to + after * 60_000)).entries;
      const inner = between(some, from, to).entries;
      const known = new Map(outer.map((each) => [each.entry.id, each]));
      expect(known.size).toBe(outer.length);
      for (const each of inner) expect(known.get(each.entry.id)).toEqual(each);
      const occurrence = ({ id }: Entry) => id.split('.')[0];
      const starting = new Set(
        outer.flatMap(({ entry }) =>
          Date.parse(entry.start ?? '') >= from && Date.parse(entry.start ?? '') < to ? [occurrence(entry)] : [],
        ),
      );
      const startIn = (list: typeof outer) => list.filter(({ entry }) => starting.has(occurrence(entry)));
      expect(startIn(inner)).toEqual(startIn(outer));
      for (const { entry } of inner) expect(entry.id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._~@:-]{0,127}$/);
    }),
    lawRuns(300),
  );
});

describe('faults of a rule', () => {
  const faults = (changes: object) =>
    ruleFaults({ ...films, ...changes }, '/rules/0').map(({ dataPath }) => dataPath.slice(9));

  test('are none in valid rules and in values of other types', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ repeatUntil: '20:15', from: '2028-02-29', until: '2028-02-29', except: ['2026-12-24'] })).toEqual(
      [],
    );
    for (const value of [undefined, null, 5, 'x', [], { at: 5, entries: {}, except: 'x', from: 1, until: null }])
      expect(ruleFaults(value, '')).toEqual([]);
  });

  test.each<[string[], object]>([
    [['at'], { at: '24:00' }],
    [['at'], { at: '9:00' }],
    [['repeatUntil'], { repeatUntil: '12:60' }],
    [['timeZone'], { timeZone: 'Mars/Olympus' }],
    [['from'], { from: '2026-02-29' }],
    [['until'], { until: '01.03.2026' }],
    [['until'], { from: '2026-03-02', until: '2026-03-01' }],
    [['except/1'], { except: ['2026-03-02', '2026-13-01'] }],
    [['ended/0/at'], { ended: [{ entryId: 'films@2026-01-05.a', at: 'now' }] }],
    [['entries/1/id'], { entries: [entry('a'), entry('a')] }],
    [['entries/0/id'], { entries: [entry('a.2'), entry('a')] }],
    [['id'], { id: 'films@2026-01-05.a' }],
  ])('are at %j in %j', (paths, changes) => expect(faults(changes)).toEqual(paths));
});

test('the id of an expanded entry leads to the entry of its rule', () => {
  const rule: Rule = { ...films, repeatUntil: '23:30', entries: [entry('a', HOUR / 2), entry('a.x', HOUR / 2)] };
  const rules = [{ ...rule, id: 'film' }, rule, { ...films, id: 'films.late', at: '23:45' }];
  const { entries } = expand(rules, '2026-01-05T00:00Z', '2026-01-06T00:00Z');
  expect(entries.length).toBeGreaterThan(10);
  for (const one of entries) expect(ruleEntryOf(rules, one.entry.id)?.source).toEqual(one.entry.source);
  const others = ['gone@2026-01-05.a', 'films@2026-01-05.c', 'a'].map((id) => ruleEntryOf(rules, id));
  expect(others).toEqual([undefined, undefined, undefined]);
});
