// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { LAG, LIVE_START, liveFeed, liveNode, writeLog } from '../../../test/laws/syntheticLive.ts';
import { naming } from '../../../test/naming.ts';
import type { LiveEntry } from '../../live/slot.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { OnAirSession } from '../../sessions/session.ts';
import { millis, secondsToFlicks } from '../../time/units.ts';
import { type Airing, airingOfSession } from '../onAir/airing.ts';
import type { Viewers } from '../viewers/viewers.ts';
import { openSession, readStart } from './openSession.ts';

const now = millis(Date.UTC(2026, 2, 1, 20));

test.each([
  ['-30', -30],
  [String(now / 1000 - 60), -60],
  [String(now - 60_000), -60],
  ['2026-03-01T19:59:00Z', -60],
  ['2026-03-01T20:59:00+01:00', -60],
  ['2026-03-01T20:59:00 01:00', -60], // an unencoded plus sign
  ['2026-03-01T20:59:00 0100', -60],
  ['2026-03-01T14:59:00-05:00', -60],
  ['2026-03-01T19:59:00', -60],
  ['2026-03-01T19:59:00.500', -59.5],
  ['2026-03-01T19:59', -60],
  ['-86400', -3600],
  ['2027-01-01T00:00:00Z', 0],
])('start=%s is %d s from now', (text, seconds) => {
  expect(readStart(text, 3600, now)).toBe(now + seconds * 1000);
});

test.each(['', ' ', 'soon', '1 Mar 2026', '2026-02-30T00:00:00', '2026-13-01T00:00:00Z', 'NaN', 'Infinity'])(
  'start=%s is invalid',
  (text) => {
    expect(readStart(text, 3600, now)).toEqual(naming('start', `"${text}"`));
  },
);

test('start is invalid for a channel without a time shift window', () => {
  expect(readStart('-30', 0, now)).toContain('timeShiftWindow');
});

test('a session keeps the target duration of what was listed when it was opened', async () => {
  const feed = liveFeed(50, 1);
  const planned = { breaks: [] };
  const rules = { fill: 'slate', maxBreak: secondsToFlicks(25) } as const;
  const openedAt = millis(LIVE_START.millis + 60_000 + LAG);
  const open = async (
    frames: number,
    target?: number,
    stated?: number,
  ): Promise<{ session: OnAirSession; airing: Airing }> => {
    const shortened = (entry: LiveEntry): LiveEntry => ({
      ...entry,
      slots: entry.slots.map((slot) => ({
        ...slot,
        segments: slot.segments.map((own) => own.map((one) => ({ ...one, duration: secondsToFlicks(stated ?? 2) }))),
      })),
    });
    const written = writeLog(feed, { ...planned, frames }, rules, 40, () => 0);
    const listed = stated === undefined ? written : written.map(shortened);
    const entries = target === undefined ? listed : listed.map((entry) => ({ ...entry, target }));
    const airing = liveNode(feed, entries, 0, {}).airingAt(openedAt);
    const stored: OnAirSession[] = [];
    const store = { create: async (session: OnAirSession) => void stored.push(session) } as unknown as SessionStore;
    const viewers = { update: () => ({}) } as unknown as Viewers;
    const opening = { format: 'hls', parameters: {}, viewer: { address: '', userAgent: '' } } as const;
    await openSession(airing, opening, store, viewers, openedAt);
    return { session: stored[0]!, airing };
  };
  const { targetDuration } = feed.ladder;
  const usual = await open(50);
  expect(usual.session.reach.targetDuration).toBeUndefined();
  const long = await open(250);
  expect(long.session.reach.targetDuration).toBe(10);
  const stated = await open(50, 8);
  expect(stated.session.reach.targetDuration).toBe(8);
  // A slot of 5 s with one segment of sound that states 2 s: it is listed with 5 s.
  const short = await open(125, undefined, 2);
  expect(short.session.reach.targetDuration).toBe(5);
  // Both are shown the same later, each with its own target duration.
  const targets = [usual, long].map(({ session }) => airingOfSession(long.airing, session).ladder.targetDuration);
  expect(targets).toEqual([targetDuration, 10]);
  expect(airingOfSession(long.airing, long.session)).toBe(airingOfSession(long.airing, long.session));
});
