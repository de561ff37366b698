// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { liveFeedOf } from '../../../../test/stores/records.ts';
import type { OriginEvent } from '../../../live/originHealth.ts';
import { millis } from '../../../time/units.ts';
import type { FeedCondition } from '../feedKeeper.ts';
import type { LiveFeedHealth } from './feedHealth.ts';
import type { Standing } from './feedReading.ts';
import { createOriginRecorder } from './originRecorder.ts';

const url = 'https://origin.test/';
const feed = { ...liveFeedOf('news', 'l'), url };
const content: Standing = { isAway: false, since: millis(1) };
const away: Standing = { isAway: true, since: millis(1), reason: 'It is gone.' };
const read: LiveFeedHealth = { readAt: millis(1) };
const failing = (count: number): LiveFeedHealth => ({ failure: { sentence: 'Status 503.', since: millis(1), count } });

function stage() {
  const stored: OriginEvent[] = [];
  const warned: string[] = [];
  let conditions: FeedCondition[] = [];
  let isDown = false;
  let at = 0;
  const check = createOriginRecorder({
    store: {
      async record(_life, event) {
        if (isDown) throw new Error('down');
        stored.push(event);
      },
    },
    conditions: () => conditions,
    now: () => millis(at),
    warn: (message) => void warned.push(message),
  });
  return {
    warned,
    names: () => stored.map(({ state, onAir, at: time }) => `${time} ${state} ${onAir}`),
    stored,
    down(value: boolean) {
      isDown = value;
    },
    async see(health: LiveFeedHealth | undefined, standing: Standing = content) {
      at += 1;
      conditions = health === undefined ? [] : [{ feed, health, standing }];
      await check();
    },
  };
}

test('records each change once', async () => {
  const { see, names, stored } = stage();
  for (const health of [read, read, failing(2), failing(3)]) await see(health);
  await see(failing(4), away);
  await see(read, away);
  await see(read, { ...content, source: 'https://backup.test/' });
  await see({ ...read, stall: { kind: 'stalled', since: millis(3), reason: 'Nothing new.' } });
  expect(names()).toEqual([
    '1 ok source',
    '3 failing source',
    '5 failing slate',
    '6 ok slate',
    '7 ok backup',
    '8 stalled source',
  ]);
  expect(stored.map(({ url: shown }) => shown)).toEqual([url, url, undefined, undefined, 'https://backup.test/', url]);
  expect(stored[1]!.reason).toBe('Status 503.');
  expect(stored[3]!.reason).toBe('It is gone.');
});

test('does not record what is not certain', async () => {
  const { see, names } = stage();
  await see({});
  await see(read, { isAway: false });
  await see(read);
  await see(failing(1));
  await see(read);
  await see(failing(1), away);
  expect(names()).toEqual(['3 ok source', '6 failing slate']);
});

test('changes during a database outage are recorded after it, with their times', async () => {
  const { see, names, down, warned } = stage();
  await see(read);
  down(true);
  await see(failing(2));
  await see(failing(3), away);
  await see(undefined);
  expect(names()).toEqual(['1 ok source']);
  down(false);
  await see(undefined);
  expect(names()).toEqual(['1 ok source', '2 failing source', '3 failing slate']);
  expect(warned).toHaveLength(1);
  await see(failing(4), away);
  expect(names()).toHaveLength(4);
});
