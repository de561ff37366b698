import { expect, test } from 'vitest';
import type { AskedSegment } from './recordDelivery.ts';
import { createRecordLater } from './recordLater.ts';

const asked = (index: number) => ({ index }) as AskedSegment;

test('what could not be written is written in order once the store is back, each once', async () => {
  const written: number[] = [];
  let isAway = true;
  const { record, retry } = createRecordLater(async ({ index }) => {
    if (isAway) throw new Error('away');
    written.push(index);
  }, 3);
  for (const index of [0, 1, 2]) await record(asked(index));
  await expect(record(asked(3))).rejects.toThrow('away');
  await retry();
  expect(written).toEqual([]);
  isAway = false;
  await retry();
  await retry();
  expect(written).toEqual([0, 1, 2]);
});
