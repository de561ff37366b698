// SPDX-License-Identifier: Apache-2.0
// What a process keeps of VoD sessions in memory.
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import { titleOfAll, twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { sqlFrozen } from '../../adapters/sql/sessions/sqlFrozen.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { VodChannel } from '../../channels/channel.ts';
import { openSqlite } from '../../database.ts';
import { AppError } from '../../errors.ts';
import type { FrozenStore } from '../../sessions/ports.ts';
import { flicks, millis } from '../../time/units.ts';
import type { FrozenBreak } from '../../vod/layOut.ts';
import type { Title } from '../../vod/title.ts';
import { openTitle } from './openTitle.ts';
import { createPresentations } from './presentations.ts';

const now = () => millis(Date.parse('2026-03-01T12:00:00Z'));
const channel = { id: 'films', tenant: 'demo', type: 'vod' } as VodChannel;

/** A process whose sessions have no breaks; which sessions it reads from the store. */
async function openProcess(title: Title, maxSpans: number, timers = systemTimers, breaks: readonly FrozenBreak[] = []) {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  const store = sqlSessions(sql);
  const read: string[] = [];
  const presentations = createPresentations({
    sessions: {
      ...store,
      find(id) {
        read.push(id);
        return store.find(id);
      },
    },
    frozen: sqlFrozen(sql),
    titles: { find: async () => title },
    findMedia: () => undefined,
    seats: new Map(),
    decide: async () => ({ frozen: { breaks }, records: [], onFrozen: () => {} }),
    holder: 'this',
    now,
    timers,
    log: expect.unreachable,
    maxSpans,
  });
  async function open(own: Title = title): Promise<string> {
    const viewer = { address: '192.0.2.1', userAgent: 'test' };
    const plan = { breaks: [], dropped: [] };
    const opening = {
      format: 'hls',
      parameters: {},
      viewer,
      title,
      contents: [],
      plan,
      resumeAt: undefined,
      isGuided: false,
    } as const;
    const session = await openTitle(channel, { ...opening, title: own }, store, 60, now());
    await presentations.settled(channel, presentations.begin(channel, session, own));
    return session.id;
  }
  return { presentations, open, read, store };
}

test('sessions of long playlists stay in memory only up to a number of spans', async () => {
  const items = Array.from({ length: 100 }, (_, index) => twoSecondAsset(`item ${index}`, 1));
  const { presentations, open, read } = await openProcess(titleOfAll(...items), 1000);
  const ids: string[] = [];
  for (let number = 0; number < 12; number += 1) ids.push(await open());
  expect(read).toEqual([]);
  const viewers = await Promise.all(ids.map((id) => presentations.find(id)));
  expect(viewers.map((viewer) => viewer?.session.id)).toEqual(ids);
  // The oldest are read again. Reading them displaces others.
  expect(read.slice(0, 3)).toEqual(ids.slice(0, 3));
  const first = await presentations.settled(channel, viewers[0]!);
  expect(first.spans).toHaveLength(100);
});

test('a session too long for the memory of a process can be watched', async () => {
  const { presentations, open, read } = await openProcess(titleOfAll(twoSecondAsset('film', 5)), 5);
  const id = await open();
  const viewer = (await presentations.find(id))!;
  expect(await presentations.settled(channel, viewer)).toMatchObject({ spans: [{}] });
  expect(await presentations.adsOf(channel, id)).toMatchObject({ session: { id } });
  expect(read).toEqual([]);
  await open();
  expect(await presentations.adsOf(channel, id)).toMatchObject({ session: { id } });
  expect(read).toEqual([id]);
});

test('requests for ads count as requests of their session', async () => {
  const { presentations, open, store } = await openProcess(titleOfAll(twoSecondAsset('film', 5)), 1000);
  const id = await open();
  const watching = () => store.watching('demo', ['films'], millis(now() - 1));
  await presentations.flushSeen();
  expect(await watching()).toEqual(new Map());
  await presentations.adsOf(channel, id);
  await presentations.adsOf(channel, 'unknown');
  await presentations.flushSeen();
  expect(await watching()).toEqual(new Map([['films', 1]]));
});

test('sessions of one title share its size; those of many titles displace each other', async () => {
  const film = () => titleOfAll(twoSecondAsset('film', 100));
  const count = 20;
  const one = await openProcess(film(), 1000);
  const two = await openProcess(film(), 1000);
  const ids = { one: [] as string[], two: [] as string[] };
  for (let number = 0; number < count; number += 1) {
    ids.one.push(await one.open());
    ids.two.push(await two.open(film()));
  }
  for (const id of ids.one) await one.presentations.find(id);
  for (const id of ids.two) await two.presentations.find(id);
  expect(one.read).toEqual([]);
  expect(two.read.length).toBeGreaterThan(0);
});

test('a session whose process has ended is decided by another, even if its clock is an hour behind', async () => {
  const title = titleOfAll(twoSecondAsset('film', 5));
  const clock = createManualClock(0, () => false);
  const { presentations, store } = await openProcess(title, 1000, clock.timers);
  const opening = { format: 'hls', parameters: {}, viewer: { address: '192.0.2.1', userAgent: 'test' } } as const;
  const plan = { breaks: [], dropped: [] };
  const later = millis(now() + 3_600_000);
  const session = await openTitle(
    channel,
    { ...opening, title, contents: [], plan, resumeAt: undefined, isGuided: false },
    store,
    60,
    later,
  );
  const viewer = (await presentations.find(session.id))!;
  const { value, ms } = await clock.runUntil(Promise.resolve(presentations.settled(channel, viewer)));
  expect(value.spans).toHaveLength(1);
  expect(ms).toBeGreaterThan(3000);
});

test.each([
  { stored: 'own', count: 1 },
  { stored: 'other', count: 0 },
] as const)(
  'after a failed call, a presentation is counted if the stored one is its own ($stored), also if the viewer does not return',
  async ({ stored, count }) => {
    const title = titleOfAll(twoSecondAsset('film', 5));
    const sql = await openSqlite(':memory:');
    onTestFinished(() => sql.close());
    const [sessions, real] = [sqlSessions(sql), sqlFrozen(sql)];
    const clock = createManualClock(0, () => false);
    let counted = 0;
    let failures = 0;
    const onFrozen = () => {
      counted += 1;
    };
    const freeze: FrozenStore['freeze'] = async (id, frozen, records) => {
      if (failures > 0) return real.freeze(id, frozen, records);
      failures += 1;
      await real.freeze(id, stored === 'own' ? frozen : { breaks: [] }, records);
      throw new AppError('UNAVAILABLE', 'No replica has confirmed the change.');
    };
    const presentations = createPresentations({
      sessions,
      frozen: { ...real, freeze },
      titles: { find: async () => title },
      findMedia: () => undefined,
      seats: new Map(),
      decide: async () => ({ frozen: { breaks: [] }, records: [], onFrozen }),
      holder: 'this',
      now,
      timers: clock.timers,
      log: () => {},
    });
    const opening = { format: 'hls', parameters: {}, viewer: { address: '192.0.2.1', userAgent: 'test' } } as const;
    const plan = { breaks: [], dropped: [] };
    const asked = { ...opening, title, contents: [], plan, resumeAt: undefined, isGuided: false };
    const session = await openTitle(channel, asked, sessions, 60, now());
    const viewer = presentations.begin(channel, session, title);
    await expect(presentations.settled(channel, viewer)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    expect(counted).toBe(0);
    await clock.advance(6000);
    expect(counted).toBe(count);
    expect(await presentations.settled(channel, viewer)).toMatchObject({ spans: [{}] });
    await clock.advance(100_000);
    expect(counted).toBe(count);
  },
);

test('a session whose ads were deleted is not found', async () => {
  const ad = { adId: '0-1-0', mediaId: 'deleted', frames: 50 };
  const { open } = await openProcess(titleOfAll(twoSecondAsset('film', 5)), 1000, systemTimers, [
    { id: '0-1', at: flicks(0), ads: [ad] },
  ]);
  await expect(open()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
});
