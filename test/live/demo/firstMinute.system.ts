// SPDX-License-Identifier: Apache-2.0
// The first start of `midroll demo`, without data of an earlier one: it prints seven lines, and the first break of each viewer of
// both channels is full.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminAccess, callAdmin } from '../../../demo/callAdmin.ts';
import { startViewers } from '../../../demo/viewers.ts';
import { root } from '../../repositoryFiles.ts';

const temporary = mkdtempSync(join(tmpdir(), 'midroll-first-minute-'));
const env = { ...process.env, TMPDIR: temporary, DATA_DIR: '' };
const demo = spawn(process.execPath, [join(root, 'dist/midroll.js'), 'demo'], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
});
let output = '';
let page: string;
let api: AdminAccess;
let stopViewer: (() => void) | undefined;

/** What follows a name in the lines that the demo prints. */
const printed = (name: string): URL => new URL(new RegExp(`^  ${name} +(\\S+)`, 'm').exec(output)?.[1] ?? '');

beforeAll(async () => {
  demo.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  while (!output.includes('  Log ') && demo.exitCode === null)
    await Promise.race([once(demo.stdout, 'data'), once(demo, 'exit')]);
  page = printed('Page').origin;
  const console = printed('Console');
  api = { adminUrl: console.origin, apiKey: new URLSearchParams(console.hash.split('?')[1]).get('api-key') ?? '' };
});
afterAll(async () => {
  stopViewer?.();
  demo.kill('SIGINT');
  if (demo.exitCode === null && demo.signalCode === null) await once(demo, 'exit');
  const left = readdirSync(temporary);
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  expect(left).toEqual([]);
});

type Session = { readonly id: string; readonly breaks: number; readonly fill?: number };
type Break = { readonly status: string; readonly slate: number };
const sessionsOf = (channel: string) => callAdmin<Session[]>(api, 'GET', `/sessions?channel=${channel}`);
const breaksOf = async ({ id }: Session) =>
  (await callAdmin<{ breaks: Break[] }>(api, 'GET', `/sessions/${id}`)).breaks;

/** The first break of each viewer, when all of them have one. */
async function firstBreaks(channel: string, viewers: number): Promise<Break[]> {
  const haveBreaks = async () => (await sessionsOf(channel)).filter(({ breaks }) => breaks > 0).length;
  await expect.poll(haveBreaks).toBe(viewers);
  return Promise.all((await sessionsOf(channel)).map(async (session) => (await breaksOf(session))[0] as Break));
}

test('prints seven lines, and nothing else on its standard output', () => {
  expect(output.trimEnd().split('\n')).toHaveLength(7);
});

test('the first break of the linear channel is full for each viewer', async () => {
  for (const first of await firstBreaks('demo', 2)) expect(first).toMatchObject({ status: 'filled', slate: 0 });
});

test('no break of the live channel starts before its ads are ready, and the first one is full', async () => {
  const { live, liveUrl } = (await (await fetch(`${page}/config.json`)).json()) as {
    liveUrl: string;
    live: { channelId: string; channelKey: string };
  };
  const status = async () => (await fetch(`${page}/live/status`)).json();
  await expect.poll(status).toMatchObject({ encoder: { state: 'running', breakStartsIn: expect.any(Number) } });
  stopViewer = startViewers([`${liveUrl}/hls/view/${live.channelId}?api-key=${live.channelKey}`], 0);
  for (const first of await firstBreaks(live.channelId, 1)) expect(first).toMatchObject({ status: 'filled', slate: 0 });
});

test('its page leads to the trace of a viewer in the console, and lists the commands of the tour', async () => {
  const [session] = await sessionsOf('demo');
  const trace = await fetch(`${page}/console/sessions/${session?.id}`, { redirect: 'manual' });
  expect([trace.status, trace.headers.get('location')]).toEqual([
    302,
    `${api.adminUrl}/#/sessions/${session?.id}?api-key=${api.apiKey}`,
  ]);
  for (const path of ['tour', 'tour.js', 'console']) expect((await fetch(`${page}/${path}`)).status).toBe(200);
  const tour = await (await fetch(`${page}/tour.json`)).text();
  for (const text of [api.adminUrl, '/api/v2/playlists', 'master.m3u8']) expect(tour).toContain(text);
});

test('Midroll ends and its data are deleted when the demo is killed', async () => {
  const midroll = `${api.adminUrl}/openapi.json`;
  expect((await fetch(midroll)).status).toBe(200);
  demo.kill('SIGKILL');
  const isThere = () =>
    fetch(midroll).then(
      () => true,
      () => false,
    );
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
  await expect.poll(() => readdirSync(temporary), { timeout: 30_000 }).toEqual([]);
});
