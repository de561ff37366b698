// SPDX-License-Identifier: Apache-2.0
// The doctor finds each fault, states what to do, and changes nothing.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../../../test/alerts/smtpServer.ts';
import { runCommand } from '../../../test/cli.ts';
import { naming } from '../../../test/naming.ts';
import { scratchFolder } from '../../../test/opened.ts';
import { serveInTest } from '../../../test/serve.ts';
import { startRedis } from '../../../test/servers/startRedis.ts';
import { openSql } from '../../database.ts';
import { checkNode, checkOpenFiles } from './checkMachine.ts';
import { examine, report } from './doctor.ts';

const folder = scratchFolder();
const dataDir = join(folder, 'data');
/** A program that prints what a build of ffmpeg with these encoders prints. */
function ffmpegWith(...encoders: string[]): string {
  const program = join(folder, `ffmpeg-${encoders.length}`);
  const lines = encoders.map((name) => ` V....D ${name}   ${name}`).join('\n');
  const filters = ['alimiter', 'apad', 'bwdif', 'ebur128', 'fps', 'scale', 'tpad'];
  const list = filters.map((name) => ` .. ${name} V->V x`).join('\n');
  const cases = `*-encoders*) echo '${lines}';; *-filters*) echo '${list}';; *) echo 'ffmpeg version 9.9';;`;
  writeFileSync(program, `#!/bin/sh\ncase "$*" in ${cases} esac\n`);
  chmodSync(program, 0o755);
  return program;
}

const complete = ffmpegWith('libx264', 'libx265', 'aac', 'ac3', 'eac3', 'mjpeg');
const env = {
  PATH: process.env.PATH,
  FFMPEG: complete,
  FFPROBE: complete,
  DATA_DIR: dataDir,
  ADMIN_PORT: '0',
  LIVE_PORT: '0',
  MEDIA_MAX_GB: '1',
};

const about = async (subject: string, changes: Record<string, string>, url?: string) =>
  (await examine({ ...env, ...changes }, { url })).filter((finding) => finding.subject === subject);

const listening = async (body: string): Promise<string> =>
  new URL(await serveInTest((_, response) => response.end(body))).port;

test('reports an installation that works, and creates nothing', async () => {
  const findings = await examine(env);
  expect(findings.filter(({ state }) => state === 'error')).toEqual([]);
  for (const subject of ['Node', 'Settings', 'ffmpeg', 'Disk', 'Database', 'Port 0', 'Egress'])
    expect(findings.map((finding) => finding.subject)).toContain(subject);
  expect(report(findings).split('\n')).toHaveLength(findings.length + 2);
  expect(existsSync(dataDir)).toBe(false);
});

test('names every invalid setting and exits with 1', async () => {
  const { status, out } = await runCommand({ ...env, ADMIN_PORT: 'x', ROLE: 'chief' }, 'doctor');
  expect([status, out]).toEqual([1, naming('ADMIN_PORT', 'ROLE')]);
  expect(await runCommand(env, 'doctor', '--url', 'ftp://ads.example')).toMatchObject({ status: 1 });
});

test('reads settings from --env-file; the environment overrides it', async () => {
  const file = join(folder, 'midroll.env');
  writeFileSync(file, 'ADMIN_PORT=zero\nLIVE_PORT=one\n');
  const doctor = (settings: typeof env | { PATH: string | undefined }, name: string) =>
    runCommand(settings, 'doctor', '--env-file', name);
  expect(await doctor({ ...env, ADMIN_PORT: '0' }, file)).toMatchObject({ status: 0 });
  expect(await doctor({ PATH: env.PATH }, file)).toMatchObject({ status: 1, out: naming('ADMIN_PORT', 'zero') });
  expect(await doctor(env, join(folder, 'none'))).toMatchObject({ status: 1, err: naming('--env-file') });
});

