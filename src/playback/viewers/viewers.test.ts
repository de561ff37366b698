// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import { createStoreWithOutages } from '../../../test/laws/storeWithOutages.ts';
import {
  airingOf,
  decide,
  edited,
  hlsOf,
  placeDecisions,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { scheduleProgramme } from '../../channels/schedule/scheduleProgramme.ts';
import { openSqlite } from '../../database.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { type BreakDecider, viewAt } from '../view/view.ts';
import { DECISION_TIMEOUT_MS } from './breaks.ts';
import { choicesOf } from './choicesOf.ts';
import { createStoreHealth, monitoredSessions } from './storeHealth.ts';
import { createViewers, mayHaveMissed, STORE_WAIT_MS, type Viewer } from './viewers.ts';

const health = createStoreHealth(systemTimers, () => {});

const start = Date.parse('2026-03-01T00:00:00Z');
const items = (name: string) => [{ asset: twoSecondAsset(name, 10), cuePoints: [{ spliceTime: 10, maxDuration: 10 }] }];
const shift = { segments: [1, 1], discontinuities: 1 };
const decision = (breakId: string, startsAt: number): StoredDecision => ({
  breakId,
  startsAt,
  joined: 0,
  ads: [],
  shift,
});

async function storeWith({ session, odometer }: SessionState): Promise<SessionStore> {
  const store = sqlSessions(await openSqlite(':memory:'));
  await store.create(session, odometer);
  return store;
}

test('a viewer seen within the window is read once; one not seen for longer is read again and finally removed from memory', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const viewers = createViewers(await storeWith(viewerOf(airing, start).state), health, 10);
  const known = await viewers.find('s', airing, millis(start));
  expect(viewers.find('s', airing, millis(start + 40_000))).toBe(known);
  const again = viewers.find('s', airing, millis(start + 110_000));
  expect(again).toBeInstanceOf(Promise);
  expect(await again).toBe(known);
  await viewers.flushSeen(millis(start + 150_000));
  expect(await viewers.find('s', airing, millis(start + 150_000))).toBe(known);
  for (let at = 165_000; at <= 225_000; at += 15_000) await viewers.flushSeen(millis(start + at));
  expect(await viewers.find('s', airing, millis(start + 225_000))).not.toBe(known);
});

test('requests that arrive together share one read of the session', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const store = await storeWith(viewerOf(airing, start).state);
  let reads = 0;
  const find = (id: string) => {
    reads += 1;
    return store.find(id);
  };
  const viewers = createViewers({ ...store, find }, health, 10);
  const [known, same] = await Promise.all([0, 1].map(() => viewers.find('s', airing, millis(start))));
  expect(same).toBe(known);
  await Promise.all([0, 1, 2].map(() => viewers.find('s', airing, millis(start + 70_000))));
  expect(reads).toBe(2);
});

test('after a hole of the timeline, a viewer is read again once: another node may have decided what ended in it', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const viewers = createViewers(await storeWith(viewerOf(airing, start).state), health, 10);
  const known = await viewers.find('s', airing, millis(start + 1000));
  const continued = { ...airing, programme: { ...airing.programme, historyFrom: millis(start + 2000) } };
  const again = viewers.find('s', continued, millis(start + 3000));
  expect(again).toBeInstanceOf(Promise);
  expect(await again).toBe(known);
  expect(viewers.find('s', continued, millis(start + 4000))).toBe(known);
});

test('beyond the limit, the viewers seen least recently are read again', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const { state } = viewerOf(airing, start);
  const store = await storeWith(state);
  const others = Array.from({ length: 20 }, (_, index) => `other-${index}`);
  for (const id of others) await store.create({ ...state.session, id }, state.odometer);
  const viewers = createViewers(store, health, 10);
  const watching = await viewers.find('s', airing, millis(start));
  let now = millis(start);
  for (const id of others) {
    now = millis(now + 21_000);
    await viewers.find(id, airing, now);
    expect(viewers.find('s', airing, now)).toBe(watching);
  }
  expect(viewers.find(others.at(-1)!, airing, now)).not.toBeInstanceOf(Promise);
  expect(viewers.find(others[0]!, airing, now)).toBeInstanceOf(Promise);
});

test('a session of a past life is unknown', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const viewers = createViewers(await storeWith(viewerOf(airing, start).state), health, 10);
  expect(await viewers.find('s', { ...airing, life: 'other' }, millis(start))).toBeUndefined();
});

test('a viewer in memory is served during an outage and not removed', async () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const { store, begin, end } = createStoreWithOutages(await storeWith(viewerOf(airing, start).state));
  const clock = createManualClock(start, () => false);
  const health = createStoreHealth(clock.timers, () => {});
  const viewers = createViewers(monitoredSessions(store, health), health, 10);
  const known = (await viewers.find('s', airing, millis(start)))!;
  await viewers.watch(known, millis(start));
  begin('refused');
  expect(await viewers.find('s', airing, millis(start + 70_000))).toBe(known);
  end();
  begin('silent');
  const { value, ms } = await clock.runUntil(Promise.resolve(viewers.find('s', airing, millis(start + 140_000))));
  expect([value, ms <= STORE_WAIT_MS]).toEqual([known, true]);
  viewers.flushSeen(millis(start + 300_000)).catch(() => {});
  expect(await clock.runUntil(Promise.resolve(viewers.find('s', airing, millis(start + 600_000))))).toMatchObject({
    value: known,
  });
  end();
  const shown = { ...decision('0-1', start + 10_000), isShown: true };
  await store.recordShown([{ sessionId: 's', life: 'l', decision: shown, record: { ads: [] } as never }]);
  await clock.advance(1000);
  // Decisions made by other nodes meanwhile are read as soon as possible.
  await expect
    .poll(async () => (await viewers.find('s', airing, millis(start + 600_000)))?.state.decisions)
    .toEqual([shown]);
});

