// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seededRandom.ts';
import { type History, MAX_STEPS, mapHistory, record, redo, startHistory, stepOf, undo } from './history.ts';

const typed = (texts: readonly [text: string, at: number, field?: string][]) =>
  texts.reduce<History<string>>((history, [text, at, field]) => record(history, text, { at, field }), startHistory(''));

test('undoes and redoes edits in order, and nothing beyond the first and the last', () => {
  const edited = typed([
    ['a', 0],
    ['b', 1],
  ]);
  const back = undo(edited);
  expect([back.present, undo(back).present, undo(undo(back)).present]).toEqual(['a', '', '']);
  expect([redo(back).present, redo(redo(back)).present]).toEqual(['b', 'b']);
});

test('edits of one field without a pause are one step', () => {
  const edited = typed([
    ['E', 0, 'name'],
    ['Ev', 900, 'name'],
    ['Eve', 1800, 'name'],
    ['Even', 2800, 'name'],
    ['url', 2900, 'url'],
    ['item', 2950],
    ['item 2', 2960],
  ]);
  expect(edited.past).toEqual(['', 'Eve', 'Even', 'url', 'item']);
});

test('an edit after an undo starts a step of its own, and drops what could be redone', () => {
  const edited = typed([
    ['a', 0, 'name'],
    ['b', 5000, 'name'],
  ]);
  const after = record(undo(edited), 'c', { at: 5100, field: 'name' });
  expect([after.past, after.present, after.future]).toEqual([['', 'a'], 'c', []]);
});

test('keeps a limited number of steps', () => {
  const edited = typed(Array.from({ length: MAX_STEPS + 50 }, (_, at) => [`${at}`, at]));
  expect([edited.past.length, edited.past[0]]).toEqual([MAX_STEPS, '49']);
});

test('after any edits, undoing all and redoing all arrives at the same values', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 50; round += 1) {
    let history = startHistory('start');
    for (let step = 0; step < 30; step += 1) {
      const choice = random();
      if (choice < 0.2) history = undo(history);
      else if (choice < 0.3) history = redo(history);
      else history = record(history, `${random()}`, { at: step * 700, field: random() < 0.5 ? 'name' : undefined });
    }
    let all = history;
    while (all.future.length > 0) all = redo(all);
    const [last, count] = [all.present, all.past.length];
    for (let step = 0; step < count; step += 1) all = undo(all);
    expect([all.present, all.past]).toEqual(['start', []]);
    for (let step = 0; step < count; step += 1) all = redo(all);
    expect(all.present).toBe(last);
  }
});

test('reads the key combinations of undo and redo', () => {
  const key = (name: string, ...held: ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) => {
    const none = { key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
    return stepOf({ ...none, ...Object.fromEntries(held.map((one) => [one, true])) });
  };
  expect([key('z', 'ctrlKey'), key('Z', 'ctrlKey', 'shiftKey'), key('z', 'metaKey'), key('y', 'ctrlKey')]).toEqual([
    'undo',
    'redo',
    'undo',
    'redo',
  ]);
  expect([key('z'), key('z', 'ctrlKey', 'altKey'), key('a', 'ctrlKey')]).toEqual([undefined, undefined, undefined]);
});

const visited = (history: History<string>, text: string, visit: number, at: number) =>
  record(history, text, { at, field: 'name', visit });

test('all that is typed during one visit to a field is one step, and the next visit is another one', () => {
  let history = startHistory('');
  for (const [text, visit, at] of [
    ['a', 1, 0],
    ['ab', 1, 60_000],
    ['abc', 2, 120_000],
    ['abcd', 2, 180_000],
  ] as const)
    history = visited(history, text, visit, at);
  expect([history.past, history.present]).toEqual([['', 'ab'], 'abcd']);
});

test('a step is void when the browser has undone what was typed, and can be redone', () => {
  const typed = visited(visited(startHistory('x'), 'xy', 1, 0), 'xyz', 1, 5000);
  const back = visited(typed, 'x', 1, 9000);
  expect([back.past, back.present, back.future]).toEqual([[], 'x', ['xyz']]);
  expect(redo(back).present).toBe('xyz');
  // A later visit that arrives at the same value is an edit.
  expect(visited(typed, 'x', 2, 99_000).past).toEqual(['x', 'xyz']);
});

test('a newer version changes all values', () => {
  const edited = undo(visited(visited(startHistory('a'), 'b', 1, 0), 'c', 2, 9000));
  const mapped = mapHistory(edited, (value) => `${value}!`);
  expect([mapped.past, mapped.present, mapped.future]).toEqual([['a!'], 'b!', ['c!']]);
});