test('names settings that are spelled wrong, and all unknown names of --env-file', async () => {
  const found = await about('Settings', { LIVE_PROT: '1', live_port: '2', NODE_ENV: 'production' });
  expect(found).toMatchObject([
    { state: 'warning', text: naming('LIVE_PROT', 'LIVE_PORT') },
    { state: 'warning', text: naming('live_port', 'LIVE_PORT') },
  ]);
  const file = join(folder, 'wrong.env');
  writeFileSync(file, 'AD_SERVER=http://ads.example\nTZ=UTC\nADMIN_PROT=1\n');
  const { status, out } = await runCommand(env, 'doctor', '--env-file', file);
  expect([status, out]).toEqual([0, naming('AD_SERVER', 'no effect', 'ADMIN_PORT?')]);
  const listed = await runCommand(env, 'restore', join(folder, 'none'), '--env-file', file);
  expect(listed).toMatchObject({ status: 1, err: naming('AD_SERVER', 'ADMIN_PORT?') });
});

test('finds an old Node and a low limit of open files', () => {
  expect(checkNode('20.18.3')).toMatchObject({ state: 'error' });
  for (const version of ['20.19.0', '22.0.0', '24.1.0']) expect(checkNode(version)).toMatchObject({ state: 'ok' });
  const limits = join(folder, 'limits');
  writeFileSync(
    limits,
    'Limit       Soft Limit  Hard Limit  Units\nMax open files            256         1024        files\n',
  );
  expect(checkOpenFiles(limits)).toMatchObject({ state: 'warning', text: naming(1024) });
  expect(checkOpenFiles(join(folder, 'no-such-file'))).toBeUndefined();
});

test('finds ffmpeg missing, or built without an encoder', async () => {
  expect(await about('ffmpeg', { FFMPEG: join(folder, 'none') })).toMatchObject([{ state: 'error' }]);
  const poor = ffmpegWith('libx264', 'mjpeg');
  expect(await about('ffmpeg', { FFMPEG: poor, FFPROBE: poor })).toMatchObject([
    { state: 'error', text: naming('aac') },
  ]);
  const usual = ffmpegWith('libx264', 'aac', 'mjpeg');
  expect(await about('Codecs', { FFMPEG: usual, FFPROBE: usual })).toMatchObject([
    { state: 'warning', text: naming('libx265', 'eac3') },
  ]);
  expect(await about('ffprobe', { FFMPEG: usual, FFPROBE: join(folder, 'none') })).toMatchObject([{ state: 'error' }]);
  expect(await about('ffmpeg', { ROLE: 'serve', FFMPEG: join(folder, 'none') })).toMatchObject([{ state: 'ok' }]);
});

test('finds a port in use, and whether Midroll uses it', async () => {
  const [other, midroll] = [await listening('hello'), await listening('{"status":"ok"}')];
  const ports = { ADMIN_PORT: `${other}`, LIVE_PORT: `${midroll}` };
  expect(await about(`Port ${other}`, ports)).toMatchObject([{ state: 'error', advice: naming('ADMIN_PORT') }]);
  expect(await about(`Port ${midroll}`, ports)).toMatchObject([{ state: 'warning' }]);
  expect(await about('Ports', { ADMIN_PORT: '8080', LIVE_PORT: '8080' })).toMatchObject([{ state: 'error' }]);
});

test('finds a folder that cannot be created, and a database that does not respond, without its password', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await about('Disk', { DATA_DIR: join(file, 'data') })).toMatchObject([{ state: 'error' }]);
  const findings = await examine({ ...env, DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/midroll' });
  expect(findings).toContainEqual(expect.objectContaining({ subject: 'Database', state: 'error' }));
  expect(report(findings)).not.toContain('hidden');
});

test('signs in to the mail server, and shows no password', async () => {
  const server = await startMailServer({
    authOptional: false,
    onAuth: (_login, _session, done) => done(new Error('no')),
  });
  const open = await startMailServer();
  const settings = { SMTP_FROM: 'midroll@example.com' };
  const check = async (SMTP_URL: string) => (await about('Mail server', { ...settings, SMTP_URL }))[0];
  expect(await about('Mail server', {})).toEqual([]);
  expect(await check(`smtp://${open.address}`)).toMatchObject({ state: 'ok' });
  expect(await check('smtp://127.0.0.1:1')).toMatchObject({ state: 'warning', text: naming('127.0.0.1:1') });
  const rejected = await check(`smtp://ann:hidden@${server.address}?tls.rejectUnauthorized=false`);
  expect(rejected).toMatchObject({ state: 'warning', text: naming(server.address), advice: naming('SMTP_URL') });
  expect(JSON.stringify(rejected)).not.toContain('hidden');
  expect([server.received, open.received]).toEqual([[], []]);
  await Promise.all([server.close(), open.close()]);
});

