// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrencyLimiter.ts';

const releaseOf = async (acquiring: ReturnType<ReturnType<typeof createConcurrencyLimiter>['acquire']>) => {
  const release = await acquiring;
  if (typeof release === 'string') throw new Error(`Expected a place; got "${release}".`);
  return release;
};

describe('a concurrency limiter', () => {
  it('limits the work of each key, and admits waiting work in order', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 2 });
    const order: string[] = [];
    const first = await releaseOf(limiter.acquire('a'));
    const second = releaseOf(limiter.acquire('a')).then((release) => {
      order.push('second');
      release();
    });
    const third = releaseOf(limiter.acquire('a')).then((release) => {
      order.push('third');
      release();
    });
    const other = await releaseOf(limiter.acquire('b'));
    expect(order).toEqual([]);
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
    other();
  });

  it('rejects work when the queue is full', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 1 });
    const release = await releaseOf(limiter.acquire('a'));
    const waiting = releaseOf(limiter.acquire('a'));
    expect(await limiter.acquire('a')).toBe('full');
    release();
    (await waiting)();
    (await releaseOf(limiter.acquire('a')))();
  });

  it('removes aborted work from the queue', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 5 });
    const release = await releaseOf(limiter.acquire('a'));
    const aborting = new AbortController();
    const aborted = limiter.acquire('a', aborting.signal);
    const next = releaseOf(limiter.acquire('a'));
    aborting.abort();
    expect(await aborted).toBe('aborted');
    expect(await limiter.acquire('a', aborting.signal)).toBe('aborted');
    release();
    (await next)();
  });

  it('counts a place that is released twice once', async () => {
    const limiter = createConcurrencyLimiter({ concurrency: 1, queue: 0 });
    const release = await releaseOf(limiter.acquire('a'));
    release();
    release();
    await releaseOf(limiter.acquire('a'));
    expect(await limiter.acquire('a')).toBe('full');
  });
});
