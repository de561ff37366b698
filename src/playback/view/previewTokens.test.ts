// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createSecretBox } from '../../adapters/sql/secrets/secretBox.ts';
import { millis } from '../../time/units.ts';
import { createPreviewTokens } from './previewTokens.ts';

const channel = { tenant: 'one', id: 'news' };
const withKey = (secret: string, now = () => millis(0)) => {
  const box = createSecretBox(secret);
  return createPreviewTokens({ seal: (text) => box.seal(text, 'p'), open: (sealed) => box.open(sealed, 'p'), now });
};

test('a token is accepted for its channel, by every node with the same key, until it expires', () => {
  let now = millis(1000);
  const tokens = withKey('secret', () => now);
  const { token, expiresAt } = tokens.create(channel);
  expect(withKey('secret', () => now).accepts(token, channel)).toBe(true);
  expect(tokens.accepts(token, { ...channel, id: 'sports' })).toBe(false);
  expect(tokens.accepts(token, { ...channel, tenant: 'two' })).toBe(false);
  expect(withKey('other').accepts(token, channel)).toBe(false);
  now = millis(expiresAt - 1);
  expect(tokens.accepts(token, channel)).toBe(true);
  now = expiresAt;
  expect(tokens.accepts(token, channel)).toBe(false);
});

test('what is not a token is rejected', () => {
  const tokens = withKey('secret');
  const box = createSecretBox('secret');
  for (const text of ['', 'yes', 's1.a.b.c', box.seal('[]', 'p'), box.seal('["one","news"]', 'p')])
    expect(tokens.accepts(text, channel)).toBe(false);
});
