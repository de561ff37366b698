import { expect, test } from 'vitest';
import { createSystemNow } from './systemClock.ts';

test('small steps back are waited out, large ones are followed', () => {
  const told = [100_000, 99_000, 100_500, 40_000, 40_001];
  const now = createSystemNow(() => told.shift()!);
  expect([now(), now(), now(), now(), now()]).toEqual([100_000, 100_000, 100_500, 40_000, 40_001]);
});
