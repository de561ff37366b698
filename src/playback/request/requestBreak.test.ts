// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { adBreak, now, session } from '../../../test/testAdServer.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { buildAdRequest } from '../../ads/request/buildAdRequest.ts';
import type { AdHooks, AdSourceRecord } from '../../channels/demand.ts';
import type { StepsDemand } from './demand.ts';
import { createHooks } from './hooks.ts';
import type { RateEntry } from './rateGate.ts';
import { momentOf, withoutAds } from './requestAds.ts';
import { createBreakRequester } from './requestBreak.ts';

const url = 'https://ads.test/vmap?token=secret';
const record = { id: 'named', tenant: 't', type: 'vast', url, maxPerSecond: 1 } as unknown as AdSourceRecord;
const demandWith = (hooks?: AdHooks): StepsDemand => ({
  kind: 'steps',
  steps: [{ sources: [{ id: 'named', record }] }],
  budgetMs: 2000,
  channel: { tracking: 'server', type: 'vod' },
  ...(hooks && { hooks }),
});

/** @param answer of the hook */
function requesterWith(entry: RateEntry, answer = '{}') {
  const sent: { url: string; timeoutMs: number | undefined }[] = [];
  const unused = async () => expect.fail('a presentation is one request');
  const bytes = new TextEncoder().encode(answer);
  const { requestPresentation } = createBreakRequester({
    now: () => now,
    timers: systemTimers,
    gate: { enter: async () => entry, rest: () => {} },
    hooks: createHooks(async () => ({ ok: true, status: 200, ms: 5, bytes }), systemTimers),
    requestVast: unused,
    requestBids: unused,
    async requestPresentation({ source, change = async (same) => same }) {
      const built = await change(buildAdRequest(source, session, adBreak, momentOf(now)), 1000);
      if ('code' in built) return withoutAds({ url: '', ms: 0 }, built);
      sent.push({ url: built.request.url, timeoutMs: source.timeoutMs });
      return withoutAds({ url: built.maskedUrl, ms: 1 }, { code: 'NO_ADS', text: '' });
    },
  });
  const request = (hooks?: AdHooks) => requestPresentation({ demand: demandWith(hooks), session, adBreak });
  return { request, sent };
}

test('the request that names the breaks waits for the rate of its source, within the budget', async () => {
  const waited = requesterWith({ kind: 'go', waitedMs: 300 });
  await waited.request();
  expect(waited.sent).toEqual([{ url, timeoutMs: 1700 }]);
  const over = requesterWith({ kind: 'over', waitMs: 5000 });
  expect(await over.request()).toMatchObject({
    request: { url: expect.not.stringContaining('secret') },
    reason: { code: 'RATE_REACHED', text: expect.stringContaining('5 s') },
  });
  expect(over.sent).toEqual([]);
});

test('a hook may change or skip the request that names the breaks', async () => {
  const hooks = { requestUrl: 'https://hook.test/' };
  const changed = requesterWith({ kind: 'go', waitedMs: 0 }, '{"request": {"url": "https://other.test/vmap"}}');
  const { hooks: traced } = await changed.request(hooks);
  expect([changed.sent[0]?.url, traced]).toMatchObject(['https://other.test/vmap', [{ hook: 'request', status: 200 }]]);
  const skipped = requesterWith({ kind: 'go', waitedMs: 0 }, '{"skip": "not tonight"}');
  expect(await skipped.request(hooks)).toMatchObject({ reason: { code: 'HOOK_SKIPPED' } });
  expect(skipped.sent).toEqual([]);
});
