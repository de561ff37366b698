// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
import { expect, it } from 'vitest';
import type { AdRequestSession } from '../ads/request/requestVariables.ts';
import { millis } from '../time/units.ts';
import { type BidChannel, type BidRequestOptions, buildBidRequest } from './buildBidRequest.ts';
import { bidTemplateWarnings } from './template.ts';

const session: AdRequestSession = {
  id: 'session-1',
  channelId: 'news',
  parameters: {
    IFA: 'a-b',
    limitAdTracking: '1',
    age: '34',
    gdpr: '1',
    gdpr_consent: 'CPc',
    gpp_sid: '2,6',
    coppa: '0',
  },
  viewer: { address: '::ffff:203.0.113.7', userAgent: 'Viewer/1' },
};
const now = millis(1_700_000_000_000);
const adBreak = { id: 'break-9', startsAt: millis(now + 40_000), duration: 29.97, maxAds: 3 };
const at = { now, transactionId: () => 'auction-1', cacheBuster: () => '12345678' };
const channel: BidChannel = { type: 'live', tracking: 'server' };
type Source = Parameters<typeof buildBidRequest>[0];
const source: Source = { type: 'openrtb', url: 'https://bids.example/[CHANNEL_ID]?key=abcdef123' };

const build = (
  of: Partial<Source> = {},
  more: Partial<BidRequestOptions> & Partial<BidChannel> = {},
  own: Partial<Parameters<typeof buildBidRequest>[2] & AdRequestSession> = {},
) => {
  const options = { timeoutMs: 1000, channel: { ...channel, ...more }, ...more };
  return buildBidRequest({ ...source, ...of }, { ...session, ...own }, { ...adBreak, ...own }, at, options);
};
const bodyOf = (...of: Parameters<typeof build>) => JSON.parse(build(...of).request.body!);
const videoOf = (...of: Parameters<typeof build>) => bodyOf(...of).imp[0].video;

it('offers one dynamic pod as long as what is free', () => {
  const { request, maskedUrl, traced, auction } = build({
    gzip: true,
    currency: 'EUR',
    floor: 2.5,
    floorPerSecond: 0.1,
  });
  expect(request).toMatchObject({
    url: 'https://bids.example/news?key=abcdef123',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-openrtb-version': '2.6' },
  });
  expect(maskedUrl).toBe('https://bids.example/news?key=***');
  const json = JSON.parse(request.body!);
  expect(json).toEqual({
    id: 'auction-1',
    at: 1,
    tmax: 800,
    cur: ['EUR'],
    imp: [
      {
        id: '1',
        ssai: 3,
        exp: 70,
        secure: 1,
        bidfloor: 2.5,
        bidfloorcur: 'EUR',
        video: {
          mimes: ['video/mp4', 'application/x-mpegURL', 'application/dash+xml'],
          protocols: [2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16],
          poddur: 30,
          maxseq: 3,
          minduration: 1,
          maxduration: 30,
          podid: 'break-9',
          podseq: 0,
          poddedupe: [4],
          startdelay: -1,
          plcmt: 1,
          linearity: 1,
          mincpmpersec: 0.1,
        },
      },
    ],
    device: { ip: '203.0.113.7', ua: 'Viewer/1', ifa: 'a-b', lmt: 1 },
    user: { consent: 'CPc' },
    regs: { coppa: 0, gdpr: 1, gpp_sid: [2, 6] },
    source: { tid: 'auction-1' },
  });
  expect(JSON.parse(traced.body!)).toEqual(json);
  expect(auction).toEqual({
    id: 'auction-1',
    impIds: ['1'],
    currency: 'EUR',
    floor: 2_500_000,
    floorPerSecond: 100_000,
    dealFloors: {},
    seconds: 30,
    startsIn: 40,
  });
});

it('requests lengths that fill a break that must be exact, and never limits in addition', () => {
  const video = videoOf({}, { isExact: true });
  expect(video.rqddurs).toEqual([5, 10, 15, 20, 30]);
  expect(video).not.toHaveProperty('minduration');
  expect(video).not.toHaveProperty('maxduration');
  expect(videoOf({}, { isExact: true }, { maxAds: 1 }).rqddurs).toEqual([30]);
  const ofTemplate = (fields: object) => ({ template: { imp: [{ video: fields }] } });
  expect(videoOf(ofTemplate({ maxduration: 20 }), { isExact: true })).not.toHaveProperty('rqddurs');
  expect(videoOf(ofTemplate({ rqddurs: [15] }))).not.toHaveProperty('maxduration');
});

it.each([
  ['pre', 0, { podseq: 1, startdelay: 0 }],
  ['mid', 120.4, { podseq: 0, startdelay: 120 }],
  ['post', 5400, { podseq: -1, startdelay: -2 }],
] as const)('states the place of a %s-roll', (position, contentTime, expected) => {
  const { request, auction } = build({}, {}, { position, contentTime });
  const [impression] = JSON.parse(request.body!).imp;
  expect(impression.video).toMatchObject(expected);
  // The break starts 40 s after the request, and the content before it.
  expect(auction.startsIn).toBe(Math.ceil(40 + contentTime));
  expect(impression.exp).toBe(auction.startsIn + 30);
});

