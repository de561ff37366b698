// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { flicksToSeconds, millis, secondsToFlicks } from '../time/units.ts';
import type { PreparedEntry } from './layOut.ts';
import { endableAfter, liveLength, withOverruns } from './liveEntries.ts';
import type { LiveProgramme } from './schedule.ts';

const START = millis(Date.parse('2026-03-01T18:00:00Z'));
const at = (seconds: number) => millis(START + seconds * 1000);
const live: LiveProgramme = { sourceManifestUrl: 'https://o.test/master.m3u8', plannedDuration: 3600 };

describe('a live entry lasts', () => {
  const lengthAt = (more: Partial<LiveProgramme>, seconds: number) =>
    flicksToSeconds(liveLength({ ...live, ...more }, START, at(seconds)));

  test('until its planned end', () => {
    expect(lengthAt({}, -100)).toBe(3600);
    expect(lengthAt({}, 5000)).toBe(3600);
  });

  test('until its origin ends it, if that is not the end of the programme before it', () => {
    const open = { end: 'marker' } as const;
    expect(lengthAt(open, 3659)).toBe(3780);
    expect(lengthAt({ ...open, endedAt: new Date(at(3000)).toISOString() }, 5000)).toBe(3000);
    const endable = (more: Partial<LiveProgramme>) => endableAfter({ ...live, ...more });
    expect([endable(open), endable({ ...open, plannedDuration: 40 })]).toEqual([60_000, 20_000]);
    expect([endable({ end: 'manual' }), endable({ ...open, endedAt: '2026-03-01T18:30:00Z' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('until it is ended by hand, and is laid out some minutes ahead until then', () => {
    const open = { end: 'manual' } as const;
    expect(lengthAt(open, 0)).toBe(3600);
    expect(lengthAt(open, 3590)).toBe(3720);
    expect(lengthAt(open, 3659)).toBe(3780);
    expect(lengthAt({ ...open, maxDuration: 3650 }, 5000)).toBe(3650);
    expect(lengthAt(open, 100_000)).toBe(3600 + 6 * 3600);
    expect(lengthAt({ ...open, endedAt: new Date(at(3000)).toISOString() }, 5000)).toBe(3000);
  });

  test('as planned as long as its start is not known', () => {
    expect(flicksToSeconds(liveLength({ ...live, end: 'manual' }, undefined, at(9000)))).toBe(3600);
  });
});

test('starts that a live entry passes are taken from the entries after it', () => {
  const entry = (id: string, seconds: number, more: Partial<PreparedEntry> = {}): PreparedEntry => ({
    id,
    plannedAt: at(seconds),
    startsAt: at(seconds),
    slots: [],
    ...more,
  });
  const match = entry('match', 0, { length: secondsToFlicks(4000), isLive: true });
  const list = [entry('before', -10), match, entry('film', 3600), entry('news', 4000)];
  const startsOf = (entries: readonly PreparedEntry[]) => withOverruns(entries).map(({ startsAt }) => startsAt);
  expect(startsOf(list)).toEqual(list.map(({ startsAt }) => startsAt));
  const open = list.map((one) => (one === match ? { ...one, overrun: 'join' as const } : one));
  expect(startsOf(open)).toEqual([at(-10), at(0), undefined, at(4000)]);
});
