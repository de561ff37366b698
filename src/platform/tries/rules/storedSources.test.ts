// SPDX-License-Identifier: Apache-2.0
// Bids of a past break, judged again from what its record has.
import { afterAll, expect, test } from 'vitest';
import { inLine, vast } from '../../../../test/testAdServer.ts';
import { createAdResponseReader } from '../../../adapters/vast/adResponseReader.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import type { StepsDemand } from '../../../playback/request/demand.ts';
import { millis } from '../../../time/units.ts';
import { storedSources } from './storedSources.ts';

const reader = createAdResponseReader({ maxUrls: 100 });
afterAll(() => reader.close());

const template = { app: { id: 'x' }, imp: [{ pmp: { deals: [{ id: 'deal', bidfloor: 2 }] } }] };
const bids = { id: 'bids', tenant: 't', type: 'openrtb', url: 'https://bid.test/', floor: 9, template };
const channel = { type: 'vod2live', tracking: 'server' };
const demand = {
  kind: 'steps',
  steps: [{ sources: [{ id: 'bids', record: bids }] }],
  channel,
} as unknown as StepsDemand;
const session = { id: 's', channelId: 'c', parameters: {}, viewer: { address: '', userAgent: '' } };
const adBreak = { id: 'b', startsAt: millis(0), duration: 30 };

function replay(json: object) {
  const raw = JSON.stringify(json);
  const request = { url: bids.url, ms: 1, body: '{"id":"auction","imp":[' };
  const place = { step: 0, source: 'bids', type: 'openrtb', offered: 0 };
  const source = { ...place, request, response: { bytes: raw.length, raw } };
  const record = { ads: [], sources: [source] } as unknown as BreakRecord & Pick<Required<BreakRecord>, 'sources'>;
  return storedSources(record, adBreak, session, demand, { reader, variables: () => undefined });
}

test('the floors are those of now, also the floor of a deal', async () => {
  const bid = (id: string, price: number, more = {}) => ({ id, impid: '1', price, adm: vast(inLine(id)), ...more });
  const { outcome, missing } = await replay({
    id: 'auction',
    seatbid: [{ bid: [bid('low', 8), bid('high', 9), bid('dealt', 3, { dealid: 'deal' })] }],
  });
  expect(outcome.ads.map(({ ad, offer }) => [ad.id, offer?.price?.micros])).toEqual([
    ['high', 9_000_000],
    ['dealt', 3_000_000],
  ]);
  expect(outcome.dropped).toMatchObject([{ id: 'low', skip: { code: 'BELOW_FLOOR' } }]);
  expect([outcome.warnings, missing]).toEqual([[], []]);
});

test('a response without a bid is replayed, too', async () => {
  const { outcome, missing } = await replay({ nbr: 2 });
  expect([outcome.reason?.code, missing]).toEqual(['NO_BID', []]);
});
