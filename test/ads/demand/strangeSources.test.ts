// SPDX-License-Identifier: Apache-2.0
// A half-filling ad server, then a bidder of strange behaviour, then a house list: breaks are full, whatever the bidder does, and
// no decision takes longer than the time budget.
import { expect, test } from 'vitest';
import { fileStage } from '../../live/fileStage.ts';
import { addSources, airSteps, type Bid, bidOf, bidResponse, watchBreaks } from './demandStage.ts';

const stage = await fileStage();
const BUDGET_MS = 2000;

const [four, two, three, one] = await Promise.all([4, 2, 3, 1].map((seconds) => stage.spot(seconds)));
const beacons = `${stage.adHost.url}/notices`;
stage.adHost.offer('/half', () => [{ id: 'direct', seconds: 4, url: four! }]);
const houseCreatives = [
  { url: two!, title: 'House two' },
  { url: one!, title: 'House one' },
];
await addSources(stage, [
  { id: 'half', type: 'vast', url: `${stage.adHost.url}/half` },
  { id: 'house', type: 'house', creatives: houseCreatives },
]);

const bid = (id: string, more: Partial<Bid> = {}) => bidOf({ id, seconds: 3, url: three!, price: 5, ...more }, beacons);

type Respond = Parameters<typeof stage.adHost.on>[1];
const json =
  (text: (request: { readonly id: string }) => string): Respond =>
  (response, { body }) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text(JSON.parse(body)));
const bids = (...all: readonly object[]) => json(({ id }) => bidResponse(id, all));
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) =>
    void response.writeHead(code, headers).end();

/** What the bidder does, and the reason of the source, or the code of each bid that is not shown. */
const kinds: readonly (readonly [what: string, respond: Respond, reason?: string])[] = [
  ['bids as it should', bids(bid('good'))],
  ['never responds', () => {}, 'AD_SERVER_TIMEOUT'],
  ['is dead', (_, { socket }) => void socket.resetAndDestroy(), 'AD_SERVER_FAILED'],
  ['is over its rate', status(429, { 'retry-after': '60' }), 'AD_SERVER_NOT_ASKED'],
  ['has no bid', status(204), 'NO_BID'],
  ['has no bid, with a reason', json(({ id }) => JSON.stringify({ id, seatbid: [], nbr: 8 })), 'NO_BID'],
  ['returns no JSON', json(() => '<html>sorry</html>'), 'BIDS_UNREADABLE'],
  ['returns JSON of another shape', json(() => '{"seatbid":{"bid":"x"},"cur":[]}'), 'NO_ADS'],
  ['bids for ads that are longer than they say', bids(bid('long', { dur: 1 }), bid('short', { dur: 90 }))],
  ['bids below the floor', bids(bid('cheap', { price: 0.2 })), 'NO_AD_SHOWN'],
  ['bids for the creative of the ad server', bids(bid('direct', { url: four!, seconds: 4 }))],
  ['bids in another currency', json(({ id }) => bidResponse(id, [bid('eur')], { cur: 'EUR' })), 'NO_AD_SHOWN'],
  [
    'returns 200 bids',
    bids(...Array.from({ length: 200 }, (_, index) => bid(`many${index}`, { price: 1 + index / 100 }))),
  ],
  [
    'repeats one id, and leaves out all that it can',
    bids({ id: 'x', impid: '1', price: 9 }, {}, null as never, bid('x')),
  ],
];

const cases = kinds.map(
  ([what, respond, reason], index) => [what, { respond, reason, id: `strange-${index}` }] as const,
);

test.concurrent.each(cases)('a bidder that %s', async (_, { respond, reason, id }) => {
  stage.adHost.on(`/${id}`, respond);
  await addSources(stage, [{ id, type: 'openrtb', url: `${stage.adHost.url}/${id}`, floor: 0.5 }]);
  await airSteps(stage, id, [['half'], [id], ['house']], { adBudgetMs: BUDGET_MS });
  const isFull = (one: { readonly slate: number }) => one.slate === 0;
  const { viewer, breaks } = await watchBreaks(stage, id, { count: 4, isSettled: isFull });
  expect(viewer.faults).toEqual([]);
  const seconds = breaks.reduce((sum, { duration }) => sum + duration, 0);
  const slate = breaks.reduce((sum, one) => sum + one.slate, 0);
  expect(1 - slate / seconds).toBeGreaterThan(0.98);
  for (const { sources = [], ads } of breaks) {
    expect(sources.map((one) => one.source)).toEqual(['half', id, 'house']);
    expect(sources.reduce((sum, { request }) => sum + (request?.ms ?? 0), 0)).toBeLessThanOrEqual(BUDGET_MS);
    expect(ads.find(({ outcome }) => outcome === 'stitched')).toMatchObject({ title: 'Ad direct', step: 0 });
  }
  if (reason !== undefined) expect(breaks[0]!.sources![1]).toMatchObject({ reason: { code: reason } });
});
