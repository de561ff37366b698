// SPDX-License-Identifier: Apache-2.0
// An ad server that dies and a creative that cannot be fetched are problems of their channels at once, and none when they work
// again; one failed ad request fires an alert. With real media on a virtual clock.
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import { adSource, item, openVirtualStage } from '../live/stage.ts';
import { naming } from '../naming.ts';
import { opened } from '../opened.ts';

const vast = '<VAST version="4.2"/>';
const adServer = createServer((_, response) => response.end(vast));
const adHost = `127.0.0.1:${await findFreePort(0)}`;
const stage = await opened(openVirtualStage());
afterAll(() => adServer.close());

const get = async (path: string) => (await stage.midroll.api('GET', path)).json;
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id).sort();
const kindsOf = ({ problems = [] }: { problems?: readonly { kind: string }[] }) => problems.map(({ kind }) => kind);
const insertBreak = (id: string) => stage.midroll.api('POST', `/channels/${id}/breaks`, { duration: 20 });

test('are in the channel, in what is on air and in filters until they are over', async () => {
  const [video, spot] = await Promise.all([stage.video({ seconds: 40 }), stage.spot(10)]);
  let creative = new URL('/gone.mp4', stage.adHost.url).href;
  stage.adHost.offer('/ads', () => [{ id: 'spot', seconds: 10, url: creative }]);
  await stage.air('works', [item(video)], { adSource: adSource(stage.adHost, '/empty') });
  stage.adHost.offer('/empty', () => []);
  await stage.air('dead', [item(video)], { name: 'Dead', adSource: { url: `http://${adHost}/vast` } });
  await stage.air('failing', [item(video)], { adSource: adSource(stage.adHost, '/ads') });
  const viewers = await Promise.all(['works', 'dead', 'failing'].map((channel) => stage.watch(channel)));
  await Promise.all(['works', 'dead', 'failing'].map(insertBreak));
  const both = async () => idsOf(await get('/channels?problem=any')).join();
  await viewers[1]!.until('both are problems', async () => (await both()) === 'dead,failing');

  const dead = await get('/channels/dead');
  expect(dead.problems).toMatchObject([
    {
      kind: 'ad-server',
      adServer: adHost,
      since: expect.any(String),
      text: `The ad server ${adHost} refuses the connection.`,
    },
  ]);
  expect(kindsOf(await get('/channels/failing'))).toEqual(['creative']);
  expect(kindsOf(await get('/channels/works'))).toEqual([]);
  expect(idsOf(await get('/on-air?problem=ad-server'))).toEqual(['dead']);
  expect((await get('/on-air?problem=ad-server'))[0].problems).toEqual(dead.problems);
  expect(idsOf(await get('/on-air?problem=creative'))).toEqual(['failing']);
  expect(await get('/channels?problem=state')).toEqual([]);
  expect(stage.midroll.logged('an ad server fails on a channel')).toMatchObject([
    { level: 40, channel: 'dead', adServer: adHost, reason: 'refuses the connection' },
  ]);

  // The creative is found by its state, with the names that the ad server uses.
  const [asset, ...others] = await get('/assets?state=failing');
  expect(others).toEqual([]);
  expect(asset).toMatchObject({ adId: 'spot', creativeId: 'creative-spot', title: 'Ad spot', fault: 'NOT_FOUND' });
  expect(asset).toMatchObject({ attempts: expect.any(Number), reason: naming(404) });
  await viewers[2]!.until('the lost ad is counted', async () => (await get('/assets?state=failing'))[0]?.adsLost > 0);
  const [problem] = (await get('/channels/failing')).problems;
  expect(problem).toMatchObject({ creatives: 1, adsLost: 1, text: naming('creative-spot', 404) });
  expect((await stage.breaks(viewers[2]!)).at(-1)!.ads[0]!.reason).toMatchObject({
    code: 'CREATIVE_FAILED',
    text: expect.stringMatching(/\b404\b.* is tried again at \d\d:\d\d:\d\d UTC$/),
  });

  // One ad request is too few for a percentage, and enough for an alert.
  await stage.midroll.api('POST', '/alert-rules', { kind: 'ad-server', forMinutes: 1 });
  const alert = async () => (await get('/alerts')).find(({ state }: { state: string }) => state === 'firing');
  await viewers[1]!.until('an alert fires', async () => (await alert()) !== undefined);
  expect((await alert()).event).toMatchObject({ channel: { id: 'dead' }, reason: naming(adHost, 'refuses') });

  // It works again.
  stage.adHost.on('/gone.mp4', (response) => void response.writeHead(302, { location: spot }).end());
  await stage.midroll.api('POST', `/assets/${asset.id}/retry`);
  creative = spot;
  const isEmpty = async () => (await get('/channels/dead')).problems[0].fillRate === 0;
  await viewers[1]!.until('the fill of the last hour is known', isEmpty);
  adServer.listen(Number(adHost.split(':')[1]), '127.0.0.1');
  await insertBreak('dead');
  await viewers[1]!.until('nothing is a problem', async () => (await both()) === '');
  await viewers[1]!.until('the alert resolves', async () => (await get('/alerts')).length === 0);
  expect(await get('/assets?state=failing')).toEqual([]);
  expect(stage.midroll.logged('an ad server works again on a channel')).toMatchObject([
    { level: 40, channel: 'dead', adServer: adHost },
  ]);
  expect(stage.midroll.logged('an ad server fails on a channel').length).toBe(1);
});