const SECOND = 1000;
const films = [{ asset: twoSecondAsset('a', 10), cuePoints: [{ spliceTime: 10, maxDuration: 3 }] }];

/** A channel with breaks of three seconds, all decided by another node. */
function decidedChannel(playlistSize: number) {
  const channel = syntheticChannel(films, start);
  const airing = airingOf(channel, playlistSize);
  const viewer = viewerOf(airing, start);
  const spans = channel.programme.spansBetween(millis(start), millis(start + 200 * SECOND));
  for (const span of spans.filter((one) => one.break !== undefined)) {
    const ads = [{ adId: `${span.id}-0`, mediaId: 'ad-x50', frames: 50 }];
    decide(channel, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  }
  return { channel, airing, all: viewer.state };
}

test.each([10, 60])(
  'a node knows every decision in a window of %i s, or reads the viewer again',
  async (playlistSize) => {
    const { channel, airing, all } = decidedChannel(playlistSize);
    const stored = (viewer: Viewer): Viewer => {
      viewer.state = all;
      placeDecisions(channel, viewer);
      return viewer;
    };
    const decider: BreakDecider = {
      begin: () => {},
      settle: async (_, viewer) => void stored(viewer),
    };
    const playlistAt = async (viewer: Viewer, at: Millis) => hlsOf(await viewAt(airing, viewer, decider, at), 0);
    let kept = 0;
    for (let seen = 70; seen < 100; seen += 3) {
      for (let unseen = 1; unseen < 70; unseen += playlistSize / 10) {
        const [seenUntil, now] = [millis(start + seen * SECOND), millis(start + (seen + unseen) * SECOND)];
        const viewer = viewerOf(airing, start);
        // The edge may have waited for the decision of a break that has begun before.
        const known = all.decisions.filter(({ startsAt }) => startsAt < seenUntil - DECISION_TIMEOUT_MS);
        viewer.state = { ...all, decisions: known };
        placeDecisions(channel, viewer);
        viewer.edgeSecond = Math.floor(seenUntil / 1000);
        if (mayHaveMissed(viewer, airing, now)) continue;
        kept += 1;
        expect(await playlistAt(viewer, now)).toBe(await playlistAt(stored(viewerOf(airing, start)), now));
      }
    }
    expect(kept).toBeGreaterThan(15);
  },
);

// A node that has been running for longer may still have an edition that a restarted one no longer reads (law 8).
test('discarding an edition changes no sequence number, whether its breaks were shown or taken off the schedule', () => {
  const first = syntheticChannel(items('a'), start);
  const all = edited(first, [{ asset: twoSecondAsset('b', 10), cuePoints: [] }], start + 100_000);
  const editions = all.lineup.editions.slice(1);
  const later = { ...all, programme: scheduleProgramme({ ...all.lineup, editions }) };
  const { historyFrom } = later.programme;
  const viewer = viewerOf(airingOf(first, 60), start);
  const breaks = first.programme
    .spansBetween(millis(start), millis(start + 200_000))
    .filter((span) => span.break !== undefined);
  for (const span of breaks) {
    const ads = [{ adId: `${span.id}-0`, mediaId: 'ad-x120', frames: 120 }];
    decide(first, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  }
  const shown = breaks.filter((span) => spanEnd(span) <= historyFrom);
  expect([shown.length > 0, shown.length < breaks.length]).toEqual([true, true]);

  const stored = viewer.state;
  const decider = { begin: () => {}, settle: async () => {} };
  const playlists = [all, later].map((channel) => {
    viewer.state = stored;
    placeDecisions(channel, viewer);
    const view = viewAt(airingOf(channel, 60), viewer, decider, millis(historyFrom + 70_000));
    if (view instanceof Promise) throw new Error('the view waited for a decision');
    return hlsOf(view, 0);
  });
  expect(playlists[1]).toBe(playlists[0]);
});

test('decisions for breaks that left the schedule show nothing and change no sequence number (law 3)', () => {
  const channel = syntheticChannel(items('a'), start);
  const airing = airingOf(channel, 60);
  const viewer = viewerOf(airing, start);
  const spans = channel.programme.spansBetween(millis(start), millis(start + 100_000));
  const span = spans.find((one) => one.break !== undefined)!;
  const ads = [{ adId: 'one', mediaId: 'ad-x120', frames: 120 }];
  decide(channel, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  const { state } = viewer;
  expect(choicesOf(airing, state).decided).toHaveLength(1);
  const decisions = state.decisions.map((one) => ({ ...one, isVoid: true }));
  expect(choicesOf(airing, { ...state, decisions })).toEqual(choicesOf(airing, { ...state, decisions: [] }));
});
