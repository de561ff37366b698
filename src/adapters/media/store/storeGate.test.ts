// SPDX-License-Identifier: Apache-2.0
// When the object store counts as unavailable, on a clock that the test advances.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../../test/laws/manualClock.ts';
import type { BlobStore, CloudResult } from '../../../blobs/ports.ts';
import { gateStore } from './storeGate.ts';

const PAGE_MS = 2000;

/** A store whose lists have pages that take PAGE_MS each, and whose other requests are pending until the test resolves them. */
function setUp(pages: number) {
  const clock = createManualClock(0, () => false);
  const sent: { readonly name: string; resolve(result: CloudResult<undefined>): void }[] = [];
  const pending = (name: string) =>
    new Promise<CloudResult<undefined>>((resolve) => {
      sent.push({ name, resolve });
    });
  const blobs: BlobStore = {
    create: () => pending('create'),
    get: pending,
    put: pending,
    remove: pending,
    async list(_prefix, onProgress) {
      for (let page = 0; page < pages; page += 1) {
        await new Promise<void>((resolve) => void clock.timers.after(PAGE_MS, resolve));
        onProgress?.();
      }
      return new Promise(() => {});
    },
  };
  const logged: string[] = [];
  const store = gateStore(blobs, { timers: clock.timers, warn: (message) => logged.push(message) });
  return { clock, sent, store, logged };
}

test('a list of many pages is no outage while they arrive, and is one when they do not', async () => {
  const { clock, store, logged } = setUp(10);
  void store.list('media/');
  for (let seconds = 0; seconds < 22; seconds += 1) {
    await clock.advance(1000);
    expect(store.away()).toBeUndefined();
  }
  await clock.advance(2000);
  expect(store.away()).toBe('does not respond');
  expect(logged).toHaveLength(1);
});

test('while probes hang, few are sent', async () => {
  const { clock, store, sent } = setUp(0);
  void store.get('a');
  await clock.advance(4000);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    void store.get('b');
    await clock.advance(1000);
  }
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.length).toBeLessThan(25);
  sent.at(-1)!.resolve({ ok: true, value: undefined });
  await clock.advance(0);
  expect(store.away()).toBeUndefined();
});

test('requests of an outage that time out after it are no new outage', async () => {
  const { clock, store, sent, logged } = setUp(0);
  void store.get('a');
  await clock.advance(4000);
  void store.get('b');
  await clock.advance(0);
  sent[1]!.resolve({ ok: true, value: undefined });
  await clock.advance(1000);
  sent[0]!.resolve({ ok: false, reason: 'did not respond in time' });
  await clock.advance(0);
  expect(store.away()).toBeUndefined();
  void store.get('c');
  await clock.advance(0);
  sent[2]!.resolve({ ok: false, reason: 'refused the connection' });
  await clock.advance(0);
  expect(store.away()).toBe('refused the connection');
  expect(logged).toHaveLength(3);
});

test('a request that hangs does not hide that later ones hang, too', async () => {
  const { clock, store, sent } = setUp(0);
  void store.get('a');
  await clock.advance(1000);
  void store.get('b');
  await clock.advance(0);
  sent[1]!.resolve({ ok: true, value: undefined });
  await clock.advance(20_000);
  expect(store.away()).toBeUndefined();
  void store.get('c');
  await clock.advance(4000);
  expect(store.away()).toBe('does not respond');
});
