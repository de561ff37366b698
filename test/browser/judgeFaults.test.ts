// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { expectNoErrors } from './expectSmoothPlayback.ts';
import { type Fault, judgeFaults } from './judgeFaults.ts';

/** Milliseconds since 1970. */
const AT = 1_000_000;
const busyBefore = (from: number, to: number, idle = 0.12) => ({ from: AT - from, to: AT - to, idle });
const stall: Fault = { what: 'playback stalled for 1.2 s', wall: AT, length: 1200 };

test('without a fault, load is no reason to refuse a verdict', () => {
  expect(judgeFaults([], [busyBefore(1000, 0, 0)])).toEqual({ faults: [] });
});

test('a fault on a machine with idle time is one of the stream', () => {
  expect(judgeFaults([stall], [])).toEqual({ faults: [stall.what] });
});

test('a fault during or shortly after a busy time is not judged, and the sentence states both', () => {
  const sentence =
    'Not judged: playback stalled for 1.2 s while 12 % of the processors were idle. Run this file alone on an idle machine.';
  for (const busy of [busyBefore(1000, 500), busyBefore(9000, 6000), busyBefore(500, -500)])
    expect(judgeFaults([stall], [busy])).toEqual({ faults: [], notJudged: sentence });
});

test('a busy time that ended long before a fault, or began after it, does not count', () => {
  for (const busy of [busyBefore(9000, 6300), busyBefore(-1, -500)])
    expect(judgeFaults([stall], [busy])).toEqual({ faults: [stall.what] });
});

test('load does not change a fault that it cannot cause', () => {
  const fatal: Fault = { what: 'a fatal error', wall: AT, cause: 'stream' };
  expect(judgeFaults([fatal], [busyBefore(500, 0)])).toEqual({ faults: ['a fatal error'] });
});

test('a fault of the machine is not judged, whatever the load', () => {
  const stopped: Fault = { what: 'the clock stopped', wall: AT, cause: 'machine' };
  expect(judgeFaults([stopped], [])).toEqual({
    faults: [],
    notJudged: 'Not judged: the clock stopped. Run this file alone on an idle machine.',
  });
});

test('the least idle time is stated, faults of the stream are kept, and many faults are counted', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((what): Fault => ({ what, wall: AT }));
  const early: Fault = { what: 'early', wall: AT - 60_000 };
  const { faults, notJudged } = judgeFaults([early, ...many], [busyBefore(900, 400, 0.2), busyBefore(400, 0, 0.031)]);
  expect(faults).toEqual(['early']);
  expect(notJudged).toMatch(/^Not judged: a, b, c and 2 more faults occurred while 3 % of/);
});

test('rx-player may start with the next Period if the audio before it ends a part of a frame early, and may skip nothing else', () => {
  const skip = { fatal: false, what: 'rx-player DISCONTINUITY_ENCOUNTERED', at: 42.017666, wall: AT };
  const from = 'DISCONTINUITY_ENCOUNTERED: A discontinuity has been encountered at position 41.983999';
  const frame = { ...skip, why: `${from}, seeking at position 42.01766666666666` };
  const judge = (error: typeof frame, start: number | null) => () =>
    expectNoErrors({ errors: [error], from: start, busy: [] });
  for (const start of [42.0268, null]) expect(judge(frame, start)).not.toThrow();
  // While it plays, a longer hole, as an error, or from another player.
  expect(judge(frame, 21)).toThrow(/DISCONTINUITY/);
  expect(judge({ ...frame, why: `${from}, seeking at position 42.06` }, 43)).toThrow(/DISCONTINUITY/);
  expect(judge({ ...frame, fatal: true }, 43)).toThrow(/DISCONTINUITY/);
  expect(judge({ ...frame, what: 'dash.js DISCONTINUITY_ENCOUNTERED' }, 43)).toThrow(/DISCONTINUITY/);
  expect(judge({ ...frame, why: 'unknown' }, 43)).toThrow(/DISCONTINUITY/);
});
