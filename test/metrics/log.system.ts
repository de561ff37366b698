// SPDX-License-Identifier: Apache-2.0
// What processes write from their start to their end: JSON lines to standard output, and no secrets, whatever fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../opened.ts';
import { root } from '../repositoryFiles.ts';

const folder = scratchFolder();

type Run = { readonly out: string[]; readonly err: string; readonly status: number | null };

/** @param until text after which `then` runs and the process is ended; absent if it ends by itself */
async function run(
  settings: Readonly<Record<string, string>>,
  until?: string,
  then: (err: string) => Promise<unknown> = async () => undefined,
): Promise<Run> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: mkdtempSync(join(folder, 'data-')), DRAIN_SECONDS: '0' },
      ...{ ADMIN_PORT: '0', LIVE_PORT: '0', WORKER_PORT: '0', LOG_LEVEL: 'trace' },
      ...settings,
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const closed = once(child, 'close');
  if (until !== undefined) {
    await expect.poll(() => child.exitCode !== null || (out + err).includes(until)).toBe(true);
    // It may have ended by itself.
    if (child.exitCode === null) await then(err);
    child.kill('SIGTERM');
  }
  await closed;
  return { out: out.split('\n').filter((line) => line !== ''), err, status: child.exitCode };
}

const parsed = ({ out }: Run) => out.map((line) => JSON.parse(line) as { readonly msg: string; readonly pid: number });
const SECRET = 'do-not-log-this';

test('a worker has health, readiness and metrics, and a line at its end', async () => {
  let statuses: unknown[] = [];
  const worker = await run({ ROLE: 'worker' }, 'health and metrics: ', async (err) => {
    const [, url] = /health and metrics: (\S+)/.exec(err)!;
    statuses = await Promise.all(
      ['/health', '/ready', '/metrics', '/unknown'].map(async (path) => (await fetch(url + path)).status),
    );
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('midroll_creative_queue{state="waiting"} 0');
    expect(metrics).toContain('midroll_build_info{version="');
  });
  expect(statuses).toEqual([200, 200, 200, 404]);
  expect(parsed(worker).at(-1)).toMatchObject({ msg: 'ended', unfinished: [] });
  expect(worker.status).toBe(0);
});

test('every line on standard output is JSON, of all processes until their end', async () => {
  const served = await run({ WORKERS: '2', BOOTSTRAP_API_KEY: SECRET, SECRET_KEY: `${SECRET}-long` }, 'listening: ');
  const ended = parsed(served).filter(({ msg }) => msg === 'ended');
  expect(new Set(ended.map(({ pid }) => pid)).size).toBe(3);
  expect(served.out.join('\n') + served.err).not.toContain(SECRET);
});

test('a setting that is spelled wrong is logged once at the start, with the one that is meant', async () => {
  const served = await run({ WORKERS: '2', LIVE_PROT: SECRET }, 'listening: ');
  const lines = parsed(served).filter(({ msg }) => msg === 'unknown setting');
  expect(lines).toMatchObject([{ level: 40, setting: 'LIVE_PROT', text: expect.stringContaining('LIVE_PORT') }]);
  expect(served.out.join('\n') + served.err).not.toContain(SECRET);
});

const failing: readonly [what: string, settings: Readonly<Record<string, string>>, until?: string][] = [
  ['a database', { DATABASE_URL: `postgres://midroll:${SECRET}@127.0.0.1:1/midroll` }, 'waiting for the database'],
  ['Redis', { REDIS_URL: `redis://:${SECRET}@127.0.0.1:1` }, 'waiting for the session store'],
  ['an object store', { MEDIA_URL: `s3://key:${SECRET}@127.0.0.1:1/bucket/prefix` }],
  ['an account', { MEDIA_URL: 'azure://account/container', AZURE_STORAGE_KEY: SECRET }, 'listening: '],
  ['invalid settings', { SECRET_KEY: SECRET, AZURE_STORAGE_KEY: SECRET, ROLE: 'none', DATABASE_URL: SECRET }],
  [
    'a collector',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${SECRET}@127.0.0.1:1`,
      ...{ OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`, OTEL_TRACES_SAMPLER_ARG: '1' },
    },
    'listening: ',
  ],
];

test.each(failing)('%s that cannot be used leads to no secret in the log', async (...[, settings, until]) => {
  const failed = await run(settings, until, async (err) => {
    const [, url] = /administration (\S+?),/.exec(err) ?? [];
    if (url === undefined) return;
    await fetch(`${url}/ready`);
    await fetch(`${url}/api/v2/channels`, { headers: { 'x-api-key': SECRET } });
    await fetch(`${url}/api/v2/channels?api-key=${SECRET}`);
  });
  expect(failed.out.join('\n') + failed.err).not.toContain(SECRET);
  expect(() => parsed(failed)).not.toThrow();
});
