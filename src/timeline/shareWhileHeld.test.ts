import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shareWhileHeld } from './shareWhileHeld.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a value is made once while somebody holds it, and goes with the last who does', async () => {
  const share = shareWhileHeld<number, { made: number }>();
  let made = 0;
  const make = () => {
    made += 1;
    return { made };
  };
  const kept = share(0, make);
  for (let key = 1; key < 1000; key += 1) share(key, make);
  await new Promise((resolve) => setTimeout(resolve, 1));
  collectGarbage();
  expect(share(0, make)).toBe(kept);
  expect(made).toBe(1000);
  expect(share(1, make).made).toBe(1001);
});
