import { expect, test } from 'vitest';
import { createShutdown } from './shutdown.ts';

test('steps run once and in order; one that fails or hangs does not stop the others', async () => {
  const done: string[] = [];
  const errors: string[] = [];
  const log = { info: () => {}, error: (facts: object) => void errors.push((facts as { step: string }).step) };
  const step = (name: string, work: () => Promise<unknown>) => ({
    name,
    run: () => work().then(() => done.push(name)),
  });
  const shutdown = createShutdown(
    [
      step('first', async () => expect(shutdown.isDraining()).toBe(true)),
      step('failing', () => Promise.reject(new Error('no'))),
      step('hanging', () => new Promise(() => {})),
      step('last', async () => {}),
    ],
    log,
    30,
  );
  expect(shutdown.isDraining()).toBe(false);
  await Promise.all([shutdown.begin('SIGTERM'), shutdown.begin('SIGINT')]);
  expect(done).toEqual(['first', 'last']);
  expect(errors).toEqual(['failing', 'hanging']);
});
