// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { emptyBreak, richBreak } from '../../../test/vast/richAd.ts';
import { millis } from '../../time/units.ts';
import { MAX_EVENTS, readConfirmations } from './confirmations.ts';

const now = millis(1_800_000_000_000);
const records = [richBreak('1-2', '2026-03-01T20:00:00.000Z'), emptyBreak('1-4', '2026-03-01T20:01:00.000Z')];
const read = (...events: unknown[]) => {
  const result = readConfirmations({ events }, records, now);
  if (typeof result === 'string') throw new Error(result);
  return result;
};

test('events of ads and breaks are confirmed in either spelling', () => {
  const { confirmed, refused } = read(
    { adId: '1-2-0', eventType: 'start', at: '2026-03-01T20:00:00.250Z' },
    { adId: '1-2-1', eventType: 'FIRST_QUARTILE', extra: 'is ignored' },
    { breakId: '1-2', eventType: 'breakStart' },
    { adId: '1-2-1', eventType: 'breakEnd', at: 1_800_000_000_000.4 },
  );
  expect(refused).toEqual([]);
  expect(confirmed).toEqual([
    { breakId: '1-2', adId: '1-2-0', event: 'start', at: now, playerAt: Date.parse('2026-03-01T20:00:00.250Z') },
    { breakId: '1-2', adId: '1-2-1', event: 'firstQuartile', at: now },
    { breakId: '1-2', adId: '', event: 'breakStart', at: now },
    { breakId: '1-2', adId: '', event: 'breakEnd', at: now, playerAt: 1_800_000_000_000 },
  ]);
});

test.each([
  [null, ['null']],
  [7, [7]],
  [{}, ['eventType']],
  [{ adId: '1-2-0', eventType: 'constructor' }, ['eventType', '"constructor"']],
  [{ adId: '1-2-0', eventType: ['start'] }, ['eventType', '["start"]']],
  [{ eventType: 'start' }, ['adId']],
  [{ adId: '1-2-9', eventType: 'start' }, ['adId', '"1-2-9"']],
  [{ adId: { toString: 1 }, eventType: 'start' }, ['adId', '{"toString":1}']],
  [{ breakId: '9-9', eventType: 'breakEnd' }, ['breakId', '"9-9"']],
  [{ breakId: '1-2', eventType: 'start' }, ['adId']],
  [{ adId: '1-2-0', eventType: 'start', at: 'noon' }, ['at', '"noon"']],
  [{ adId: '1-2-0', eventType: 'start', at: -1 }, ['at', -1]],
  [{ adId: '1-2-0', eventType: 'start', at: true }, ['at', 'true']],
])('%j is refused, and a valid event in the same request is not', (one, values) => {
  const { confirmed, refused } = read(one, { adId: '1-2-0', eventType: 'start' });
  expect(refused).toEqual([{ index: 0, reason: naming(...values) }]);
  expect(confirmed).toHaveLength(1);
});

test.each([undefined, null, 'start', [], {}, { events: 'start' }, { events: { length: 1 } }])(
  '%j is not a valid body',
  (body) => {
    expect(readConfirmations(body, records, now)).toEqual(naming('"events"'));
  },
);

test('a request has at most 100 events', () => {
  const events = new Array(MAX_EVENTS + 1).fill({ adId: '1-2-0', eventType: 'start' });
  expect(readConfirmations({ events }, records, now)).toEqual(naming(100, 101));
});
