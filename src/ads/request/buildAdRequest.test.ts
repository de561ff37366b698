// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
import { describe, expect, it } from 'vitest';
import { millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import { type AdServerSettings, buildAdRequest, viewerHeaders } from './buildAdRequest.ts';
import { maskSecrets, maskUrl, secretsOf } from './maskSecrets.ts';
import type { AdRequestSession } from './requestVariables.ts';

const session: AdRequestSession = {
  id: 'session-1',
  channelId: 'news',
  parameters: { ifa: 'a&b', Device_Type: 'tv', gdprConsent: 'CO/x=' },
  viewer: { address: '::ffff:203.0.113.7', userAgent: 'Viewer/1.0 (tv; 4k)' },
};
const adBreak = { id: 'break-9', startsAt: millis(1_700_000_010_000), duration: 29.97, maxAds: 4 };
const at = {
  now: millis(1_700_000_000_127),
  transactionId: () => '123e4567-e89b-12d3-a456-426655440000',
  cacheBuster: () => '12345678',
};
const build = (source: AdServerSettings, more: Partial<AdRequestSession> = {}) =>
  buildAdRequest(source, { ...session, ...more }, adBreak, at);
const urlOf = (url: string) => build({ url }).request.url;

describe('the URL of an ad request', () => {
  it.each([
    ['[CACHEBUSTING]', '12345678'],
    ['[TIMESTAMP]', '2023-11-14T22%3A13%3A20.127Z'],
    ['[TRANSACTIONID]', '123e4567-e89b-12d3-a456-426655440000'],
    ['[BREAKMAXDURATION]', '30'],
    ['[BREAK_DURATION]', '29.97'],
    ['[BREAKMAXADS]-[BREAK_MAX_ADS]', '4-4'],
    ['[DEVICEIP]', '203.0.113.7'],
    ['[DEVICEUA]', 'Viewer%2F1.0%20(tv%3B%204k)'],
    ['[IFA]', 'a%26b'],
    ['[GDPRCONSENT]', 'CO%2Fx%3D'],
    ['[IFATYPE]', '-1'],
    ['[BREAKPOSITION]', '2'],
    ['[BREAK_CONTENT_TIME]', '-1'],
    ['[MEDIAPLAYHEAD]-[CONTENTPLAYHEAD]', '-1--1'],
    ['[SESSION_ID]/[CHANNEL_ID]/[BREAK_ID]', 'session-1/news/break-9'],
    ['[PLAYER.device_type]', 'tv'],
    ['[player.Device_Type]', 'tv'],
    ['[PLAYER.nothing]', ''],
    ['[PLAYER.constructor]', ''],
    ['%5BCACHEBUSTING%5D', '12345678'],
    ['[cachebusting]', '12345678'],
    ['[NOT_OURS]', '[NOT_OURS]'],
    ['[ERRORCODE]', '[ERRORCODE]'],
  ])('has %s filled as %s', (macro, value) => {
    expect(urlOf(`https://ads.example/vast?x=${macro}&y=1`)).toBe(`https://ads.example/vast?x=${value}&y=1`);
  });

  it.each([
    ['pre', 0, '1 0 00:00:00.000'],
    ['mid', 3723.5, '2 3723.5 01:02:03.500'],
    ['post', 5400.0004, '3 5400 01:30:00.000'],
  ] as const)('has the place of a %s-roll of a VoD presentation filled', (position, contentTime, filled) => {
    const place = { ...adBreak, position, contentTime };
    const url = 'https://ads.example/?[BREAKPOSITION] [BREAK_CONTENT_TIME] [MEDIAPLAYHEAD]';
    const { request } = buildAdRequest({ url }, session, place, at);
    expect(decodeURIComponent(request.url.split('?')[1]!)).toBe(filled);
    const parameters = { ...session.parameters, mediaplayhead: 'own' };
    const own = buildAdRequest({ url: 'https://ads.example/?[MEDIAPLAYHEAD]' }, { ...session, parameters }, place, at);
    expect(own.request.url).toBe('https://ads.example/?own');
  });

  it('keeps an IPv6 host', () => {
    expect(urlOf('http://[2001:db8::1]:8080/vast')).toBe('http://[2001:db8::1]:8080/vast');
  });

  it('encodes values of the viewer, so that they cannot add a parameter or a path', () => {
    const parameters = { genre: 'a/../b?c=d&e=f#g' };
    const { request } = build({ url: 'https://ads.example/[PLAYER.genre]/vast?g=[PLAYER.genre]' }, { parameters });
    const url = new URL(request.url);
    expect(url.pathname.split('/').length).toBe(3);
    expect([...url.searchParams]).toEqual([['g', parameters.genre]]);
  });

  it.each([
    ['https://ads.example/vast', 'https://ads.example/vast?slot=mid%20roll&cb=12345678'],
    ['https://ads.example/vast?a=1', 'https://ads.example/vast?a=1&slot=mid%20roll&cb=12345678'],
    ['https://ads.example/vast?', 'https://ads.example/vast?slot=mid%20roll&cb=12345678'],
    ['https://ads.example/vast?a=1#top', 'https://ads.example/vast?a=1&slot=mid%20roll&cb=12345678'],
  ])('has parameters appended to %s', (url, whole) => {
    expect(build({ url, params: { slot: 'mid roll', cb: '[CACHEBUSTING]' } }).request.url).toBe(whole);
  });
});

describe('headers and body', () => {
  it('identify the viewer to the ad server', () => {
    expect(build({ url: 'https://ads.example/' }).request).toMatchObject({
      method: 'GET',
      headers: {
        'user-agent': 'Viewer/1.0 (tv; 4k)',
        'x-device-user-agent': 'Viewer/1.0 (tv; 4k)',
        'x-device-ip': '203.0.113.7',
        'x-forwarded-for': '203.0.113.7',
      },
    });
  });

  it('contain no invalid characters, whatever the viewer sent', () => {
    const headers = viewerHeaders({ address: '', userAgent: 'a\r\nx-evil: 1\u0000\u{1F600}' });
    expect(headers['user-agent']).toBe('ax-evil: 1');
    expect(headers).not.toHaveProperty('x-device-ip');
    expect(viewerHeaders({ address: '2001:db8::1', userAgent: '' })).toMatchObject({
      'user-agent': 'Midroll',
      'x-device-ip': '2001:db8::1',
    });
  });

  it('of the source take precedence, with macros filled', () => {
    const headers = { 'User-Agent': 'Operator', 'X-Session': '[SESSION_ID]' };
    expect(build({ url: 'https://ads.example/', headers }).request.headers).toMatchObject({
      'user-agent': 'Operator',
      'x-session': 'session-1',
    });
  });

  it('contain the parameters of a POST as a form, or as JSON if the source sets that content type', () => {
    const params = { id: '[SESSION_ID]', q: 'a&b' };
    const source: AdServerSettings = { url: 'https://ads.example/', method: 'POST', params };
    expect(build(source).request).toMatchObject({
      method: 'POST',
      url: 'https://ads.example/?id=session-1&q=a%26b',
      body: 'id=session-1&q=a%26b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const json = build({ ...source, headers: { 'Content-Type': 'application/json' } }).request;
    expect(JSON.parse(json.body ?? '')).toEqual({ id: 'session-1', q: 'a&b' });
  });
});

describe('a masked URL', () => {
  it.each([
    ['https://a.example/v?key=abc&slot=1', 'https://a.example/v?key=***&slot=1'],
    ['https://a.example/v?api-key=abc', 'https://a.example/v?api-key=***'],
    ['https://a.example/v?apiKey=abc;accessToken=x', 'https://a.example/v?apiKey=***;accessToken=***'],
    [
      'https://a.example/v?X-Amz-Signature=1&sig=2&design=3',
      'https://a.example/v?X-Amz-Signature=***&sig=***&design=3',
    ],
    ['https://a.example/v?access%5Ftoken=abc', 'https://a.example/v?access%5Ftoken=***'],
    [
      'https://a.example/v?client_secret=a&password=b&passage=c',
      'https://a.example/v?client_secret=***&password=***&passage=c',
    ],
    ['https://user:pw@a.example/v', 'https://***@a.example/v'],
    ['https://a.example/@user?x=1', 'https://a.example/@user?x=1'],
    ['not a url?token=abc', 'not a url?token=***'],
    ['https://a.example/v?keywords=news&author=me&%zz=1', 'https://a.example/v?keywords=news&author=me&%zz=1'],
  ])('%s', (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
  });

  it('is returned with the request, whose own URL is not masked', () => {
    const { request, maskedUrl } = build({ url: 'https://ads.example/?x=1', params: { token: 'abc' } });
    expect(request.url).toContain('token=abc');
    expect(maskedUrl).toBe('https://ads.example/?x=1&token=***');
  });
});

it('masks secrets of the request that a response repeats', () => {
  const secrets = secretsOf('https://ads.example/v?api-key=abc%2Fdef123&len=30&sig=xy');
  expect(secrets).toEqual(['abc%2Fdef123', 'abc/def123']);
  const text = '<VASTAdTagURI>https://ads.example/w?k=abc%2Fdef123&amp;l=30</VASTAdTagURI> abc/def123 xy';
  expect(maskSecrets(text, secrets)).toBe('<VASTAdTagURI>https://ads.example/w?k=***&amp;l=30</VASTAdTagURI> *** xy');
});

const consent = {
  gdpr: '1',
  GDPR_Consent: 'CPc/xYZ==',
  us_privacy: '1YNN',
  gpp: 'DBABMA~CPX',
  gpp_sid: '2,6',
  coppa: '1',
};
const consenting = (source: AdServerSettings, sent: Readonly<Record<string, string>> = consent) =>
  build(source, { parameters: sent });
const filled = (macro: string, sent?: Readonly<Record<string, string>>) =>
  fillMacros(macro, consenting({ url: 'https://ads.example/' }, sent).variables);

describe('consent', () => {
  it.each([
    ['[GDPRCONSENT]', 'CPc%2FxYZ%3D%3D'],
    ['${GDPR}', '1'],
    ['${GDPR_CONSENT_755}', 'CPc%2FxYZ%3D%3D'],
    ['$%7BUS_PRIVACY%7D', '1YNN'],
    ['[US_PRIVACY]', '1YNN'],
    ['${GPP_STRING_12}', 'DBABMA~CPX'],
    ['${GPP_SID}', '2%2C6'],
    ['[GPPSTRING]', 'DBABMA~CPX'],
    ['[GPPSECTIONID]', '2%2C6'],
    ['[REGULATIONS]', 'coppa%2Cgdpr'],
  ])('fills %s', (macro, value) => {
    expect(filled(macro)).toBe(value);
  });

  it('is unknown when the player did not send it', () => {
    expect(filled('${GDPR_CONSENT_755} [US_PRIVACY]', {})).toBe('${GDPR_CONSENT_755} [US_PRIVACY]');
    expect(filled('[GDPRCONSENT] [REGULATIONS]', {})).toBe('-1 -1');
    expect(filled('[REGULATIONS]', { gdpr: '0' })).toBe('-1');
  });

  it('prefers the parameter that has the name of the VAST macro', () => {
    expect(filled('[GDPRCONSENT]', { GDPRCONSENT: 'own', gdpr_consent: 'other' })).toBe('own');
    expect(filled('[REGULATIONS]', { regulations: 'lgpd', gdpr: '1' })).toBe('lgpd');
  });

  it('is added to requests that do not contain it', () => {
    expect(
      consenting({ url: 'https://ads.example/v?gdpr=[PLAYER.gdpr]', params: { gpp_sid: '[GPPSECTIONID]' } }).request
        .url,
    ).toBe('https://ads.example/v?gdpr=1&gpp_sid=2%2C6&gdpr_consent=CPc%2FxYZ%3D%3D&us_privacy=1YNN&gpp=DBABMA~CPX');
    expect(consenting({ url: 'https://ads.example/v?a=1' }, { gdpr: '', other: 'x' }).request.url).toBe(
      'https://ads.example/v?a=1',
    );
  });

  it('is also in the body of a POST', () => {
    const source: AdServerSettings = { url: 'https://ads.example/', method: 'POST', params: { id: 'x' } };
    const sent = { gdpr: '1', us_privacy: '1YNN' };
    expect(consenting(source, sent).request.body).toBe('id=x&gdpr=1&us_privacy=1YNN');
    const json = consenting({ ...source, headers: { 'content-type': 'application/json' } }, sent).request;
    expect(JSON.parse(json.body!)).toEqual({ id: 'x', gdpr: '1', us_privacy: '1YNN' });
  });

  it('is not masked in the trace', () => {
    const { maskedUrl } = consenting({ url: 'https://ads.example/' }, { gdpr_consent: 'CPc' });
    expect(maskedUrl).toBe('https://ads.example/?gdpr_consent=CPc');
  });
});
