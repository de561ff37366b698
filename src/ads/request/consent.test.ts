// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
import { describe, expect, it } from 'vitest';
import { millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import { type AdSourceSettings, buildAdRequest } from './buildAdRequest.ts';

const parameters = {
  gdpr: '1',
  GDPR_Consent: 'CPc/xYZ==',
  us_privacy: '1YNN',
  gpp: 'DBABMA~CPX',
  gpp_sid: '2,6',
  coppa: '1',
};
const build = (source: AdSourceSettings, sent: Readonly<Record<string, string>> = parameters) =>
  buildAdRequest(
    source,
    { id: 's', channelId: 'c', parameters: sent, viewer: { address: '203.0.113.7', userAgent: 'tv' } },
    { id: '0-1', startsAt: millis(0), duration: 30 },
    { now: millis(0), transactionId: 't', cacheBuster: '12345678' },
  );
const filled = (macro: string, sent?: Readonly<Record<string, string>>) =>
  fillMacros(macro, build({ url: 'https://ads.example/' }, sent).variables);

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
      build({ url: 'https://ads.example/v?gdpr=[PLAYER.gdpr]', params: { gpp_sid: '[GPPSECTIONID]' } }).request.url,
    ).toBe('https://ads.example/v?gdpr=1&gpp_sid=2%2C6&gdpr_consent=CPc%2FxYZ%3D%3D&us_privacy=1YNN&gpp=DBABMA~CPX');
    expect(build({ url: 'https://ads.example/v?a=1' }, { gdpr: '', other: 'x' }).request.url).toBe(
      'https://ads.example/v?a=1',
    );
  });

  it('is also in the body of a POST', () => {
    const source: AdSourceSettings = { url: 'https://ads.example/', method: 'POST', params: { id: 'x' } };
    const sent = { gdpr: '1', us_privacy: '1YNN' };
    expect(build(source, sent).request.body).toBe('id=x&gdpr=1&us_privacy=1YNN');
    const json = build({ ...source, headers: { 'content-type': 'application/json' } }, sent).request;
    expect(JSON.parse(json.body!)).toEqual({ id: 'x', gdpr: '1', us_privacy: '1YNN' });
  });

  it('is not masked in the trace', () => {
    expect(build({ url: 'https://ads.example/' }, { gdpr_consent: 'CPc' }).maskedUrl).toBe(
      'https://ads.example/?gdpr_consent=CPc',
    );
  });
});
