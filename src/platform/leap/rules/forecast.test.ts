// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { LinearChannel } from '../../../channels/channel.ts';
import type { ProjectedEntry } from '../../../planning/schedule/projectSchedule.ts';
import { millis } from '../../../time/units.ts';
import { type ForecastDeps, type ForecastPlace, forecastPage } from './forecast.ts';

const start = millis(3_600_000);
/** An entry that has no media yet. */
const missing = (id: string): ProjectedEntry => ({
  entry: { id, source: { url: 'https://media.test/missing.m3u8' } },
  isOfRule: false,
  plannedAt: start,
  outcome: { ok: false, reason: 'it is not imported yet' },
  laid: { index: 0, startsAt: start, endsAt: start, isJoined: false, isCut: false },
  length: millis(60_000),
});
const entries = ['a', 'b', 'c'].map(missing);
const deps = {
  desk: {
    find: async () => ({ settings: {}, modifiedAt: '2026-12-01T00:00:00Z' }),
    project: async () => ({ rows: [], entries, warnings: [] }),
  },
  counts: { peaks: async () => new Map() },
  now: () => millis(0),
} as unknown as ForecastDeps;
const channels = ['one', 'two'].map((id) => ({ id, tenant: 'acme', type: 'vod2live' }) as LinearChannel);

test.each([1, 2, 4])('pages of %i list events that start together once', async (limit) => {
  const ids: string[] = [];
  let place: ForecastPlace | undefined;
  do {
    const range = { from: millis(1), to: millis(2 * start) };
    const { events, next } = await forecastPage(deps, { channels, ...range, limit, place, country: undefined });
    ids.push(...events.map(({ id }) => id));
    place = next;
  } while (place !== undefined && ids.length < 10);
  expect(ids).toEqual(['one/a', 'one/b', 'one/c', 'two/a', 'two/b', 'two/c']);
});
