// SPDX-License-Identifier: Apache-2.0
// When records are read: on notices, on polls, and how often.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/laws/manualClock.ts';
import { millis } from '../time/units.ts';
import { createNoticeFollower } from './followNotices.ts';
import type { NoticeListener, NoticeSource, Topic } from './ports.ts';

function setUp(read?: (keys?: ReadonlySet<string>) => Promise<void>, isComplete?: () => boolean) {
  const clock = createManualClock(0, () => false);
  const logged: string[] = [];
  const connected: boolean[] = [];
  const delays: number[] = [];
  let listener: NoticeListener | undefined;
  /** Why notices are not certain to arrive. `late`: a check does not respond. */
  const state: { fault: string | undefined | 'late' } = { fault: undefined };
  const source: NoticeSource = {
    start: (to) => {
      listener = to;
    },
    catchUp: () => (state.fault === 'late' ? new Promise(() => {}) : Promise.resolve(state.fault)),
    stop: async () => {},
  };
  const follower = createNoticeFollower({
    source,
    timers: clock.timers,
    warn: (message) => logged.push(message),
    observe: {
      arrived: () => {},
      read: ({ at }) => delays.push(clock.now() - at),
      echo: () => {},
      connected: (one) => connected.push(one),
    },
  });
  const reads: { readonly at: number; readonly keys: readonly string[] | 'all' }[] = [];
  follower.follow({
    name: 'reading channels',
    topics: ['channels'],
    read: async (keys) => {
      reads.push({ at: clock.now(), keys: keys === undefined ? 'all' : [...keys] });
      await read?.(keys);
    },
    ...(isComplete && { isComplete }),
  });
  follower.start();
  const notify = (key: string, topic: Topic = 'channels') => listener!.notice({ topic, key, at: millis(clock.now()) });
  return { clock, state, reads, logged, connected, delays, notify, lose: () => listener!.lost(), follower };
}

/** After the first reading of everything. */
async function started(...given: Parameters<typeof setUp>) {
  const set = setUp(...given);
  await set.clock.advance(1200);
  expect(set.reads.map(({ keys }) => keys)).toEqual(['all']);
  set.reads.length = 0;
  return set;
}

test('a notice leads to a reading of its key at once, and one of another topic does not', async () => {
  const { clock, reads, notify, delays } = await started();
  notify('acme/a');
  notify('acme/b', 'statuses');
  await clock.advance(0);
  expect(reads).toEqual([{ at: 1200, keys: ['acme/a'] }]);
  expect(delays).toEqual([0]);
});

test('a storm of notices leads to two readings a second, and the last change is read within a second', async () => {
  const { clock, reads, notify, delays } = await started();
  for (let index = 0; index < 500; index += 1) {
    notify(`acme/${index}`);
    await clock.advance(10);
  }
  await clock.advance(1000);
  expect(reads.length).toBeLessThanOrEqual(12);
  expect(new Set(reads.flatMap(({ keys }) => keys)).size).toBe(500);
  expect(delays).toHaveLength(500);
  expect(Math.max(...delays)).toBeLessThanOrEqual(500);
});

test('with notices everything is read every ten seconds, and without them every second', async () => {
  const { clock, reads, state, connected } = await started();
  await clock.advance(60_000);
  expect(reads.map(({ keys }) => keys)).toEqual(Array(6).fill('all'));
  expect(new Set(connected)).toEqual(new Set([true]));
  reads.length = 0;
  for (const fault of ['the connection is closed', 'late'] as const) {
    state.fault = fault;
    const from = clock.now();
    await clock.advance(20_000);
    const times = [from, ...reads.map(({ at }) => at), clock.now()];
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1000);
    expect(reads.length).toBeLessThanOrEqual(22);
    expect(connected.at(-1)).toBe(false);
    reads.length = 0;
  }
});

test('a check that fails is not logged, and an interruption is logged once at its start and once at its end', async () => {
  const { clock, state, logged } = await started();
  state.fault = 'busy';
  await clock.advance(500);
  state.fault = undefined;
  await clock.advance(5000);
  expect(logged).toEqual([]);
  state.fault = 'the connection is closed';
  await clock.advance(60_000);
  expect(logged).toEqual([expect.stringContaining('do not arrive')]);
  state.fault = undefined;
  await clock.advance(5000);
  expect(logged).toEqual([expect.anything(), expect.stringContaining('arrive again')]);
});

test('lost notices lead to a reading of everything', async () => {
  const { clock, reads, lose, notify } = await started();
  notify('acme/a');
  lose();
  await clock.advance(600);
  expect(reads.at(-1)!.keys).toBe('all');
});

test('a reading that fails is repeated for everything each second, and logged once', async () => {
  let fails = false;
  const { clock, reads, notify, logged } = await started(async () => {
    if (fails) throw new Error('unavailable');
  });
  fails = true;
  notify('acme/a');
  await clock.advance(10_000);
  expect(logged).toEqual(['reading channels failed']);
  const failing = reads.length;
  fails = false;
  await clock.advance(5000);
  expect(logged).toEqual(['reading channels failed', 'reading channels works again']);
  expect(reads[0]!.keys).toEqual(['acme/a']);
  expect(reads.slice(1).every(({ keys }) => keys === 'all')).toBe(true);
  expect(failing).toBeGreaterThan(8);
  expect(failing).toBeLessThan(13);
});

test('while something could not be read, everything is read every second', async () => {
  let complete = true;
  const { clock, reads } = await started(undefined, () => complete);
  complete = false;
  await clock.advance(10_000);
  expect(reads.length).toBeGreaterThan(8);
});

test('readings of one kind do not overlap, and none starts after the end', async () => {
  let running = 0;
  let most = 0;
  let isSlow = false;
  const { clock, reads, notify, follower } = await started(async () => {
    running += 1;
    most = Math.max(most, running);
    if (isSlow) await new Promise<void>((resolve) => void clock.timers.after(1700, resolve));
    running -= 1;
  });
  isSlow = true;
  for (let index = 0; index < 50; index += 1) {
    notify(`acme/${index}`);
    await clock.advance(100);
  }
  expect(most).toBe(1);
  await follower.stop();
  reads.length = 0;
  notify('acme/late');
  await clock.advance(20_000);
  expect(reads).toEqual([]);
});