it('states how the pod is kept from repeating itself', () => {
  const rules = { maxPerAdvertiser: 1, separateCategories: 'break' } as const;
  expect(videoOf({}, { rules }).poddedupe).toEqual([1, 2, 4]);
  expect(videoOf({}, { repeats: 'allow', rules: { separateAdvertisers: 'adjacent' } }).poddedupe).toEqual([5]);
});

it('blocks what rules block or keep apart from ads that the break already has', () => {
  const blocked = {
    blockedCategories: ['iab7-1', 'iab25'],
    blockedAdvertisers: ['https://www.Rival.example/shop', 'rival.example', 'J. Rival Ltd'],
  };
  const rules = { ...blocked, separateCategories: 'break', separateAdvertisers: 'break' } as const;
  const before = [
    { advertisers: ['tea.example', 'Tea Ltd'], categories: ['iab2-3', 'iab25'], creatives: [] },
    { advertisers: ['tea.example'], categories: ['1.12'], creatives: [] },
  ];
  expect(bodyOf({}, { rules, before })).toMatchObject({
    bcat: ['IAB7-1', 'IAB25', 'IAB2-3', '1.12'],
    badv: ['rival.example', 'tea.example'],
  });
  expect(bodyOf({}, { rules: blocked, before })).toMatchObject({ bcat: ['IAB7-1', 'IAB25'], badv: ['rival.example'] });
});

it('states what it knows of the viewer, and nothing else', () => {
  const unknown = { parameters: {}, viewer: { address: '2001:db8::1', userAgent: '' } };
  const json = bodyOf({}, { tracking: 'client', size: { width: 1280, height: 720 } }, unknown);
  expect(json.device).toEqual({ ipv6: '2001:db8::1' });
  expect(json).not.toHaveProperty('user');
  expect(json).not.toHaveProperty('regs');
  expect(json.imp[0]).toMatchObject({ ssai: 2, video: { w: 1280, h: 720 } });
});

it.each([
  ['live', { livestream: 1, realtime: 1 }],
  ['vod2live', { livestream: 1, realtime: 0 }],
  ['vod', { livestream: 0, realtime: 0 }],
] as const)('describes the content of a %s channel in the app or site of the template', (type, signals) => {
  const content = { id: 'c', title: 'The tide' };
  const { site } = bodyOf({ template: { site: { id: 's', content: { title: 'own' } } } }, { type, content });
  expect(site).toEqual({ id: 's', content: { id: 'c', title: 'own', ...signals } });
  expect(bodyOf({}, { type, content })).not.toHaveProperty('app');
});

it('merges the template over the request, with macros filled and not encoded', () => {
  const template = {
    imp: [
      { tagid: '[CHANNEL_ID]/[BREAK_ID]', pmp: { deals: [{ id: 'd1', bidfloor: 4 }] } },
      { id: '2', video: {} },
    ],
    app: { bundle: 'example.tv', keywords: '[PLAYER.genre]' },
    user: { yob: { $number: '[PLAYER.age]' }, geo: { lat: { $number: '[LATLONG]' } } },
    device: { ua: null, ip: '203.0.113.0', language: '[PLAYER.lang]' },
    cur: ['USD', 'EUR'],
    source: { schain: { nodes: [{ sid: '[IFA]' }] } },
  };
  const { auction, request } = build({ template });
  expect(JSON.parse(request.body!)).toMatchObject({
    imp: [{ id: '1', tagid: 'news/break-9', video: { poddur: 30 } }, { id: '2' }],
    app: { bundle: 'example.tv', content: {} },
    user: { consent: 'CPc', yob: 34, geo: {} },
    device: { ip: '203.0.113.0', ifa: 'a-b' },
    cur: ['USD', 'EUR'],
    source: { tid: 'auction-1', schain: { nodes: [{ sid: 'a-b' }] } },
  });
  expect(request.body).not.toMatch(/keywords|language|"ua"|lat/);
  expect(auction).toMatchObject({ impIds: ['1', '2'], dealFloors: { d1: 4_000_000 } });
});

it('leaves out what is nested too deeply, and changes no prototype', () => {
  let deep: object = { leaf: 'x' };
  for (let depth = 0; depth < 5000; depth += 1) deep = { deep };
  const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const { body } = build({ template: { ext: deep, ...hostile } }).request;
  expect(body!.length).toBeLessThan(5000);
  expect({}).not.toHaveProperty('polluted');
});

it('is not compressed unless the source says so, and shows no secrets', () => {
  const headers = { Authorization: 'Bearer abcdef123' };
  const { request, traced } = build({ headers, template: { ext: { deep: { apiKey: 'abcdef456' } } } });
  expect(request.headers).not.toHaveProperty('content-encoding');
  expect(request.headers.authorization).toBe('Bearer abcdef123');
  expect(JSON.stringify(traced)).not.toContain('abcdef');
  const long = build({ template: { app: { name: 'x'.repeat(50_000) } } });
  expect(long.traced.body!.length).toBe(4096);
});

it('warns of macros that are not replaced, and of a template without app and site', () => {
  const template = { app: { name: '[NOT_OURS]' }, ext: ['${ALSO_NOT}'] };
  expect(bidTemplateWarnings({ ...source, template })).toHaveLength(2);
  expect(bidTemplateWarnings(source)).toHaveLength(1);
  expect(bidTemplateWarnings({ ...source, template: { site: { page: '[PAGEURL]' } } })).toEqual([]);
});
