// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { millis } from '../../../time/units.ts';
import type { Cell } from '../../reports/rules/ports.ts';
import { type Answers, questionNames, sumAnswers } from './counts.ts';
import { overviewTimes } from './overviewTimes.ts';
import { reasonOf } from './rank.ts';
import { summarize } from './summarize.ts';

const now = millis(Date.parse('2026-03-12T09:30:04Z'));
const names = [
  'offeredMs',
  'filledMs',
  'sent',
  'errors',
  'timeouts',
  'empty',
  'watching',
  'started',
  'CREATIVE_FAILED',
];
const cell: fc.Arbitrary<Cell> = fc.record({
  row: fc.constant(0),
  key: fc.constantFrom('', ...Array.from({ length: 30 }, (_, index) => `key ${index}`)),
  amounts: fc.dictionary(fc.constantFrom(...names), fc.nat(100_000)),
  peaks: fc.dictionary(fc.constant('watching'), fc.nat(1000)),
  levels: fc.constant({}),
  bins: fc.dictionary(fc.nat(600).map(String), fc.nat(5)) as fc.Arbitrary<Record<number, number>>,
});
const answers = fc.record(
  Object.fromEntries(questionNames.map((name) => [name, fc.array(cell, { maxLength: 20 })])),
) as unknown as fc.Arbitrary<Answers>;

test('whatever was counted: every number is finite, lists are bounded and in order, and systems add up', () => {
  fc.assert(
    fc.property(fc.array(answers, { maxLength: 3 }), fc.integer({ min: 0, max: now }), (all, since) => {
      const overview = summarize(
        sumAnswers(all.map((each, index) => ({ tenant: `t${index % 2}`, answers: each }))),
        overviewTimes('today', now, 'UTC'),
        millis(since),
      );
      // JSON writes null in place of what is not finite.
      expect(JSON.stringify(overview)).not.toContain('null');
      const { channels, adServers, creatives, adRequests } = overview;
      for (const list of [channels, adServers, creatives]) expect(list.length).toBeLessThanOrEqual(10);
      const values = [
        channels.map(({ secondsUnfilled }) => secondsUnfilled),
        adServers.map(({ errors, timeouts }) => errors + timeouts),
        creatives.map(({ adsLost }) => adsLost),
      ];
      for (const some of values) expect(some).toEqual(some.toSorted((a, b) => b - a));
      const sent = all.flatMap(({ requests }) => requests).reduce((sum, { amounts }) => sum + (amounts.sent ?? 0), 0);
      expect(adRequests.kind === 'nothing' ? undefined : adRequests.value).toBe(sent);
    }),
    lawRuns(60),
  );
});

test.each([
  [{ sent: 4, errors: 2, timeouts: 1, empty: 1 }, {}, 'requests-failed'],
  [{ sent: 4, errors: 1, empty: 3 }, { CREATIVE_FAILED: 2 }, 'responses-empty'],
  [{ sent: 4, errors: 1 }, { CREATIVE_FAILED: 2, BREAK_FULL: 9 }, 'ads-skipped'],
  [{ sent: 4 }, { BREAK_FULL: 9 }, 'too-few-ads'],
  [{}, {}, 'no-requests'],
])('of requests %j and skips %j, the reason is %s', (requests, skips, kind) =>
  expect(reasonOf(requests as Record<string, number>, skips as Record<string, number>).kind).toBe(kind),
);
