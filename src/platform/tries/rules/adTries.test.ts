// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { systemTimers } from '../../../adapters/systemClock.ts';
import type { Channel } from '../../../channels/channel.ts';
import { millis } from '../../../time/units.ts';
import { createAdTries, MAX_TRIES_PER_TENANT } from './adTries.ts';
import type { ServedLadder } from './tryAdRequest.ts';

const channelOf = (tenant: string) => ({ id: 'c', tenant, type: 'vod2live' }) as Channel;

it('limits the tries of a tenant that run at once, and those of other tenants separately', async () => {
  const held: ((ladders: readonly ServedLadder[]) => void)[] = [];
  const tries = createAdTries({
    adServer: { send: async () => ({ ok: false, error: 'refused', reason: 'refused the connection', ms: 1 }) },
    reader: {
      maxUrls: 1,
      read: async () => ({ document: { line: 1, fault: 'NOT_READ', reason: '', code: 900 }, raw: '' }),
    },
    inspect: async () => ({ state: 'preparing', stage: 'absent' }),
    queue: () => ({ state: 'preparing' }),
    checked: (creatives) => creatives,
    clock: { now: () => millis(Date.now()), timers: systemTimers },
    laddersOf: () => new Promise((resolve) => held.push(resolve)),
    findBreak: async () => undefined,
  });
  const start = (tenant: string) =>
    tries.try(channelOf(tenant), { url: 'http://ads.test/' }, undefined, {
      parameters: {},
      viewer: { address: '', userAgent: '' },
      isPreparing: false,
    });
  const begun = Array.from({ length: MAX_TRIES_PER_TENANT }, () => start('acme'));
  expect(await start('acme')).toBe('busy');
  const other = start('globex');
  expect(held.length).toBe(MAX_TRIES_PER_TENANT + 1);
  for (const resolve of held) resolve([]);
  for (const result of await Promise.all([...begun, other])) expect(result).toMatchObject({ exchanges: [{ ms: 1 }] });
  const again = start('acme');
  held.at(-1)!([]);
  expect(await again).not.toBe('busy');
});
