// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import { millis } from '../../time/units.ts';
import { checkSignature, signOpening } from './authorizedChannel.ts';

const secret = 'sixteen-or-more!';
const channel = { id: 'one', signingSecret: secret } as Channel;
const EXP = 1_790_000_000;
const now = millis((EXP - 60) * 1000);
const sig = signOpening(secret, 'one', String(EXP));

function rejectionOf(query: Record<string, string>, at = now, of = channel): AppError | undefined {
  try {
    checkSignature(of, new URLSearchParams(query), at);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

test('the playback URL signed with openssl in docs/api.md is valid', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
  const [, query] = /^\/hls\/one\/master\.m3u8\?(.*&sig=.*)$/m.exec(text)!;
  const [, signingSecret] = /^SECRET=(\S+)/m.exec(text)!;
  const of = { id: 'one', signingSecret } as Channel;
  expect(rejectionOf(Object.fromEntries(new URLSearchParams(query)), now, of)).toBeUndefined();
});

test('accepts hexadecimal digits in upper case', () => {
  expect(rejectionOf({ exp: String(EXP), sig: sig.toUpperCase() })).toBeUndefined();
});

test('a signature is valid until exp, exclusive', () => {
  const signed = { exp: String(EXP), sig };
  expect(rejectionOf(signed, millis(EXP * 1000 - 1))).toBeUndefined();
  expect(rejectionOf(signed, millis(EXP * 1000))).toMatchObject({ status: 403, message: naming('exp') });
});

const later = String(EXP + 3600);
test.each([
  ['no signature', { exp: String(EXP) }, 'sig'],
  ['no exp', { sig }, 'exp'],
  ['a changed exp', { exp: later, sig }, 'sig'],
  ['the signature of another channel', { exp: later, sig: signOpening(secret, 'two', later) }, 'sig'],
  ['the signature of another secret', { exp: later, sig: signOpening(`${secret}!`, 'one', later) }, 'sig'],
  ['half a signature', { exp: String(EXP), sig: sig.slice(0, 32) }, 'sig'],
  ['a sig that is not hexadecimal', { exp: String(EXP), sig: 'z'.repeat(64) }, 'sig'],
  ['exp in milliseconds', { exp: `${EXP}000`, sig: signOpening(secret, 'one', `${EXP}000`) }, 'exp'],
  ['exp that is not a number', { exp: 'soon', sig: signOpening(secret, 'one', 'soon') }, 'exp'],
])('%s is a 403 that names the parameter', (_, query, field) => {
  expect(rejectionOf(query as Record<string, string>)).toMatchObject({ status: 403, message: naming(field) });
});

test('a channel without a secret requires no signature', () => {
  expect(rejectionOf({}, now, { id: 'one' } as Channel)).toBeUndefined();
});
