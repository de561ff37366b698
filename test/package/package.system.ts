// SPDX-License-Identifier: Apache-2.0
// The package of `npm pack`: it contains what it needs and nothing else, and runs outside of the repository.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { scratchFolder } from '../opened.ts';
import { linkProductionPackages } from './linkProductionPackages.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratchFolder();
const home = join(folder, 'installed');
const installed = join(home, 'node_modules/midroll');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// The run has built dist/ and console/dist already.
const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
const files: string[] = packed.files.map(({ path }: { path: string }) => path);
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1']);
  // Only what the package declares.
  linkProductionPackages(join(home, 'node_modules'));
});

const midroll = (args: string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, [join(installed, manifest.bin.midroll), ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Resolves with the output once it contains the text. */
async function printed(child: ReturnType<typeof midroll>, text: string): Promise<string> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (data) => {
      output += data;
    });
  await expect.poll(() => child.exitCode !== null || output.includes(text), { timeout: 300_000 }).toBe(true);
  expect(output).toContain(text);
  return output;
}

test('contains the programs, the console and the demo, and neither sources nor tests', () => {
  for (const file of ['dist/midroll.js', 'dist/main.js', 'dist/demo.js', 'dist/serve.js.map', 'dist/players/hls.js'])
    expect(files).toContain(file);
  for (const file of ['console/dist/index.html', 'demo/page/index.html', 'README.md', 'LICENSE', 'CHANGELOG.md'])
    expect(files).toContain(file);
  const folders = new Set(
    files.filter((path) => path.includes('/')).map((path) => path.split('/').slice(0, 2).join('/')),
  );
  expect([...folders].filter((path) => !path.startsWith('dist/')).sort()).toEqual([
    'console/dist',
    'demo/media',
    'demo/page',
    'deploy/nginx',
    'docs/tour.md',
    'examples/midroll-ads.js',
  ]);
  expect(files.filter((path) => /\.tsx?$|\.test\./.test(path))).toEqual([]);
});

test('imports only packages that it declares', () => {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const programs = readdirSync(join(installed, 'dist')).filter((name) => /\.m?js$/.test(name));
  const imported = programs.flatMap((name) =>
    [
      ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(
        /^\s*(?:import|export)\s[^'"]*["']([^."'][^"']*)["']/gm,
      ),
    ]
      .concat([...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(/\bimport\(["']([^."'][^"']*)["']\)/g)])
      .map(([, specifier]) =>
        specifier!
          .split('/')
          .slice(0, specifier!.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  const packages = new Set(imported.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)));
  expect(packages.size).toBeGreaterThan(5);
  expect([...packages].filter((name) => !declared.includes(name))).toEqual([]);
});

test('the program prints its help and exits with the code of the command', async () => {
  const help = midroll(['--help']);
  await printed(help, 'midroll keys create');
  if (help.exitCode === null) await once(help, 'exit');
  const failed = midroll(['keys', 'list', '--tenant', 'unknown'], { DATA_DIR: join(folder, 'empty') });
  await printed(failed, 'not found');
  if (failed.exitCode === null) await once(failed, 'exit');
  expect([help.exitCode, failed.exitCode]).toEqual([0, 1]);
});

test('midroll serve and midroll doctor run from the package', async () => {
  const env = { DATA_DIR: join(folder, 'data'), ADMIN_PORT: '0', LIVE_PORT: '0' };
  const server = midroll(['serve'], env);
  onTestFinished(() => void server.kill('SIGKILL'));
  const [, adminUrl] = /administration (\S+),/.exec(await printed(server, 'is listening'))!;
  const pages = await Promise.all(['/', '/docs', '/health'].map((path) => fetch(`${adminUrl}${path}`)));
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  const doctor = midroll(['doctor'], env);
  await printed(doctor, 'SQLite');
  if (doctor.exitCode === null) await once(doctor, 'exit');
  expect(doctor.exitCode).toBe(0);
  server.kill('SIGTERM');
  await once(server, 'exit');
  expect(server.exitCode).toBe(0);
});

test('midroll demo plays from the package and deletes its data', async () => {
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const demo = midroll(['demo'], { TMPDIR: temporary });
  // Not SIGKILL: Midroll is a process of its own that the demo ends.
  onTestFinished(() => void demo.kill('SIGTERM'));
  const output = await printed(demo, '  Log ');
  const [page] = /(?<=Page\s+)http:\S+/.exec(output)!;
  const { places } = (await (await fetch(`${page}tour.json`)).json()) as { places: Record<string, string> };
  for (const channel of ['HLS', 'Live channel']) expect(await untilPlaying(places[channel]!, 600)).toBe(true);
  for (const path of ['', 'tour', 'players/hls.js', 'players/shaka.js', 'examples/midroll-ads.js'])
    expect((await fetch(`${page}${path}`)).status).toBe(200);
  demo.kill('SIGINT');
  await once(demo, 'exit');
  expect(existsSync(temporary) && readdirSync(temporary)).toEqual([]);
});
