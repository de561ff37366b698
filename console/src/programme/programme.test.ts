// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScheduleResponse, ScheduleTimeline } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import { selectTimeZone } from '../format/timeZone.ts';
import { type Row, rowsAt, spanOf } from '../schedule/scheduleView.ts';
import { type Block, blocksOf, estimateBlocks, lengthsOf, localWarning, warnedEntry } from './programmeBlocks.ts';
import {
  countChanges,
  type Draft,
  type Entry,
  editedField,
  entriesOf,
  noChanges,
  patchOf,
  putEntry,
  putSettings,
  type Rule,
  rebase,
  removeEntry,
  settingsOf,
} from './programmeDraft.ts';
import { copyStarts, ruleOf } from './repeatEntry.ts';
import { keyedStart, movedDuration, movedStart, piecesOf } from './weekPieces.ts';

afterEach(() => selectTimeZone(''));

const HOUR = 3_600_000;
const monday = Date.parse('2026-11-30T00:00:00+01:00');
const iso = (hours: number) => new Date(monday + hours * HOUR).toISOString();
const source = (name: string) => ({ url: `https://media.example.com/${name}/master.m3u8` });
const film: Entry = { id: 'film', title: 'Film', start: iso(20), source: source('film') };
const talk: Entry = { id: 'talk', title: 'Talk', source: source('talk') };
const news: Entry = { id: 'news', title: 'News', start: iso(22), source: source('news') };
const stored = [film, talk, news];
const quiz: Rule = { id: 'quiz', at: '14:00', entries: [{ id: 'q', source: source('quiz') }] };

let days: Row[];
let blocks: Block[];
beforeEach(() => {
  selectTimeZone('Europe/Berlin');
  days = rowsAt('week', monday);
  blocks = blocksOf(timeline, stored);
});

// Drafts

test('a draft is sent as changes: fields that differ, null for those that are removed, whole new entries', () => {
  const { start: _, ...following } = news;
  let draft = putEntry(noChanges, stored, { ...film, start: iso(19), isRepeat: true });
  draft = putEntry(draft, stored, following, 'film');
  draft = putEntry(draft, stored, { id: 'new', source: source('new'), start: iso(8), categories: ['Drama', ' '] });
  draft = removeEntry(draft, 'talk');
  expect(patchOf(draft)).toEqual({
    entries: [
      { id: 'film', start: iso(19), isRepeat: true },
      { id: 'news', start: null, after: 'film' },
      { id: 'new', source: source('new'), start: iso(8), categories: ['Drama'] },
    ],
    remove: ['talk'],
  });
  expect(entriesOf(stored, draft).map(({ id }) => id)).toEqual(['film', 'news', 'new']);
  expect(countChanges(draft)).toBe(4);
});

test('a change back to what was read is none; a new entry that is removed leaves nothing', () => {
  const moved = putEntry(noChanges, stored, { ...film, start: iso(19) });
  expect(countChanges(putEntry(moved, stored, film))).toBe(0);
  const added = putEntry(noChanges, stored, { ...film, id: 'copy' });
  expect(removeEntry(added, 'copy')).toEqual(noChanges);
});

test('settings are sent if they differ, and null if they are removed', () => {
  const before = { fillerPlaylistId: 'promos', rules: [quiz] };
  const draft = putSettings(noChanges, before, { fillerPlaylistId: undefined, rules: [], breaks: 'markers' });
  expect(patchOf(draft)).toEqual({ fillerPlaylistId: null, rules: null, breaks: 'markers' });
  expect(settingsOf(before, draft)).toEqual({ breaks: 'markers' });
  expect(putSettings(draft, before, { ...before, breaks: undefined })).toEqual(noChanges);
});

