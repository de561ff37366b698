// SPDX-License-Identifier: Apache-2.0
// What can be replayed of a record.

import { afterAll, describe, expect, it } from 'vitest';
import { inLine, useTestAdServer, vast } from '../../../../test/testAdServer.ts';
import { createAdResponseReader } from '../../../adapters/vast/adResponseReader.ts';
import type { BreakRecord, ServerOutcome } from '../../../ads/record/breakRecord.ts';
import { storedOutcome } from './storedOutcome.ts';

const { request, serve, wrapper } = useTestAdServer();
const reader = createAdResponseReader({ maxUrls: 100 });
afterAll(() => reader.close());

/** The record of a break that showed the ads with these ids. */
function recordOf(outcome: ServerOutcome, ...shown: string[]): BreakRecord {
  const ads = shown.map((id) => {
    const { ad } = outcome.ads.find((one) => one.ad.id === id)!;
    return { adId: `0-1-${id}`, duration: 15, outcome: 'stitched', vast: ad } as const;
  });
  const { request: sent, response, wrappers } = outcome;
  const facts = { id: '0-1', startsAt: '2026-01-01T00:00:00.000Z', duration: 30, warnings: [], slate: 0 };
  const answers = { ...(response ? { response } : {}), ...(wrappers ? { wrappers } : {}) };
  return { ...facts, status: 'partial', ads, request: sent, ...answers };
}

const replayed = async (record: BreakRecord) => {
  const { outcome, missing } = await storedOutcome(record, { reader, variables: () => undefined });
  return { ids: outcome.ads.map(({ ad }) => ad.id), missing: missing.length, reason: outcome.reason?.code };
};

describe('the ads of a stored response', () => {
  it('are all that the response contains', async () => {
    serve('/vast', vast(inLine('b', { sequence: 2 }), inLine('a', { sequence: 1 }), inLine('c')));
    expect(await replayed(recordOf(await request('/vast'), 'a'))).toEqual({ ids: ['a', 'b', 'c'], missing: 0 });
  });

  it('behind wrappers are those that were shown, in their place', async () => {
    serve('/vast', vast(inLine('a'), wrapper('w', '/inner', { allowMultipleAds: 'true' }), inLine('z')));
    serve('/inner', vast(inLine('x'), inLine('y')));
    const outcome = await request('/vast');
    expect(await replayed(recordOf(outcome, 'a', 'y', 'z'))).toEqual({ ids: ['a', 'y', 'z'], missing: 1 });
    expect(await replayed(recordOf(outcome, 'a'))).toEqual({ ids: ['a', 'z'], missing: 1 });
  });

  it('of a response whose end is not stored are the complete ones and those that were shown', async () => {
    serve('/vast', vast(inLine('a'), `<!--${'x'.repeat(100_000)}-->`, inLine('b'), inLine('c')));
    expect(await replayed(recordOf(await request('/vast'), 'c'))).toEqual({ ids: ['a', 'c'], missing: 1 });
  });

  it('are those that were shown if there is no response', async () => {
    serve('/vast', vast(inLine('a'), inLine('b')));
    const { response: _, ...record } = recordOf(await request('/vast'), 'b');
    expect(await replayed(record)).toEqual({ ids: ['b'], missing: 1 });
    expect(await replayed({ ...record, ads: [] })).toEqual({ ids: [], missing: 1, reason: 'NO_ADS' });
  });

  it('that contain masked secrets are those that were shown', async () => {
    const withKey = inLine('a')
      .replaceAll('c.example/', 'c.example/secret-1/')
      .replaceAll('t.example/', 't.example/secret-1/');
    serve('/vast', vast(withKey, inLine('b')));
    const outcome = await request('/vast?apikey=secret-1');
    expect(outcome.response!.raw).not.toContain('secret-1');
    const { ads } = (await storedOutcome(recordOf(outcome, 'a'), { reader, variables: () => undefined })).outcome;
    expect(ads.map(({ ad }) => ad.id)).toEqual(['a', 'b']);
    expect(ads[0]!.ad).toEqual(outcome.ads[0]!.ad);
    expect(await replayed(recordOf(outcome, 'a'))).toEqual({ ids: ['a', 'b'], missing: 1 });
  });

  it('are none if the response was not an ad response', async () => {
    serve('/vast', 'not VAST');
    expect(await replayed(recordOf(await request('/vast')))).toMatchObject({ ids: [], reason: 'VAST_UNREADABLE' });
  });
});
