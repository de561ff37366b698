// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { createCircuitBreaker } from './circuitBreaker.ts';

const failed = { failed: 'returned status 503' };

function breakerAt() {
  const clock = { now: 0 };
  const breaker = createCircuitBreaker({ failures: 3, restMs: 1_000, now: () => clock.now });
  const fail = (times: number, key = 'a') => {
    for (let time = 0; time < times; time += 1) {
      expect(breaker.refusal(key)).toBeUndefined();
      breaker.report(key, failed);
    }
  };
  return { clock, breaker, fail };
}

describe('a circuit breaker', () => {
  it('opens after failures in a row, for that server only', () => {
    const { breaker, fail } = breakerAt();
    fail(3);
    expect(breaker.refusal('a')).toEqual(naming(3, failed.failed));
    expect(breaker.refusal('b')).toBeUndefined();
  });

  it('stays closed while a request succeeds now and then', () => {
    const { breaker, fail } = breakerAt();
    fail(2);
    breaker.report('a', 'worked');
    fail(2);
    expect(breaker.refusal('a')).toBeUndefined();
  });

  it('allows one probe after the rest, and closes when it succeeds', () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    clock.now = 999;
    expect(breaker.refusal('a')).toBeDefined();
    clock.now = 1_000;
    expect(breaker.refusal('a')).toBeUndefined();
    expect(breaker.refusal('a')).toBeDefined();
    breaker.report('a', 'worked');
    expect([breaker.refusal('a'), breaker.refusal('a')]).toEqual([undefined, undefined]);
  });

  it('stays open when the probe fails, and allows another when its outcome is unclear', () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    clock.now = 1_000;
    expect(breaker.refusal('a')).toBeUndefined();
    breaker.report('a', failed);
    clock.now = 1_999;
    expect(breaker.refusal('a')).toBeDefined();
    clock.now = 2_000;
    expect(breaker.refusal('a')).toBeUndefined();
    breaker.report('a', 'unclear');
    expect(breaker.refusal('a')).toBeUndefined();
  });

  it('remembers a limited number of servers', () => {
    const { breaker, fail } = breakerAt();
    fail(3, 'first');
    for (let server = 0; server < 1_000; server += 1) breaker.report(`server ${server}`, failed);
    expect(breaker.refusal('first')).toBeUndefined();
  });
});
