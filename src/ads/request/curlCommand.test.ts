// SPDX-License-Identifier: Apache-2.0
// The arguments are those that a real shell passes on.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type CurlRequest, curlCommand, shellQuoted } from './curlCommand.ts';

/** Each argument in brackets, as `sh` reads the command. */
const inShell = (command: string): string[] =>
  execFileSync('sh', ['-c', `set -- ${command}\nfor one do printf '%s\\001' "$one"; done`], { encoding: 'utf8' })
    .split('\u0001')
    .slice(0, -1);

const argumentsOf = (request: CurlRequest): string[] => inShell(curlCommand(request));

const valuesOf = (all: readonly string[], option: string): string[] =>
  all.filter((_, index) => index > 0 && all[index - 1] === option);

describe('a curl command', () => {
  it.each([
    "it's",
    '$HOME `id` $(id) \\ "x" !history',
    'a\nb\tc',
    "'; rm -rf /; '",
    '*?[a-z]{1,2}~ & | < > #',
    '',
    'ünïcödé ✓',
  ])('passes %j to curl unchanged', (text) => {
    expect(inShell(shellQuoted(text))).toEqual([text]);
  });

  it('has the URL, the headers and the body of the request as arguments', () => {
    const all = argumentsOf({
      url: "https://ads.example/vast?a=[X]&b={1,2}&c=it's",
      method: 'POST',
      headers: { 'user-agent': `Player "1" 'x' $y`, 'x-empty': '' },
      body: "@file=1&b='$(id)'",
    });
    expect(all[0]).toBe('curl');
    expect(valuesOf(all, '--url')).toEqual(["https://ads.example/vast?a=[X]&b={1,2}&c=it's"]);
    expect(valuesOf(all, '-H')).toEqual([`user-agent: Player "1" 'x' $y`, 'x-empty;']);
    expect(valuesOf(all, '--data-raw')).toEqual(["@file=1&b='$(id)'"]);
    expect(all).toContain('--globoff');
  });

  it('sends a POST without a body as POST', () => {
    expect(valuesOf(argumentsOf({ url: 'http://a.example/', method: 'POST' }), '--request')).toEqual(['POST']);
  });

  it('keeps a line break out of a header, and a zero byte out of the command', () => {
    const all = argumentsOf({ url: 'http://a.example/\0x', headers: { a: 'one\r\ntwo: 2' } });
    expect(valuesOf(all, '--url')).toEqual(['http://a.example/x']);
    expect(valuesOf(all, '-H')).toEqual(['a: one two: 2']);
  });
});
