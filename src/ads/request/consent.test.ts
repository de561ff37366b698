// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros are written so
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
const build = (source: AdSourceSettings, said: Readonly<Record<string, string>> = parameters) =>
  buildAdRequest(
    source,
    { id: 's', channelId: 'c', parameters: said, viewer: { address: '203.0.113.7', userAgent: 'tv' } },
    { id: '0-1', startsAt: millis(0), duration: 30 },
    { now: millis(0), transactionId: 't', cacheBuster: '12345678' },
  );
const filled = (macro: string, said?: Readonly<Record<string, string>>) =>
  fillMacros(macro, build({ url: 'https://ads.example/' }, said).variables);

describe('what a viewer has agreed to', () => {
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

  it('is left open where the player has said nothing', () => {
    expect(filled('${GDPR_CONSENT_755} [US_PRIVACY]', {})).toBe('${GDPR_CONSENT_755} [US_PRIVACY]');
    expect(filled('[GDPRCONSENT] [REGULATIONS]', {})).toBe('-1 -1');
    expect(filled('[REGULATIONS]', { gdpr: '0' })).toBe('-1');
  });

  it('stands first as the player names it for VAST', () => {
    expect(filled('[GDPRCONSENT]', { GDPRCONSENT: 'own', gdpr_consent: 'other' })).toBe('own');
    expect(filled('[REGULATIONS]', { regulations: 'lgpd', gdpr: '1' })).toBe('lgpd');
  });

  it('is added to a request that forgets it, and to none that does not', () => {
    expect(
      build({ url: 'https://ads.example/v?gdpr=[PLAYER.gdpr]', params: { gpp_sid: '[GPPSECTIONID]' } }).request.url,
    ).toBe('https://ads.example/v?gdpr=1&gpp_sid=2%2C6&gdpr_consent=CPc%2FxYZ%3D%3D&us_privacy=1YNN&gpp=DBABMA~CPX');
    expect(build({ url: 'https://ads.example/v?a=1' }, { gdpr: '', other: 'x' }).request.url).toBe(
      'https://ads.example/v?a=1',
    );
  });

  it('stands in the body of a POST too', () => {
    const source: AdSourceSettings = { url: 'https://ads.example/', method: 'POST', params: { id: 'x' } };
    const said = { gdpr: '1', us_privacy: '1YNN' };
    expect(build(source, said).request.body).toBe('id=x&gdpr=1&us_privacy=1YNN');
    const json = build({ ...source, headers: { 'content-type': 'application/json' } }, said).request;
    expect(JSON.parse(json.body!)).toEqual({ id: 'x', gdpr: '1', us_privacy: '1YNN' });
  });

  it('is no secret in the trace', () => {
    expect(build({ url: 'https://ads.example/' }, { gdpr_consent: 'CPc' }).maskedUrl).toBe(
      'https://ads.example/?gdpr_consent=CPc',
    );
  });
});
