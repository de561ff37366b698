// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
import { describe, expect, it } from 'vitest';
import { unknownMacros } from './macroNotation.ts';
import { fillMacros } from './macros.ts';

const values: Record<string, string> = {
  CACHEBUSTING: '12345678',
  TIMESTAMP: '2026-01-02T03:04:05.006Z',
  SESSION_ID: 's/1 &2',
  'PLAYER.device-type': 'tv',
  LOOP: '[CACHEBUSTING]',
};
const fill = (text: string): string => fillMacros(text, (name) => values[name]);

describe('fillMacros', () => {
  it('replaces macros in every notation, encoded for a URL', () => {
    expect(fill('https://a/?c=[CACHEBUSTING]&t=[TIMESTAMP]')).toBe(
      'https://a/?c=12345678&t=2026-01-02T03%3A04%3A05.006Z',
    );
    expect(fill('https://a/?s=%%SESSION_ID%%')).toBe('https://a/?s=s%2F1%20%262');
    expect(fill('https://a/?s=%5BSESSION_ID%5D&c=%5bCACHEBUSTING%5d')).toBe('https://a/?s=s%2F1%20%262&c=12345678');
    expect(fill('https://a/?s=${SESSION_ID}&c=$%7BCACHEBUSTING%7D')).toBe('https://a/?s=s%2F1%20%262&c=12345678');
    expect(fill('https://a/[PLAYER.device-type]/')).toBe('https://a/tv/');
    for (const written of ['{{CACHEBUSTING}}', '{{ CACHEBUSTING }}', '%7B%7BCACHEBUSTING%7D%7D', '__CACHEBUSTING__'])
      expect(fill(`https://a/?c=${written}&d`)).toBe('https://a/?c=12345678&d');
    expect(fill('https://a/?s=__SESSION_ID__&t={{PLAYER.device-type}}')).toBe('https://a/?s=s%2F1%20%262&t=tv');
  });

  it('leaves unknown macros and other text unchanged', () => {
    const unknown = '[UNKNOWN] %%UNKNOWN%% %5BUNKNOWN%5D ${AUCTION_PRICE} {price} {{price}} __UNKNOWN__ a__b';
    const others = '{CACHEBUSTING} $CACHEBUSTING a[0]=1 [] 100%%25 [CACHEBUSTING';
    for (const text of ['[a b]', ...unknown.split(' '), ...others.split(' ')]) expect(fill(text)).toBe(text);
  });

  it('names the unknown macros, but no brackets or underscores that may be something else', () => {
    const text =
      '[CACHEBUSTING] [UNKNOWN] %%x%% ${AUCTION_PRICE} {{ price }} __MY_ID__ %5BOTHER_ID%5D ids[key]=1 a[0] [AB] __typename__ {x}';
    const isKnown = (name: string) => Object.hasOwn(values, name);
    expect(unknownMacros(text, isKnown)).toEqual([
      ...['[UNKNOWN]', '%%x%%', '${AUCTION_PRICE}', '{{ price }}', '__MY_ID__', '%5BOTHER_ID%5D'],
    ]);
  });

  it('does not expand macros inside values', () => {
    expect(fill('[LOOP]')).toBe('%5BCACHEBUSTING%5D');
  });

  it('encodes any value, or uses the encoder passed', () => {
    expect(fillMacros('[X]', () => 'a\uD800b')).toBe('a%EF%BF%BDb');
    const asIs = (value: string) => value;
    expect(fillMacros('[X]', () => '&', asIs)).toBe('&');
  });
});
