// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { createExchangeCookies } from './exchangeCookies.ts';

const cookiesFor = (from: string, lines: string | string[] | undefined, to: string): string => {
  const cookies = createExchangeCookies();
  cookies.keep(new URL(from), lines);
  return cookies.headerFor(new URL(to));
};

describe('cookies of an exchange', () => {
  it('are sent back to the host that set them, without their attributes', () => {
    const lines = ['a=1; Path=/; HttpOnly', 'b="2 3"; Max-Age=60'];
    expect(cookiesFor('https://ads.example/x', lines, 'https://ads.example/y?z')).toBe('a=1; b="2 3"');
    expect(cookiesFor('https://ads.example/x', lines, 'https://other.example/y')).toBe('');
    expect(cookiesFor('https://ads.example/x', lines, 'https://sub.ads.example/y')).toBe('');
    expect(cookiesFor('https://ads.example/x', undefined, 'https://ads.example/y')).toBe('');
  });

  it('are sent to all hosts of the domain that their host names', () => {
    const domainCookie = 'a=1; Domain=.CDN.example';
    expect(cookiesFor('https://one.cdn.example/', domainCookie, 'https://two.cdn.example/')).toBe('a=1');
    expect(cookiesFor('https://one.cdn.example/', domainCookie, 'https://cdn.example/')).toBe('a=1');
    expect(cookiesFor('https://one.cdn.example/', domainCookie, 'https://notcdn.example/')).toBe('');
    expect(cookiesFor('https://one.cdn.example/', 'a=1; Domain=bank.example', 'https://bank.example/')).toBe('');
    expect(cookiesFor('https://one.cdn.example/', 'a=1; Domain=example', 'https://bank.example/')).toBe('');
  });

  it('of a public suffix, or for another site, are refused', () => {
    expect(cookiesFor('https://ads.site.co.uk/', 'a=1; Domain=co.uk', 'https://ads.site.co.uk/')).toBe('');
    expect(cookiesFor('https://ads.site.co.uk/', 'a=1; Domain=co.uk', 'https://bank.co.uk/')).toBe('');
    expect(cookiesFor('https://ads.site.co.uk/', 'a=1; Domain=bank.co.uk', 'https://bank.co.uk/')).toBe('');
    expect(cookiesFor('https://ads.site.co.uk/', 'a=1; Domain=site.co.uk', 'https://www.site.co.uk/')).toBe('a=1');
    expect(cookiesFor('https://ads.site.co.uk/', 'a=1; Domain=site.co.uk', 'https://site.com/')).toBe('');
  });

  it('of an address are for the address', () => {
    expect(cookiesFor('http://192.0.2.1/live/a', 'a=1; Domain=192.0.2.1', 'http://192.0.2.1/b')).toBe('a=1');
    expect(cookiesFor('http://192.0.2.1/', 'a=1', 'http://192.0.2.2/')).toBe('');
    expect(cookiesFor('http://ads.example./', 'a=1', 'http://ads.example./b')).toBe('a=1');
  });

  it('whose domain is their host are for that host, also without dots', () => {
    expect(cookiesFor('http://packager/live/a', 'a=1; Domain=packager', 'http://packager/b')).toBe('a=1');
    const bucket = 'https://s3.amazonaws.com/';
    expect(cookiesFor(`${bucket}a`, 'a=1; Domain=s3.amazonaws.com', `${bucket}b`)).toBe('a=1');
    expect(cookiesFor(`${bucket}a`, 'a=1; Domain=s3.amazonaws.com', 'https://x.s3.amazonaws.com/b')).toBe('');
  });

  it('are sent below a path that is encoded', () => {
    const live = 'https://a.example/live/%C3%A9/';
    expect(cookiesFor(`${live}master.m3u8`, 'a=1; Path=/live/%C3%A9', `${live}v0.m3u8`)).toBe('a=1');
    expect(cookiesFor('https://a.example/a%20b/x', 'a=1; Path=/a%20b', 'https://a.example/a%20b/y')).toBe('a=1');
    expect(cookiesFor('https://a.example/%E0%A4/x', 'a=1; Path=/%E0%A4', 'https://a.example/%E0%A4/y')).toBe('a=1');
  });

  it('that are secure are sent over https only', () => {
    expect(cookiesFor('https://ads.example/', 'a=1; Secure', 'http://ads.example/')).toBe('');
    expect(cookiesFor('https://ads.example/', 'a=1; secure', 'https://ads.example/')).toBe('a=1');
  });

  it('are sent below their path only, and until they are removed', () => {
    expect(cookiesFor('https://a.example/', 'a=1; Path=/live', 'https://a.example/live/v0')).toBe('a=1');
    expect(cookiesFor('https://a.example/', 'a=1; path=/live/', 'https://a.example/lives')).toBe('');
    const expired = 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/';
    expect(cookiesFor('https://a.example/', ['a=1', 'b=1', expired], 'https://a.example/')).toBe('b=1');
    expect(cookiesFor('https://a.example/', ['a=1', 'a=; Max-Age=0'], 'https://a.example/')).toBe('');
  });

  it('need a name, replace earlier ones of the same name, and are limited in number and length', () => {
    expect(cookiesFor('https://a.example/', ['a=1', 'a=2', 'b', '=c', ''], 'https://a.example/')).toBe('a=2');
    const many = Array.from({ length: 100 }, (_, index) => `c${index}=1`);
    expect(cookiesFor('https://a.example/', many, 'https://a.example/').split('; ')).toHaveLength(20);
    const renewed = [...many.slice(0, 20), 'c0=2', 'd=1'];
    expect(cookiesFor('https://a.example/', renewed, 'https://a.example/').split('; ')).toEqual(
      expect.arrayContaining(['c0=2', 'c2=1', 'd=1']),
    );
    expect(cookiesFor('https://a.example/', renewed, 'https://a.example/')).not.toContain('c1=1');
    expect(cookiesFor('https://a.example/', `a=${'x'.repeat(5000)}`, 'https://a.example/')).toBe('');
  });
});
