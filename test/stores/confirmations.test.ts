// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { freshOdometer } from '../../src/ads/placement/decision.ts';
import { millis } from '../../src/time/units.ts';
import type { Confirmation } from '../../src/tracking/feed/confirmations.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';
import { emptyBreak } from '../vast/richAd.ts';
import { sessionOf } from './records.ts';

const confirmation = (event: string, at: number, rest: Partial<Confirmation> = {}): Confirmation => ({
  ...{ breakId: '1-1', adId: '1-1-0', event, at: millis(at) },
  ...rest,
});

onEachSessionStore(':memory:', ({ sessions, confirmations: store }) => {
  /** A session whose breaks are those of the ids. */
  async function open(id: string, ...breakIds: string[]): Promise<void> {
    const session = sessionOf(id);
    const odometer = freshOdometer(1);
    await sessions.create(session, odometer);
    const state = { session, decisions: [], odometer, foldedBefore: millis(0) };
    for (const [index, breakId] of breakIds.entries()) {
      const decision = { breakId, startsAt: 1000 + index, joined: 0, ads: [], shift: odometer };
      await sessions.decide(state, decision, emptyBreak(breakId, new Date(1000 + index).toISOString()), millis(0));
    }
  }

  test('an event is stored once, in order of arrival, also if it is reported again', async () => {
    await open('one', '1-1');
    expect(
      await store.add('one', [confirmation('start', 20), confirmation('impression', 10, { playerAt: millis(5) })]),
    ).toBe(2);
    const again = [confirmation('start', 90), confirmation('breakStart', 30, { adId: '' })];
    const counts = await Promise.all([store.add('one', again), store.add('one', again)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await store.ofSession('one')).toEqual([
      confirmation('impression', 10, { playerAt: millis(5) }),
      confirmation('start', 20),
      confirmation('breakStart', 30, { adId: '' }),
    ]);
    expect(await store.add('one', [])).toBe(0);
  });

  test('events of removed sessions and breaks are not kept', async () => {
    expect(await store.add('unknown', [confirmation('start', 1)])).toBe(0);
    await open('two', '1-1');
    await store.add('two', [confirmation('start', 1), confirmation('start', 2, { breakId: '0-9', adId: '0-9-0' })]);
    expect(await store.ofSession('two')).toEqual([confirmation('start', 1)]);
    await sessions.expire(millis(1));
    expect(await store.ofSession('two')).toEqual([]);
  });
});
