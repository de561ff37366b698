// SPDX-License-Identifier: Apache-2.0
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../adapters/http/signedHeaders.ts';
import { millis } from '../../../time/units.ts';
import { outcomeOf, retryAfter } from './delivery.ts';
import { newWebhookSecret, rotateSecrets } from './webhook.ts';

const now = millis(Date.now());
const delivery = { id: 'msg_1', body: '{"type":"test","text":"ä"}' };
const accepts = (secret: string, headers: Record<string, string>): boolean => {
  try {
    new Verifier(secret).verify(delivery.body, headers);
    return true;
  } catch {
    return false;
  }
};

test('an independent implementation accepts the signature of every valid secret, and no other', () => {
  const [first, second] = [newWebhookSecret(), newWebhookSecret()];
  const secrets = rotateSecrets([{ secret: first }], second, now, 60_000);
  const acceptedAt = (ms: number) => {
    const headers = signedHeaders(secrets, delivery, millis(now + ms));
    return [first, second, newWebhookSecret()].map((secret) => accepts(secret, headers));
  };
  expect(acceptedAt(0)).toEqual([true, true, false]);
  expect(acceptedAt(60_000)).toEqual([false, true, false]);
});

test('a rotation keeps at most three secrets, and does not extend the overlap of an earlier one', () => {
  const secrets = ['b', 'c', 'd', 'e'].reduce(
    (all, secret, index) => rotateSecrets(all, secret, now, 1000 * (index + 1)),
    rotateSecrets([], 'a', now, 0),
  );
  expect(secrets).toEqual([
    { secret: 'e' },
    { secret: 'd', expiresAt: now + 4000 },
    { secret: 'c', expiresAt: now + 3000 },
  ]);
});

test.each([
  [{ status: 204 }, 'delivered'],
  [{ status: 302 }, 'pending'],
  [{ status: 410 }, 'failed'],
  [{ status: 500 }, 'pending'],
  [{ reason: 'did not respond in time' }, 'pending'],
  [{ reason: 'is disabled', isPermanent: true }, 'failed'],
] as const)('the outcome of %j is %s', (result, state) => {
  expect(outcomeOf({ tries: 1, queuedAt: now }, { durationMs: 1, ...result }, now, 0).state).toBe(state);
});

test('retries are four times as far apart each time, with jitter, and end after a day', () => {
  expect([1, 2, 3, 20].map((tries) => retryAfter(tries, 0.5))).toEqual([5000, 20_000, 80_000, 6 * 3_600_000]);
  expect([retryAfter(1, 0), retryAfter(1, 1)]).toEqual([3750, 6250]);
  let at = now;
  let tries = 0;
  for (let state = 'pending'; state === 'pending'; ) {
    tries += 1;
    const outcome = outcomeOf({ tries, queuedAt: now }, { durationMs: 0, status: 500 }, at, 0.5);
    state = outcome.state;
    if (outcome.state === 'pending') at = outcome.dueAt;
  }
  expect(at - now).toBeGreaterThan(16 * 3_600_000);
  expect(at - now).toBeLessThanOrEqual(24 * 3_600_000);
  expect(tries).toBeGreaterThan(8);
});
