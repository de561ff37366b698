// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { scratchFolder } from '../../../../test/opened.ts';
import { openSqlite } from '../../../database.ts';
import { createSecretBox } from './secretBox.ts';
import { openSecretBox } from './secretKey.ts';

const folder = scratchFolder();

test('an encrypted value can be decrypted with the same key and owner only', () => {
  const box = createSecretBox('one secret');
  const sealed = box.seal('pässword', 'a');
  expect(box.open(sealed, 'a')).toBe('pässword');
  expect(box.seal('pässword', 'a')).not.toBe(sealed);
  expect(() => box.open(sealed, 'b')).toThrow();
  expect(() => createSecretBox('another secret').open(sealed, 'a')).toThrow();
  const [version, nonce, tag, text] = sealed.split('.');
  const changed = (text!.startsWith('A') ? 'B' : 'A') + text!.slice(1);
  expect(() => box.open([version, nonce, tag, changed].join('.'), 'a')).toThrow();
  expect(() => box.open([version, nonce, tag!.slice(0, 6), text].join('.'), 'a')).toThrow();
  expect(() => box.open('plain text', 'a')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SEAL' }));
});

test('the key file is created once, readable by its owner only, and another key is rejected', async () => {
  const store = await openSqlite(':memory:');
  const boxes = await Promise.all([1, 2, 3].map(() => openSecretBox({ DATA_DIR: folder }, store)));
  const sealed = boxes[0]!.seal('x', 'a');
  for (const box of boxes) expect(box.open(sealed, 'a')).toBe('x');
  const path = join(folder, 'secret.key');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  const other = { DATA_DIR: folder, SECRET_KEY: 'quite another secret' };
  await expect(openSecretBox(other, store)).rejects.toMatchObject({ code: 'OTHER_KEY', message: naming('SECRET_KEY') });
  await store.close();
});
