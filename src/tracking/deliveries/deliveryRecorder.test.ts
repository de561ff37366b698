// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { delivery, setUpRecording } from '../../../test/tracking/deliveryProcesses.ts';

test('entries that cannot be recorded are quarantined and do not block others', async () => {
  const { store, start, logged, folder, count, filesEndingWith, quarantined, leaveEntries } = setUpRecording();
  await leaveEntries(...[0, 1, 2].map((segment) => [delivery(segment, 'bad')]), [delivery(3)], [delivery(4)]);
  logged.splice(0);
  const { retry, record } = start();
  await retry();
  await retry();
  expect(new Set(store.written)).toEqual(new Set(['v3', 'v4']));
  expect(count.quarantined).toBe(0);
  // Failures count only while others succeed.
  for (let round = 5; round < 12; round += 1) {
    await record(delivery(round));
    await retry();
  }
  expect(store.written.at(-1)).toBe('v11');
  expect(count.quarantined).toBe(3);
  expect(logged.filter((one) => (one as { entry?: string }).entry !== undefined)).toHaveLength(3);
  expect([filesEndingWith('.json').length, filesEndingWith('.aside').length]).toEqual([0, 3]);
  expect(new Set(quarantined().map((line) => JSON.parse(line).sessionId))).toEqual(new Set(['bad']));
  // After fixing the cause, an operator restores the name.
  for (const name of filesEndingWith('.aside')) {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('"bad"', '"v"');
    writeFileSync(join(folder, name.replace(/aside$/, 'json')), text);
  }
  await start().retry();
  expect(new Set(store.written.slice(-3))).toEqual(new Set(['v0', 'v1', 'v2']));
});

test('an invalid delivery does not affect others of the same entry', async () => {
  const { store, start, count, filesEndingWith, quarantined, leaveEntries } = setUpRecording();
  await leaveEntries([delivery(0), delivery(1, 'bad'), delivery(2), delivery(3)]);
  const { retry, record } = start();
  for (let round = 4; round < 8; round += 1) {
    await retry();
    await record(delivery(round));
  }
  await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']));
  expect(quarantined().map((line) => JSON.parse(line).segments)).toEqual([[1]]);
  expect([count.quarantined, filesEndingWith('.json')]).toEqual([1, []]);
});

test('nothing is quarantined while the store is unavailable', async () => {
  const { store, start, count, filesEndingWith, leaveEntries } = setUpRecording();
  await leaveEntries([delivery(0)], [delivery(1, 'bad')], [delivery(2)], [delivery(3)], [delivery(4)]);
  const { retry, record } = start();
  await record(delivery(5));
  store.state = 'failing';
  for (let round = 0; round < 20; round += 1) await retry();
  expect([count.quarantined, filesEndingWith('.aside')]).toEqual([0, []]);
  store.state = 'available';
  for (let round = 0; round < 3; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0', 'v2', 'v3', 'v4', 'v5']));
});

test('while a part of the store is unavailable, other deliveries are recorded, and none is quarantined', async () => {
  const { store, start, count, filesEndingWith } = setUpRecording();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'away'));
    await record(delivery(segment));
    await retry();
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  expect(new Set(store.written).size).toBe(10);
  expect([count.quarantined, filesEndingWith('.json').length]).toEqual([0, 10]);
});

test('failures of a single viewer do not count as an outage', async () => {
  const { store, start, logged } = setUpRecording();
  const { record, retry } = start();
  for (let segment = 0; segment < 10; segment += 1) {
    await record(delivery(segment, 'bad'));
    await retry();
    await record(delivery(segment));
    await retry();
    expect(store.written.at(-1)).toBe(`v${segment}`);
  }
  expect(logged.filter((one) => (one as { entry?: string }).entry === undefined)).toEqual([]);
});

test('invalid lines and unreadable files are quarantined', async () => {
  const { store, start, folder, count, filesEndingWith, quarantined, leaveEntries } = setUpRecording();
  await leaveEntries([delivery(0)]);
  const path = join(folder, filesEndingWith('.json')[0]!);
  const good = readFileSync(path, 'utf8');
  const invalid = [{ at: 0.5 }, { kind: 'smell' }, { segments: [200] }, { adId: 7 }].map((fault) =>
    JSON.stringify({ ...JSON.parse(good), ...fault }),
  );
  writeFileSync(path, `${invalid.join('\n')}\n{\n${good}{"torn`);
  mkdirSync(join(folder, 'folder.json'));
  const { retry } = start();
  for (let round = 0; round < 4; round += 1) await retry();
  expect(new Set(store.written)).toEqual(new Set(['v0']));
  expect(filesEndingWith('.json')).toEqual([]);
  rmdirSync(join(folder, 'folder.aside'));
  expect(quarantined()).toEqual([...invalid, '{']);
  expect(count.quarantined).toBe(2);
});
