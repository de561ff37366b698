// SPDX-License-Identifier: Apache-2.0
// Steps of every kind of channel: notices of bids, hooks, frequency caps over sessions, tries and replays.
import { expect, test } from 'vitest';
import { writeVast } from '../../live/adHost.ts';
import { fileStage } from '../../live/fileStage.ts';
import { openGuided } from '../../live/guided/guidedPlayer.ts';
import { item } from '../../live/stage.ts';
import { openVod, traceOf } from '../../vod/watchVod.ts';
import { addSources, airSteps, bidOf, bidResponse, type SteppedBreak, watchBreaks } from './demandStage.ts';

const stage = await fileStage();
const { adHost } = stage;
const [five, four, three, two, one] = await Promise.all([5, 4, 3, 2, 1].map((seconds) => stage.spot(seconds)));
const notices = (name: string) => `${adHost.url}/${name}-notices`;

/** A bidder that bids for ads of 3 s and 2 s, and a dearer one that no break has room for. */
function addBidder(name: string) {
  const beacons = notices(name);
  for (const what of [
    'win',
    'bill',
    'lose',
    'impression',
    'start',
    'firstQuartile',
    'midpoint',
    'thirdQuartile',
    'complete',
  ])
    adHost.on(`/${name}-notices/${what}`, (response) => void response.writeHead(204).end());
  adHost.on(`/${name}-bids`, (response, { body }) => {
    const bids = [
      bidOf({ id: 'tea', seconds: 3, url: three!, price: 6 }, beacons),
      bidOf({ id: 'cars', seconds: 2, url: two!, price: 3 }, beacons),
      bidOf({ id: 'long', seconds: 5, url: five!, price: 1 }, beacons),
    ];
    response.writeHead(200, { 'content-type': 'application/json' }).end(bidResponse(JSON.parse(body).id, bids));
  });
  return { id: `${name}-bidder`, type: 'openrtb', url: `${adHost.url}/${name}-bids` };
}

const calledOf = (name: string, what: string) =>
  adHost.seen.filter(({ path }) => path.startsWith(`/${name}-notices/${what}?`)).map(({ path }) => path);
const shownOf = ({ ads }: SteppedBreak) =>
  ads.filter(({ outcome }) => outcome === 'stitched').map(({ title }) => title);
const isFilled = ({ slate }: SteppedBreak) => slate === 0;

adHost.offer('/direct', () => [{ id: 'direct', seconds: 4, url: four! }]);
await addSources(stage, [
  { id: 'direct', type: 'vast', url: `${adHost.url}/direct` },
  { id: 'fillers', type: 'house', creatives: [{ url: one!, title: 'House' }] },
]);

test.concurrent('each bid is won or lost, and each that is delivered is billed once, with its impression', async () => {
  await addSources(stage, [addBidder('money')]);
  await airSteps(stage, 'money', [['direct'], ['money-bidder'], ['fillers']]);
  const { viewer, breaks } = await watchBreaks(stage, 'money', { count: 3, isSettled: isFilled });
  expect(viewer.faults).toEqual([]);
  for (const one of breaks) expect(shownOf(one).slice(0, 3).toSorted()).toEqual(['Ad cars', 'Ad direct', 'Ad tea']);
  const delivered = breaks.length;
  await stage.until('every notice', () => calledOf('money', 'bill').length >= 2 * delivered);
  const [win, bill, lose] = ['win', 'bill', 'lose'].map((what) => calledOf('money', what));
  for (const path of win!) expect(path).toMatch(/bid=(tea&price=6|cars&price=3)&/);
  expect(win!.length).toBeGreaterThanOrEqual(bill!.length);
  expect(bill!.length).toBe(calledOf('money', 'impression').length);
  expect(lose!.length).toBeGreaterThan(0);
  // Before its creative was ready, a bid was lost for that reason.
  expect(lose!.filter((path) => path.includes('bid=long') && path.includes('loss=102')).length).toBeGreaterThan(0);
  expect(lose!.every((path) => /loss=(102|201)$/.test(path))).toBe(true);
});

