// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { demandFunnel } from './demandFunnel.ts';

const totals = {
  opportunities: 10,
  requested: 8,
  breaksNotRequested: 2,
  requestsNotSent: 1,
  requestsWithoutAds: 3,
  offered: 20,
  adsNotChosen: 15,
  chosen: 5,
  started: 4,
  adsNotStarted: 1,
  completed: 4,
  adsNotCompleted: 0,
};
const row = (key: string, amounts: object) => ({ time: '2026-11-01T10:00:00.000Z', key, ...amounts });

test('each step is a share of the first one that counts the same, and names what was lost before it', () => {
  const funnel = demandFunnel(totals, [
    row('NO_ADS', { requestsWithoutAds: 2 }),
    row('AD_SERVER_TIMEOUT', { requestsWithoutAds: 1 }),
    ...['A', 'B', 'C', 'D', 'E', 'F'].map((code, index) => row(`${code}_CODE`, { adsNotChosen: index })),
  ]);
  expect(funnel.map(({ share }) => share)).toEqual([1, 0.8, 1, 0.25, 0.2, 0.2]);
  expect(funnel.map(({ losses }) => losses.length)).toEqual([0, 1, 2, 1, 1, 0]);
  expect(funnel[2]?.losses[1]).toMatch(/^3 requests.*No ads \(2\), Ad server timeout \(1\)$/);
  expect(funnel[3]?.losses[0]).toMatch(/F code \(5\), E code \(4\), .*1 other/);
});

test('a range without breaks has no shares', () => {
  expect(demandFunnel({}, []).every(({ share, losses }) => share === 0 && losses.length === 0)).toBe(true);
});
