// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { systemTimers } from '../../../adapters/systemClock.ts';
import { createAdResponseReader } from '../../../adapters/vast/adResponseReader.ts';
import type { AdServer } from '../../../ads/request/ports.ts';
import { recordExchanges } from './exchangeLog.ts';

const refusing: AdServer = { send: async () => ({ ok: false, error: 'refused', reason: 'refused', ms: 1 }) };

test.each([
  ['application/json', '{"token":"topsecret","a":1}', '{"token":"***","a":1}'],
  ['application/json', '{"a":', '{"a":'],
  ['application/x-www-form-urlencoded', 'token=topsecret&a=1', 'token=***&a=1'],
])('a body of %s is logged without its secrets, also one that a hook has written: %s', async (type, body, shown) => {
  const log = recordExchanges(refusing, createAdResponseReader({ maxUrls: 1 }), systemTimers);
  const request = { url: 'https://ads.test/', method: 'POST', headers: { 'content-type': type }, body } as const;
  await log.adServer.send(request, { timeoutMs: 100 });
  expect(log.exchanges).toMatchObject([{ body: shown }]);
});
