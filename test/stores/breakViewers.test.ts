// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AdRecord, BreakRecord } from '../../src/ads/record/breakRecord.ts';
import type { SessionState, StoredDecision } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';
import { sessionOf } from './records.ts';

const odometer = { segments: [0, 0], discontinuities: 0 };
const decision = (breakId: string): StoredDecision => ({
  ...{ breakId, startsAt: 5, joined: 0, ads: [] },
  shift: { segments: [0, 0], discontinuities: 0 },
});
const record = (id: string, hasAds: boolean): BreakRecord => ({
  ...{ id, startsAt: '', duration: 10, status: 'filled', warnings: [], slate: 0 },
  ads: hasAds ? [{ outcome: 'skipped' } as AdRecord, { outcome: 'stitched' } as AdRecord] : [],
});

onEachSessionStore(':memory:', ({ sessions: store, breakViewers: count }) => {
  async function open(id: string, life: string): Promise<SessionState> {
    const reach = { playlistSize: 60, timeShiftWindow: 0 };
    const session = { ...sessionOf(id), kind: 'live' as const, life, live: { joinedAt: millis(0) }, reach };
    await store.create(session, odometer);
    return { session, decisions: [], odometer, foldedBefore: millis(0) };
  }

  test('viewers are counted once for each break of a life, with what they were shown last', async () => {
    const decide = async (id: string, life: string, sections: readonly [section: string, hasAds: boolean][]) => {
      const state = await open(id, life);
      for (const [section, hasAds] of sections)
        await store.decide(state, decision(section), record(section, hasAds), millis(0));
    };
    await decide('anna', 'l', [
      ['70-0', false],
      ['70-1', true],
      ['9-0', true],
    ]);
    await decide('ben', 'l', [['70-0', false]]);
    await decide('other', 'm', [['70-0', true]]);
    await open('carla', 'l');
    const shown = { sessionId: 'carla', life: 'l', decision: decision('70-0'), record: record('70-0', false) };
    await store.recordShown([shown]);
    const all = () => count('l', ['70', '9', '1']).then((counts) => Object.fromEntries(counts));
    expect(await all()).toEqual({ 70: { decided: 3, withAds: 1 }, 9: { decided: 1, withAds: 1 } });
    await store.settle([{ sessionId: 'ben', decision: decision('70-0'), record: record('70-0', true) }]);
    await store.settle([{ sessionId: 'anna', decision: decision('9-0'), record: record('9-0', false) }]);
    expect(await all()).toEqual({ 70: { decided: 3, withAds: 2 }, 9: { decided: 1, withAds: 0 } });
    expect(await count('l', [])).toEqual(new Map());
    await store.expire(millis(1));
    expect(await all()).toEqual({});
  });
});
