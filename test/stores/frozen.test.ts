// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, test } from 'vitest';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { flicks, type Millis, millis } from '../../src/time/units.ts';
import type { Frozen } from '../../src/vod/layOut.ts';
import { scratchFolder } from '../opened.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';
import { grantOf, sessionOf } from './records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const openedAt = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number): Millis => millis(openedAt + ms);
const fresh = { segments: [0, 0], discontinuities: 0 };

const frozenOf = (mediaId: string): Frozen => ({
  breaks: [{ id: '0-1', at: flicks(0), ads: [{ adId: '0-1-0', mediaId, frames: 250 }] }],
});
const recordOf = (id: string, startsAt = at(0)): BreakRecord => ({
  ...{ id, startsAt: new Date(startsAt).toISOString(), duration: 10, status: 'filled' },
  ...{ warnings: [], ads: [], slate: 0 },
});
const idsOf = (records: readonly BreakRecord[]) => records.map(({ id }) => id);

const folder = scratchFolder();

onEachSessionStore(folder, ({ sessions, frozen, confirmations }, openStores) => {
  beforeEach(async () => {
    await sessions.expire(at(99 * DAY), at(99 * DAY), { now: at(99 * DAY), unwatchedBefore: at(99 * DAY) });
  });
  const open = (id: string, keepUntil?: Millis) =>
    sessions.create(sessionOf(id, at(0), keepUntil && { assets: ['a'], keepUntil }), fresh);

  test('a presentation is returned as stored, with the records of its breaks in the order of time', async () => {
    await open('one', at(DAY));
    expect(await frozen.findFrozen('one')).toBeUndefined();
    const awkward: Frozen = { breaks: [{ ...frozenOf('m').breaks[0]!, id: '\0\ud800"' }] };
    const odd: BreakRecord = { ...recordOf('0-3', at(9000)), warnings: ['\0\ud800"'] };
    const records = [odd, recordOf('0-1'), recordOf('0-2', at(5000))];
    expect(await frozen.freeze('one', awkward, records)).toEqual({ frozen: awkward, isFirst: true });
    expect(await frozen.findFrozen('one')).toEqual(awkward);
    expect(idsOf(await sessions.breaks('one', 10))).toEqual(['0-1', '0-2', '0-3']);
    expect(await sessions.findBreak('one', '0-3')).toEqual(odd);
  });

  test('a presentation without breaks, and a record without a time, are stored', async () => {
    await open('none', at(DAY));
    expect(await frozen.freeze('none', { breaks: [] }, [])).toMatchObject({ isFirst: true });
    expect(await frozen.findFrozen('none')).toEqual({ breaks: [] });
    await open('dropped', at(DAY));
    const record = { ...recordOf('0-1'), startsAt: '' };
    await frozen.freeze('dropped', { breaks: [] }, [record]);
    expect(await sessions.findBreak('dropped', '0-1')).toEqual(record);
  });

  test('of concurrent writers in two processes, the first stores its presentation and records; all of them get it', async () => {
    const stores = [frozen, (await openStores()).frozen];
    for (let round = 0; round < 20; round += 1) {
      const id = `race-${round}`;
      await open(id, at(DAY));
      const results = await Promise.all(
        [0, 1, 2, 3].map((n) =>
          stores[n % 2]!.freeze(id, frozenOf(`${n}`), [recordOf('0-1'), recordOf(`only-${n}`, at(1000))]),
        ),
      );
      const winner = results.findIndex((result) => result?.isFirst);
      expect(results.map((result) => result?.isFirst).filter(Boolean)).toHaveLength(1);
      for (const result of results) expect(result?.frozen).toEqual(frozenOf(`${winner}`));
      expect(idsOf(await sessions.breaks(id, 10))).toEqual(['0-1', `only-${winner}`]);
    }
  });

  test('the same presentation of a later writer adds no records', async () => {
    await open('same', at(DAY));
    await frozen.freeze('same', frozenOf('m'), [recordOf('0-1')]);
    expect(await frozen.freeze('same', frozenOf('m'), [recordOf('0-2')])).toEqual({
      ...{ frozen: frozenOf('m'), isFirst: false },
    });
    expect(idsOf(await sessions.breaks('same', 10))).toEqual(['0-1']);
  });

  test('a presentation is stored with its writer', async () => {
    await open('written', at(DAY));
    const own = { ...frozenOf('m'), writer: 'w' };
    await frozen.freeze('written', own, [recordOf('0-1')]);
    expect(await frozen.freeze('written', { ...own, writer: 'v' }, [])).toEqual({ frozen: own, isFirst: false });
    expect((await frozen.freeze('written', own, [recordOf('0-1')]))?.frozen).toEqual(own);
  });

  test('nothing is stored for a session that does not exist', async () => {
    expect(await frozen.freeze('gone', frozenOf('m'), [recordOf('0-1')])).toBeUndefined();
    expect(await frozen.findFrozen('gone')).toBeUndefined();
    expect(await sessions.breaks('gone', 10)).toEqual([]);
  });

  test('more records than a live session keeps stay, with what players report for them', async () => {
    await open('long', at(30 * DAY));
    const records = Array.from({ length: 100 }, (_, n) => recordOf(`0-${n + 1}`, at(n * HOUR)));
    await frozen.freeze('long', { breaks: [] }, records);
    await confirmations.add('long', [{ breakId: '0-1', adId: '0-1-0', event: 'impression', at: at(0) }]);
    await confirmations.add('long', [{ breakId: '0-100', adId: '0-100-0', event: 'impression', at: at(HOUR) }]);
    expect(idsOf(await sessions.breaks('long', 500))).toEqual(idsOf(records));
    expect(await confirmations.ofSession('long')).toHaveLength(2);
  });

  test('a stored presentation removes the responses that claims hold, and keeps the claims', async () => {
    await open('claimed', at(DAY));
    const claim = { sessionId: 'claimed', breakId: '0-1', startsAt: openedAt, holder: 'a', at: at(0) };
    await sessions.claim({ ...claim, until: at(5000) });
    await sessions.storeResponse(claim, '<VAST/>');
    await frozen.freeze('claimed', frozenOf('m'), [recordOf('0-1')]);
    expect(grantOf(await sessions.claim({ ...claim, holder: 'b', until: at(9000) }))).toEqual({ isOurs: false });
    const later = { ...claim, holder: 'b', at: at(6000), until: at(9000) };
    expect(grantOf(await sessions.claim(later))).toEqual({ isOurs: true });
  });

  describe('VoD sessions', () => {
    const here = async (ids: readonly string[]) =>
      (await Promise.all(ids.map(sessions.find))).map((state) => state !== undefined);
    /** As if the process that removes sessions ran. */
    const expire = (now: Millis) =>
      sessions.expire(millis(now - 900_000), millis(now - 60_000), { now, unwatchedBefore: millis(now - HOUR) });

    test('are kept until their time, however long they were not seen, and removed with their presentation', async () => {
      await open('kept', at(DAY));
      await open('live');
      await sessions.seen(['kept', 'live'], at(0));
      await frozen.freeze('kept', frozenOf('m'), [recordOf('0-1')]);
      await expire(at(DAY));
      expect(await here(['kept', 'live'])).toEqual([true, false]);
      expect(await frozen.findFrozen('kept')).toEqual(frozenOf('m'));
      const ended = await expire(at(DAY + 1));
      expect(ended).toEqual([{ channelId: 'c', tenant: 't', seenAt: at(0) }]);
      expect(await here(['kept'])).toEqual([false]);
      expect(await frozen.findFrozen('kept')).toBeUndefined();
      expect(await sessions.breaks('kept', 10)).toEqual([]);
    });

    test('and guided sessions of channels on air are kept alike, and read as stored', async () => {
      const guided = { ...sessionOf('guided', at(0)), guided: { keepUntil: at(DAY) } };
      await sessions.create(guided, fresh);
      await sessions.seen(['guided'], at(0));
      await expire(at(DAY));
      expect((await (await openStores()).sessions.find('guided'))?.session).toEqual(guided);
      await expire(at(DAY + 1));
      expect(await here(['guided'])).toEqual([false]);
    });

    test('that are watched beyond their time stay for a day', async () => {
      await open('watched', at(DAY));
      await sessions.seen(['watched'], at(DAY));
      await expire(at(DAY + 1));
      expect(await here(['watched'])).toEqual([true]);
      await sessions.seen(['watched'], at(2 * DAY));
      await expire(at(2 * DAY));
      expect(await here(['watched'])).toEqual([true]);
      await expire(at(2 * DAY + 1));
      expect(await here(['watched'])).toEqual([false]);
    });

    test('that were never watched are removed after an hour', async () => {
      await open('opened', at(DAY));
      await open('live');
      await expire(at(HOUR));
      expect(await here(['opened', 'live'])).toEqual([true, false]);
      expect(await expire(at(HOUR + 1))).toHaveLength(1);
      expect(await here(['opened'])).toEqual([false]);
    });

    test('stay if the caller sets no limits for them', async () => {
      await open('kept', at(1));
      await sessions.expire(at(DAY));
      expect(await here(['kept'])).toEqual([true]);
    });
  });
});
