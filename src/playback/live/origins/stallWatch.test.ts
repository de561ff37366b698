// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { type Millis, millis, secondsToFlicks } from '../../../time/units.ts';
import { createLiveFeedLog } from '../feedStatus.ts';
import { createStallWatch, type Stall } from './stallWatch.ts';

const rungs = (['video', 'audio', 'text'] as const).map((kind) => ({
  key: kind[0],
  kind,
})) as unknown as LiveFeed['rungs'];
const at = (seconds: number): Millis => millis(1_000_000 + seconds * 1000);
/** The newest number of each rung; undefined: it lists nothing. */
const reading = (newest: readonly (number | undefined)[], isEnded = false): OriginReading => ({
  renditions: newest.map((number, rung) => ({
    key: rungs[rung]!.key,
    segments:
      number === undefined
        ? []
        : [{ number, duration: secondsToFlicks(2), media: { url: `${number}.m4s` }, stretch: '0' }],
  })),
  signals: [],
  warnings: [],
  isEnded,
});

/** Reads once in two seconds until 30 s. */
function stallOf(read: (seconds: number) => OriginReading | undefined, advancedUntil: number, targetMs = 2000) {
  const watch = createStallWatch({ format: 'hls', rungs });
  for (let seconds = 0; seconds <= 30; seconds += 2) watch.note(read(seconds), at(seconds));
  return watch.stallAt(at(30), targetMs, at(advancedUntil));
}

test('an origin that is late is not stalled', () => {
  expect(stallOf(() => undefined, 20)).toBeUndefined();
  expect(stallOf(() => undefined, 6, 8000)).toBeUndefined();
});

test('states since when nothing was added, and which renditions are the cause', () => {
  const all = stallOf((seconds) => reading([Math.min(seconds, 8), Math.min(seconds, 8), 1]), 8);
  expect(all).toMatchObject({ kind: 'stalled', since: at(8) });
  const audio = stallOf((seconds) => reading([seconds, Math.min(seconds, 8), 1]), 8);
  expect(audio).toMatchObject({ kind: 'stalled', reason: naming('a') });
  expect(audio!.reason).not.toBe(all!.reason);
  expect(stallOf((seconds) => reading([seconds, seconds > 8 ? undefined : seconds, 1]), 8)).toEqual(audio);
  // It became late by and by.
  expect(stallOf((seconds) => reading([seconds, Math.min(seconds, 24), 1]), 8)).toEqual(audio);
  const apart = stallOf((seconds) => reading([seconds, seconds, 1]), 8);
  expect([all!.reason, audio!.reason]).not.toContain(apart!.reason);
});

test('one rendition does not have to belong together with others', () => {
  const watch = createStallWatch({ format: 'hls', rungs: rungs.slice(0, 1) });
  for (let seconds = 0; seconds <= 30; seconds += 2) watch.note(reading([seconds]), at(seconds));
  expect(watch.stallAt(at(30), 2000, at(0))?.reason).not.toMatch(/rendition/);
});

test('an origin that has just come back has not stalled', () => {
  const watch = createStallWatch({ format: 'hls', rungs });
  watch.note(reading([1, 1, 1]), at(0));
  watch.note('failed', at(2));
  watch.note(reading([20, 20, 1]), at(40));
  expect(watch.stallAt(at(40), 2000, at(2))).toBeUndefined();
  for (let seconds = 42; seconds <= 52; seconds += 2) watch.note(reading([seconds, seconds, 1]), at(seconds));
  expect(watch.stallAt(at(52), 2000, at(2))).toMatchObject({ kind: 'stalled' });
});

test('an end that is stated is an end only when nothing follows', () => {
  expect(stallOf((seconds) => reading([Math.min(seconds, 8), 8, 8], seconds >= 8), 8)).toMatchObject({ kind: 'ended' });
  expect(stallOf((seconds) => reading([seconds, seconds, seconds], true), 30)).toBeUndefined();
});

test('the log has each reason once in ten minutes, and the beginning of a stall once', () => {
  const lines: string[] = [];
  let seconds = 0;
  const log = createLiveFeedLog(
    (message, { reason }) => void lines.push(`${message}: ${reason}`),
    expect.unreachable,
    {},
    () => at(seconds),
  );
  const stall = (kind: Stall['kind']): Stall => ({ kind, since: at(0), reason: kind });
  for (; seconds < 300; seconds += 2) {
    log.unavailable(seconds % 4 === 0 ? 'x' : 'y');
    log.stalled(stall(seconds < 100 ? 'stalled' : 'ended'));
  }
  expect(lines).toHaveLength(4);
  log.stalled(undefined);
  seconds = 1000;
  log.unavailable('x');
  log.stalled(stall('ended'));
  expect(lines).toHaveLength(6);
  for (let index = 0; index < 100; index += 1) log.unavailable(`line ${index}`);
  expect(lines).toHaveLength(106);
  for (let line = 9; line > 0; line -= 1)
    log.read({ reading: { ...reading([1, 1, 1]), warnings: [`line ${line}: odd`] } });
  expect(lines.slice(106)).toEqual([naming('line 9')]);
});
