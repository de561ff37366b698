// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../test/naming.ts';
import { egressAllow, readConfig, trustedProxies } from './config.ts';

test('an empty environment results in the defaults', () => {
  const read = readConfig({ HOME: '/root', ADMIN_URL: '' });
  expect(read).toMatchObject({
    ok: true,
    config: { ADMIN_PORT: 8080, LIVE_PORT: 8081, HOST: '127.0.0.1', DATA_DIR: './data', ADMIN_RATE_LIMIT: 200 },
  });
  if (!read.ok) return;
  expect(read.config).not.toHaveProperty('ADMIN_URL');
  expect(read.config).not.toHaveProperty('HOME');
  expect(egressAllow(read.config)).toEqual([]);
  expect(trustedProxies(read.config)).toEqual(['127.0.0.0/8', '::1']);
});

test('reports every invalid value, and quotes no secrets', () => {
  const read = readConfig({
    ADMIN_PORT: '80800',
    LIVE_PORT: 'eight',
    ADMIN_RATE_LIMIT: '-1',
    ADMIN_URL: 'ftp://example.com',
    DATABASE_URL: 'mysql://user:hunter2@db/x',
    SECRET_KEY: 'short-secret',
    LOG_LEVEL: 'loud',
    EGRESS_ALLOW: '10.0.0.0/8, nonsense',
    TRUSTED_PROXIES: '10.0.0.0/8, none',
    BOOTSTRAP_TENANT: '../etc',
  });
  expect(read.ok).toBe(false);
  if (read.ok) return;
  expect(read.problems).toHaveLength(10);
  expect(read.problems).toContainEqual(naming('ADMIN_PORT', 0, 65535, '"80800"'));
  expect(read.problems).toContainEqual(naming('ADMIN_URL', 'http://', 'https://', '"ftp://example.com"'));
  expect(read.problems.join()).not.toMatch(/hunter2|short-secret/);
});

test('reads valid values, and integers as numbers', () => {
  const read = readConfig({ ADMIN_PORT: '0', EGRESS_ALLOW: '127.0.0.0/8, ::1', DATABASE_URL: 'postgres://u@h/d' });
  expect(read).toMatchObject({ ok: true, config: { ADMIN_PORT: 0, DATABASE_URL: 'postgres://u@h/d' } });
  if (read.ok) expect(egressAllow(read.config)).toEqual(['127.0.0.0/8', '::1']);
});

test('the object store of media is checked with what belongs to it, and its URL is not quoted', () => {
  const problemsOf = (env: Record<string, string>) => {
    const read = readConfig(env);
    return read.ok ? [] : read.problems;
  };
  expect(problemsOf({ MEDIA_URL: 's3://films/a', MEDIA_PUBLIC_URL: 'signed' })).toEqual([]);
  expect(problemsOf({ MEDIA_URL: 's3://films', MEDIA_PUBLIC_URL: 'https://cdn.example/films' })).toEqual([]);
  expect(problemsOf({ MEDIA_URL: 'azure://spots/films', AZURE_STORAGE_KEY: 'a2V5' })).toEqual([]);
  expect(problemsOf({ MEDIA_URL: 'azure://spots/films' })).toEqual([naming('AZURE_STORAGE_KEY')]);
  expect(problemsOf({ MEDIA_PUBLIC_URL: 'signed' })).toEqual([naming('MEDIA_PUBLIC_URL', 'MEDIA_URL')]);
  expect(problemsOf({ MEDIA_URL: 's3://films', MEDIA_PUBLIC_URL: 'cdn' })).toEqual([
    naming('MEDIA_PUBLIC_URL', 'signed'),
  ]);
  const [problem] = problemsOf({ MEDIA_URL: 's3://key:hunter2@films/a' });
  expect(problem).toEqual(naming('MEDIA_URL', 's3://bucket/prefix', 'credentials'));
  expect(problem).not.toContain('hunter2');
});

test('TRUSTED_PROXIES can be none', () => {
  const read = readConfig({ TRUSTED_PROXIES: 'none' });
  expect(read.ok && trustedProxies(read.config)).toEqual([]);
});