test('writes to the object store of media and reads from it, and leaves nothing there', async () => {
  const store = join(folder, 'store');
  const MEDIA_URL = `file://${store}`;
  expect(await about('Media store', {})).toEqual([]);
  expect(await about('Media store', { MEDIA_URL })).toMatchObject([{ state: 'warning', text: naming(store) }]);
  mkdirSync(store);
  expect(await about('Media store', { MEDIA_URL })).toMatchObject([{ state: 'ok', text: naming(store) }]);
  expect(readdirSync(join(store, 'doctor'))).toEqual([]);
  rmSync(store, { recursive: true });
  writeFileSync(store, '');
  expect(await about('Media store', { MEDIA_URL })).toMatchObject([{ state: 'error' }]);
  expect(await about('Disk', { MEDIA_URL, MEDIA_CACHE_GB: '999999' })).toMatchObject([
    { state: 'warning', text: naming('MEDIA_CACHE_GB') },
  ]);
});

test('runs scripts on the session store, and reports what it would remove', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const check = async () => (await about('Session store', { REDIS_URL: redis.url }))[0];
  expect(await check()).toMatchObject({ state: 'ok', text: 'Redis runs scripts; masters without a replica: 1' });
  expect(await redis.command('dbsize')).toBe('0');
  await redis.command('config', 'set', 'maxmemory-policy', 'allkeys-lru');
  expect(await check()).toMatchObject({ state: 'warning', text: expect.stringContaining('allkeys-lru') });
});

test('finds a session store that rejects the password, or does not respond', async () => {
  const redis = await startRedis(['--requirepass', 'right']);
  onTestFinished(() => redis.stop());
  const url = redis.url.replace('redis://', 'redis://:very-wrong@');
  const rejected = (await about('Session store', { REDIS_URL: url }))[0];
  expect(rejected).toMatchObject({ state: 'error', text: expect.stringContaining('WRONGPASS') });
  expect(JSON.stringify(rejected)).not.toContain('very-wrong');
  redis.suspend();
  expect((await about('Session store', { REDIS_URL: redis.url }))[0]).toMatchObject({ state: 'error' });
});

test('finds an object store that does not respond, without its key', async () => {
  const AZURE_STORAGE_KEY = Buffer.from('hidden').toString('base64');
  const MEDIA_URL = 'azure://spots/films?endpoint=http://127.0.0.1:1/spots';
  const findings = await examine({ ...env, MEDIA_URL, AZURE_STORAGE_KEY });
  expect(findings).toContainEqual(
    expect.objectContaining({ subject: 'Media store', state: 'error', text: naming('azure://spots/films', 'refused') }),
  );
  expect(report(findings)).not.toContain(AZURE_STORAGE_KEY);
});

test('reports the rest if the channels cannot be read', async () => {
  const source = { DATA_DIR: join(folder, 'damaged') };
  const store = await openSql(source);
  await sql`drop table channels`.execute(store.db);
  await store.close();
  const findings = await examine({ ...env, ...source });
  expect(findings.filter(({ state }) => state === 'error')).toMatchObject([
    { subject: 'Database', text: naming('channels') },
  ]);
  expect(findings.map(({ subject }) => subject)).toContain('Egress');
});

test('requests the host of --url through the egress guard', async () => {
  const url = `http://127.0.0.1:${await listening('')}/vast?duration=[BREAK_DURATION]`;
  expect(await about('Egress', {}, url)).toMatchObject([{ state: 'error', advice: naming('EGRESS_ALLOW') }]);
  expect(await about('Egress', { EGRESS_ALLOW: '127.0.0.0/8' }, url)).toMatchObject([{ state: 'ok' }]);
  const refused = 'http://127.0.0.1:1/';
  expect(await about('Egress', { EGRESS_ALLOW: '127.0.0.0/8' }, refused)).toMatchObject([{ state: 'warning' }]);
});
