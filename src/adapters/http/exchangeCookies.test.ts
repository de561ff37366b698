import { describe, expect, it } from 'vitest';
import { createExchangeCookies } from './exchangeCookies.ts';

const told = (from: string, lines: string | string[] | undefined, to: string): string => {
  const cookies = createExchangeCookies();
  cookies.keep(new URL(from), lines);
  return cookies.tell(new URL(to));
};

describe('cookies of an exchange', () => {
  it('go back to the host that set them, without what it said about them', () => {
    const lines = ['a=1; Path=/; HttpOnly', 'b="2 3"; Max-Age=60'];
    expect(told('https://ads.example/x', lines, 'https://ads.example/y?z')).toBe('a=1; b="2 3"');
    expect(told('https://ads.example/x', lines, 'https://other.example/y')).toBe('');
    expect(told('https://ads.example/x', lines, 'https://sub.ads.example/y')).toBe('');
    expect(told('https://ads.example/x', undefined, 'https://ads.example/y')).toBe('');
  });

  it('go to the hosts of a domain when its own host says so', () => {
    const ofDomain = 'a=1; Domain=.CDN.example';
    expect(told('https://one.cdn.example/', ofDomain, 'https://two.cdn.example/')).toBe('a=1');
    expect(told('https://one.cdn.example/', ofDomain, 'https://cdn.example/')).toBe('a=1');
    expect(told('https://one.cdn.example/', ofDomain, 'https://notcdn.example/')).toBe('');
    expect(told('https://one.cdn.example/', 'a=1; Domain=bank.example', 'https://bank.example/')).toBe('');
    expect(told('https://one.cdn.example/', 'a=1; Domain=example', 'https://bank.example/')).toBe('');
  });

  it('that are secure stay on https', () => {
    expect(told('https://ads.example/', 'a=1; Secure', 'http://ads.example/')).toBe('');
    expect(told('https://ads.example/', 'a=1; secure', 'https://ads.example/')).toBe('a=1');
  });

  it('are the last of their name, have a name, and are few and short', () => {
    expect(told('https://a.example/', ['a=1', 'a=2', 'b', '=c', ''], 'https://a.example/')).toBe('a=2');
    const many = Array.from({ length: 100 }, (_, index) => `c${index}=1`);
    expect(told('https://a.example/', many, 'https://a.example/').split('; ')).toHaveLength(20);
    expect(told('https://a.example/', `a=${'x'.repeat(5000)}`, 'https://a.example/')).toBe('');
  });
});
