// SPDX-License-Identifier: Apache-2.0
// A real Prebid Server as an ad source. Runs only if PREBID_SERVER has the URL of its auction; its bidder `iqzone` must have the
// endpoint http://127.0.0.1:8099/bids (docs/demand/openrtb.md).
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openRealStage } from '../../live/stage.ts';
import { openedInTest } from '../../opened.ts';
import { addSources, airSteps, bidOf, bidResponse, type SteppedBreak, untilReady, watchBreaks } from './demandStage.ts';

const url = process.env.PREBID_SERVER;
const BIDDER_PORT = 8099;
/** Bids of the bidder, in seconds. */
const LENGTHS = [4, 3, 2] as const;

type ImpSeen = { readonly id: string; readonly video: Record<string, unknown>; readonly bidfloor?: number };

test.skipIf(url === undefined)('a Prebid Server accepts the bid requests, and its bids fill the break', async () => {
  const stage = await openedInTest(openRealStage());
  const spots = await Promise.all(LENGTHS.map((seconds) => stage.spot(seconds)));
  const requests: { readonly app?: object; readonly imp: readonly ImpSeen[] }[] = [];
  const billed: string[] = [];
  stage.adHost.on('/bill', (response, _, query) => {
    billed.push(`${query.get('bid')} ${query.get('price')}`);
    response.writeHead(204).end();
  });
  const bidder = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request));
    requests.push(asked);
    const bids = LENGTHS.map((seconds, index) => ({
      ...bidOf({ id: `bid${seconds}`, seconds, url: spots[index]!, price: 10 + seconds }, stage.adHost.url),
      impid: asked.imp[0].id,
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(bidResponse(asked.id, bids));
  });
  const listening = once(bidder.listen(BIDDER_PORT, '127.0.0.1'), 'listening');
  await openedInTest(bidder);
  await listening;
  const template = {
    app: { bundle: 'com.example.tv', publisher: { id: 'pub-1' } },
    imp: [{ ext: { prebid: { bidder: { iqzone: { placementId: 'midroll' } } } } }],
  };
  await addSources(stage, [{ id: 'prebid', type: 'openrtb', url, floor: 1, template }]);
  await airSteps(stage, 'prebid', [['prebid']], { adBudgetMs: 5000 });
  await untilReady(stage, 'prebid', LENGTHS);
  const isOfBids = ({ sources = [] }: SteppedBreak) => sources.some(({ offered }) => offered > 0);
  const { viewer, breaks } = await watchBreaks(stage, 'prebid', { count: 2, isSettled: isOfBids });
  expect(viewer.faults).toEqual([]);
  expect(requests[0]).toMatchObject({ imp: [{ video: { podid: expect.any(String) }, bidfloor: 1 }] });
  for (const { ads, sources } of breaks) {
    expect(sources?.[0]?.reason).toBeUndefined();
    expect(ads.some(({ outcome, source }) => outcome === 'stitched' && source === 'prebid')).toBe(true);
  }
  const shown = breaks.flatMap(({ ads }) => ads.filter(({ outcome }) => outcome === 'stitched'));
  await stage.until('all ads are billed', () => billed.length >= shown.length);
  for (const { title, price } of shown) expect(billed).toContain(`${title.replace('Ad ', '')} ${price?.amount}`);
});