test('the same changes apply to a version that someone else has saved', () => {
  const old = { rules: [quiz] };
  const draft = removeEntry(
    putSettings(
      putEntry(putEntry(noChanges, stored, { ...film, start: iso(19) }), stored, { ...talk, title: 'Late talk' }),
      old,
      { rules: [{ ...quiz, at: '15:00' }], fillerPlaylistId: 'mine' },
    ),
    'news',
  );
  const theirs: Rule = { ...quiz, id: 'theirs' };
  const latest: ScheduleResponse = {
    entries: [{ ...film, title: 'Renamed' }],
    rules: [quiz, theirs],
    createdAt: '',
    modifiedAt: '',
    __v: 2,
  };
  expect(patchOf(rebase(draft, old, latest))).toEqual({
    // The talk was removed meanwhile: the change adds it again.
    entries: [
      { id: 'film', start: iso(19) },
      { ...talk, title: 'Late talk' },
    ],
    fillerPlaylistId: 'mine',
    rules: [{ ...quiz, at: '15:00' }, theirs],
  });
});

test('names the field that an edit changes', () => {
  const one = putEntry(noChanges, stored, { ...film, title: 'F' });
  const two = putEntry(one, stored, { ...film, title: 'Fi' });
  const edits: [Draft, Draft][] = [
    [noChanges, one],
    [one, two],
    [two, putEntry(two, stored, { ...film, title: 'x', year: 1999 })],
    [two, removeEntry(two, 'talk')],
  ];
  expect(edits.map(([before, after]) => editedField(before, after))).toEqual([
    'film title',
    'film title',
    undefined,
    undefined,
  ]);
});

// Blocks

const row = (kind: 'entry' | 'filler', from: number, to: number, more: object = {}) => ({
  kind,
  startsAt: iso(from),
  endsAt: iso(to),
  breaks: [],
  ...more,
});
const timeline: ScheduleTimeline = {
  from: iso(0),
  to: iso(168),
  timeline: [
    row('filler', 0, 20),
    row('entry', 20, 22, {
      entryId: 'film',
      title: 'Film',
      plannedStart: iso(20),
      cut: 90,
      breaks: [{ startsAt: iso(21), duration: 60 }],
    }),
    row('entry', 22, 22.5, { entryId: 'news', title: 'News', plannedStart: iso(22) }),
    row('entry', 22.5, 23, { entryId: 'talk', title: 'Talk' }),
    row('filler', 23, 38),
    row('entry', 38, 39, { entryId: 'quiz@2026-12-01.q', ruleId: 'quiz', title: 'Quiz', plannedStart: iso(38) }),
    row('filler', 39, 168),
  ],
  warnings: [`"Film" (film) is cut by 90.0 s at ${iso(22)}, because the next entry starts then.`],
};
const times = (list: readonly { key: string; from: number; to: number }[]) =>
  list.map(({ key, from, to }) => [key.replace(/ .*/, ''), (from - monday) / HOUR, (to - monday) / HOUR]);

test('blocks have the places of the timeline, with the warnings about them in local time', () => {
  expect(times(blocks)).toContainEqual(['film', 20, 22]);
  expect(blocks[1]).toMatchObject({ isCut: true, breaks: [{ at: monday + 21 * HOUR, duration: 60 }] });
  expect(blocks[1]!.notes[0]).toContain('22:00');
  expect(localWarning(`x ${iso(22)}`)).toContain('30 Nov 2026');
  expect([
    warnedEntry('"A "b" (c)" (film-1) at'),
    warnedEntry('Entry "x@2.y": z'),
    warnedEntry('rule "q" must'),
  ]).toEqual(['film-1', 'x@2.y', undefined]);
});

test('an entry that is never on air is shown at its start', () => {
  const lost: Entry = { ...news, id: 'lost', title: 'Lost' };
  const out = blocksOf(timeline, [...stored, lost]).find(({ entryId }) => entryId === 'lost');
  expect(out).toMatchObject({ isOut: true, from: monday + 22 * HOUR, to: monday + 22 * HOUR });
});

test('before a check, entries keep their lengths, are cut by the next start, and rules stay', () => {
  const lengths = lengthsOf(blocks, stored);
  const estimate = (draft: Draft) =>
    estimateBlocks(entriesOf(stored, draft), blocks, lengths, () => undefined, spanOf(days));
  expect(times(estimate(noChanges)).slice(0, 5)).toEqual([
    ['filler', 0, 20],
    ['film', 20, 22],
    ['news', 22, 22.5],
    // Interrupted by the news, what follows the film continues after them.
    ['talk', 22.5, 23],
    ['filler', 23, 38],
  ]);
  const later = estimate(putEntry(noChanges, stored, { ...film, start: iso(37) }));
  expect(times(later)).toContainEqual(['film', 37, 38]);
  const cut = later.find(({ key }) => key === 'film');
  expect([cut!.isCut, cut!.notes.length, cut!.breaks]).toEqual([true, 1, []]);
  const same = estimate(putEntry(noChanges, stored, { ...film, id: 'copy', start: iso(22) }));
  expect(same.filter(({ isOut }) => isOut).map(({ key }) => key)).toEqual(['news']);
});