test.concurrent('hooks change requests and ads, and the trace states what they changed', async () => {
  await addSources(stage, [addBidder('hook')]);
  adHost.on('/before', (response, { body }) => {
    const { source, request } = JSON.parse(body);
    const answer = source.type === 'vast' ? { request: { url: `${request.url}?tagged=1` } } : { skip: 'not today' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  adHost.on('/after', (response, { body }) => {
    const { ads } = JSON.parse(body) as { ads: { key: string; title: string }[] };
    const answer = {
      drop: ads.filter(({ title }) => title === 'House').map(({ key }) => key),
      add: [{ url: three!, title: 'Added' }],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const adHooks = { requestUrl: `${adHost.url}/before`, adsUrl: `${adHost.url}/after`, timeoutMs: 1000 };
  await airSteps(stage, 'hooked', [['direct'], ['hook-bidder'], ['fillers']], { adHooks });
  const { breaks } = await watchBreaks(stage, 'hooked', {
    count: 1,
    isSettled: (one) => shownOf(one).includes('Added'),
  });
  const [first] = breaks as readonly (SteppedBreak & { adsHook?: { changes: string[]; error?: string } })[];
  expect(shownOf(first!)).toContain('Ad direct');
  expect(shownOf(first!)).not.toContain('House');
  expect(adHost.seen.some(({ path }) => path === '/direct?tagged=1')).toBe(true);
  expect(first!.sources![1]!.reason).toMatchObject({ code: 'HOOK_SKIPPED' });
  expect(first!.adsHook!.changes.length).toBeGreaterThan(0);
  expect(first!.adsHook!.error).toBeUndefined();
  const tried = await stage.api('POST', '/channels/hooked/try', { breakDuration: 10 });
  expect(tried.sources.map(({ hooks }: { hooks?: unknown[] }) => hooks?.length ?? 0)).toEqual([1, 1, 0]);
  expect(tried.adsHook).toMatchObject({ hook: 'ads', status: 200 });
});

test.concurrent('a frequency cap holds over the sessions of a viewer', async () => {
  await addSources(stage, [addBidder('cap')]);
  const adRules = { viewerParameter: 'uid', frequencyCaps: [{ per: 'advertiser', max: 2, hours: 24 }] };
  await airSteps(stage, 'capped', [['cap-bidder'], ['fillers']], { adRules });
  const how = { query: 'uid=ann' };
  const isReady = (one: SteppedBreak) => one.ads.every(({ reason }) => reason?.code !== 'CREATIVE_PREPARING');
  const runs = await Promise.all([1, 2].map(() => watchBreaks(stage, 'capped', { count: 4, isSettled: isReady, how })));
  const titles = (
    await Promise.all(runs.map(({ viewer }) => stage.breaks(viewer) as Promise<readonly SteppedBreak[]>))
  ).flatMap((breaks) => breaks.flatMap(shownOf));
  for (const title of ['Ad tea', 'Ad cars', 'Ad long'])
    expect(titles.filter((one) => one === title).length).toBeLessThanOrEqual(2);
  expect(titles.filter((one) => one === 'Ad tea')).toHaveLength(2);
  const codes = runs.flatMap(({ breaks }) => breaks.flatMap(({ ads }) => ads.map(({ reason }) => reason?.code)));
  expect(codes).toContain('FREQUENCY_CAP');
});

test.concurrent('on demand, and with breaks that VMAP names, the next step fills what is left', async () => {
  await addSources(stage, [addBidder('vod'), { id: 'named', type: 'vast', url: `${adHost.url}/named` }]);
  const vast = writeVast([{ id: 'named', seconds: 4, url: four! }]).replace(/<\?xml.*?\?>/, '');
  adHost.on('/named', (response) => {
    const named = `<vmap:AdBreak timeOffset="start" breakType="linear"><vmap:AdSource><vmap:VASTAdData>${vast}</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>`;
    const body = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${named}</vmap:VMAP>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  });
  adHost.on('/naming', (response, { body }) => {
    const { source, request } = JSON.parse(body);
    const answer = source.type === 'vast' ? { request: { url: `${request.url}?hooked=1` } } : {};
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const contents = [item(await stage.video({ seconds: 8 }), { spliceTime: 0, maxDuration: 10 })];
  const steps = (source: string) => ({ adSteps: [{ sources: [source] }, { sources: ['vod-bidder'] }] });
  await stage.air('film', contents, { type: 'vod', vodBudgetMs: 8000, ...steps('direct') }, { type: 'vod' });
  await stage.air(
    'named-film',
    contents,
    {
      ...{ type: 'vod', vodBudgetMs: 8000, breakSource: 'vmap', breakDuration: 10, ...steps('named') },
      adHooks: { requestUrl: `${adHost.url}/naming`, timeoutMs: 1000 },
    },
    { type: 'vod' },
  );
  for (const [channel, first] of [
    ['film', 'Ad direct'],
    ['named-film', 'Ad named'],
  ] as const) {
    let shown: string[] = [];
    await stage.until(`the ads of ${channel}`, async () => {
      const view = await openVod(stage, channel);
      const traced = (await traceOf(stage, view)) as unknown as readonly SteppedBreak[];
      shown = traced.flatMap(shownOf);
      return shown.length === 3;
    });
    expect([shown[0], ...shown.slice(1).toSorted()]).toEqual([first, 'Ad cars', 'Ad tea']);
  }
  expect(adHost.seen.some(({ path }) => path === '/named?hooked=1')).toBe(true);
  const { sources } = await stage.api('POST', '/channels/named-film/try', {});
  expect(sources).toMatchObject([{ source: 'named', offered: 1, hooks: [{ hook: 'request', status: 200 }] }]);
});

test.concurrent('guided viewers get the ads of all steps', async () => {
  await addSources(stage, [addBidder('guided')]);
  await airSteps(stage, 'guided', [['direct'], ['guided-bidder']], { insertion: 'guided' });
  await stage.until('the ads of both sources', async () => {
    const player = await openGuided(stage, 'guided', 'hls');
    const [next] = await player.breaks();
    if (next === undefined) return false;
    await player.play(next.list);
    const { breaks } = await stage.api('GET', `/sessions/${player.session}`);
    const titles = (breaks as readonly SteppedBreak[]).flatMap(shownOf);
    return ['Ad direct', 'Ad tea', 'Ad cars'].every((title) => titles.includes(title));
  });
});

test.concurrent('a replay judges by the sources and rules of now', async () => {
  await addSources(stage, [addBidder('replay')]);
  await airSteps(stage, 'replayed', [['direct'], ['replay-bidder'], ['fillers']]);
  const { viewer, breaks } = await watchBreaks(stage, 'replayed', { count: 1, isSettled: isFilled });
  const { id } = breaks[0]!;
  const path = `/sessions/${viewer.session}/breaks/${id}/replay`;
  const same = await stage.api('POST', path, {});
  expect(
    same.now.ads.filter(({ outcome }: { outcome: string }) => outcome === 'stitched').length,
  ).toBeGreaterThanOrEqual(3);
  await stage.api('PATCH', '/channels/replayed', { adRules: { blockedAdvertisers: ['tea.example'] } });
  const blocked = await stage.api('POST', path, {});
  expect(blocked.differences).toContainEqual(
    expect.objectContaining({
      change: 'skippedNow',
      now: expect.objectContaining({ reason: expect.objectContaining({ code: 'ADVERTISER_BLOCKED' }) }),
    }),
  );
});
