// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, 'setup.mjs');
// Not a constant name: it has no types.
const { downloadsOf, progressOf } = await import(join(import.meta.dirname, 'installPrograms.mjs'));
/** Runs the script with only these programs on the PATH: without npm, so that no test installs anything. */
function setUp(command: string, ...programs: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of programs) symlinkSync(process.execPath, join(folder, name));
  const env = { ...process.env, PATH: folder, CHROMIUM_PATH: '' };
  return spawnSync(process.execPath, [script, command], { encoding: 'utf8', env });
}

test('prints nothing when nothing is missing', () => {
  expect(setUp('demo', 'ffmpeg', 'ffprobe')).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('names what is missing and cannot be installed, with the consequence, and continues', () => {
  const demo = setUp('demo');
  expect(demo.status).toBe(0);
  const lines = demo.stderr.split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  for (const name of ['ffmpeg', 'apt-get', 'demo']) expect(lines[0]).toContain(name);
  const cluster = setUp('demo-cluster', 'ffmpeg', 'ffprobe');
  expect(cluster.status).toBe(0);
  // PostgreSQL and nginx are also found outside PATH, where Debian has them.
  const redis = cluster.stderr.split('\n').filter((line) => line.includes('Redis'));
  expect(redis).toHaveLength(1);
  expect(redis[0]).toContain('--cluster');
  const tests = setUp('test');
  expect(tests.status).toBe(0);
  for (const name of ['ffmpeg', 'Chromium', 'curl', 'xmllint'])
    expect(tests.stderr.split('\n').filter((line) => line.includes(name))).toHaveLength(1);
});

test('rejects an unknown command and lists the known ones', () => {
  const { status, stderr } = setUp('bench');
  expect(status).toBe(1);
  for (const name of ['demo|demo-cluster|test', '"bench"']) expect(stderr).toContain(name);
});

test('states what apt-get will download, and how far it is', () => {
  const uris = `Need to get 44.0 kB of archives.
'http://deb.debian.org/debian/pool/main/c/cowsay/cowsay_3.03%2bdfsg2-8_all.deb' cowsay_3.03+dfsg2-8_all.deb 21372 MD5Sum:331c
'http://deb.debian.org/debian/pool/main/f/ffmpeg/ffmpeg_5.1.9_amd64.deb' ffmpeg_5.1.9_amd64.deb 1885000 SHA256:7457
`;
  expect(downloadsOf(uris)).toBe('2 Debian packages, 2 MB to download');
  expect(progressOf('dlstatus:1:37.5000:Retrieving file 1 of 2 (3s remaining)')).toBe('downloaded 38 %');
  expect(progressOf('pmstatus:ffmpeg:90.0000:Unpacking ffmpeg (amd64)')).toBe('installed 90 %');
  expect(progressOf('Setting up ffmpeg (7:5.1.9-0+deb12u1) ...')).toBeUndefined();
});

const readText = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test('console/package.json names what the console and the build import, and npm installs all of it for the demo', () => {
  const sources = readdirSync(join(import.meta.dirname, '../console/src'), { encoding: 'utf8', recursive: true })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => `console/src/${path}`);
  const imports = ['console/runbooks.ts', 'console/vite.config.ts', ...sources].flatMap((path) => [
    ...readText(path).matchAll(/(?:from|import)\s*\(?'([\w@][\w@/.-]*)'/g),
  ]);
  const copied = readText('scripts/buildServer.mjs').matchAll(/'([\w./-]+)\/dist\/[^']+'/g);
  const names = [...imports, ...copied].map(([, name = '']) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  const { dependencies } = JSON.parse(readText('console/package.json'));
  expect([...new Set(names)].sort()).toEqual(Object.keys(dependencies).sort());
  const { packages } = JSON.parse(readText('package-lock.json'));
  for (const name of [...Object.keys(dependencies), 'better-sqlite3', 'fastify'])
    expect([name, packages[`node_modules/${name}`].dev]).toEqual([name, undefined]);
  for (const name of ['vitest', 'typescript', 'vitepress', 'azurite', 'knip', 'playwright-core'])
    expect([name, packages[`node_modules/${name}`].dev]).toEqual([name, true]);
});