// Pieces, pointers and keys

test('a block has a piece in each day; very short ones next to each other are one piece', () => {
  const over = { ...blocks[1]!, from: monday + 23 * HOUR, to: monday + 25 * HOUR };
  const [first, second] = piecesOf([over], days, 12 * HOUR);
  expect([first!.length, first![0]!.top, first![0]!.height]).toEqual([1, 23 * HOUR, HOUR]);
  expect([second![0]!.isContinued, second![0]!.height]).toEqual([true, HOUR]);
  expect(second![0]!.key).not.toBe(first![0]!.key);
  const spots = Array.from({ length: 30 }, (_, index) => ({
    ...blocks[1]!,
    key: `spot-${index}`,
    from: monday + index * 30_000,
    to: monday + (index + 1) * 30_000,
  }));
  const drawn = piecesOf(spots, days, 12 * HOUR)[0]!;
  expect(drawn.length).toBeLessThan(4);
  expect(drawn.flatMap((piece) => piece.blocks).length).toBe(30);
  expect(piecesOf(spots, days, HOUR)[0]).toHaveLength(30);
});

test('dragging snaps to 5 minutes of the day, or to seconds, in the day of the column', () => {
  const from = monday + 20 * HOUR + 61_000;
  expect(movedStart(from, days, 0, 0, false)).toBe(monday + 20 * HOUR);
  expect(movedStart(from, days, 1, 300_000, false)).toBe(monday + 44 * HOUR + 300_000);
  expect(movedStart(from, days, 0, 1400, true)).toBe(from + 1000);
  expect(movedStart(from, days, 9, 0, true)).toBe(from + 6 * 24 * HOUR);
  const block = { ...blocks[1]!, from, to: from + HOUR };
  expect(movedDuration(block, days, 0, false)).toBe(3600 - 61);
  expect(movedDuration(block, days, -2 * HOUR, false)).toBe(300);
});

test('keys move by 5 minutes, by a second, or to the same time of another day, also when the clocks change', () => {
  const from = monday + 20 * HOUR;
  expect(
    ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter'].map((key) => keyedStart(from, days, key, false)),
  ).toEqual([from - 300_000, from + 300_000, from, from + 24 * HOUR, undefined]);
  expect(keyedStart(from, days, 'ArrowDown', true)).toBe(from + 1000);
  const october = rowsAt('week', Date.parse('2026-10-24T12:00:00+02:00'));
  const saturday = Date.parse('2026-10-24T20:00:00+02:00');
  expect(new Date(keyedStart(saturday, october, 'ArrowRight', false)!).toISOString()).toBe('2026-10-25T18:00:00.000Z');
});

// Repetitions

test('a repetition is a rule without the start, or a copy on each day up to the last', () => {
  const repetition = {
    days: ['mon', 'wed'] as const,
    at: '20:00:00',
    timeZone: 'Europe/Berlin',
    until: '2026-12-14',
    except: ['2026-12-09'],
  };
  const { start, ...fields } = film;
  expect(ruleOf(film, Date.parse(start!), 'films', repetition)).toEqual({
    id: 'films',
    at: '20:00:00',
    timeZone: 'Europe/Berlin',
    days: ['mon', 'wed'],
    from: '2026-11-30',
    until: '2026-12-14',
    except: ['2026-12-09'],
    entries: [fields],
  });
  const starts = copyStarts(Date.parse(start!), repetition).map((time) => new Date(time).toISOString());
  expect(starts).toEqual(['2026-12-02T19:00:00.000Z', '2026-12-07T19:00:00.000Z', '2026-12-14T19:00:00.000Z']);
  expect(copyStarts(Date.parse(start!), { ...repetition, until: '' })).toEqual([]);
});
