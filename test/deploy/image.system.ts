// SPDX-License-Identifier: Apache-2.0
// The steps of the Dockerfile, without Docker: what .dockerignore leaves of the repository is built, what the last stage copies
// is started as its ENTRYPOINT and CMD say, and its HEALTHCHECK succeeds. Packages are linked in place of being installed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import { scratchFolder } from '../opened.ts';
import { linkProductionPackages } from '../package/linkProductionPackages.ts';
import { readText, root } from '../repositoryFiles.ts';
import { readDockerfile } from './containerFiles.ts';

const folder = scratchFolder();
const [context, app] = [join(folder, 'context'), join(folder, 'app')];

const instructions = readDockerfile();
const last = instructions.findLastIndex(({ name }) => name === 'FROM');
const [building, running] = [instructions.slice(0, last), instructions.slice(last)];
const textsOf = (part: typeof instructions, name: string) =>
  part.filter((each) => each.name === name).map(({ text }) => text);
/** The commands of the stage that builds, one by one. */
const commands = textsOf(building, 'RUN').flatMap((text) => text.split(' && '));

const rules = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Docker's patterns match a path or a folder above it; the last one that matches decides. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll('.', '\\.')
      .replaceAll('**/', '§')
      .replaceAll('*', '[^/]*')
      .replaceAll('§', '(?:.*/)?')}(?:/|$)`,
  ).test(path);
function isInContext(path: string): boolean {
  const rule = rules.findLast((each) => matches(each.replace(/^!/, ''), path));
  return rule === undefined || rule.startsWith('!');
}

/** Runs a command of the Dockerfile in the context. */
const execute = (command: string) => execFileSync('sh', ['-ec', command], { cwd: context, stdio: 'pipe' });

beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
  for (const path of files.filter(isInContext)) cpSync(join(root, path), join(context, path));
  symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'));
  for (const command of commands.filter((each) => /^(?:npm run|rm -rf dist)/.test(each))) execute(command);
  for (const text of textsOf(running, 'COPY')) {
    const [from, ...paths] = text.split(' ').filter((word) => !word.startsWith('--'));
    const to = paths.pop() ?? '';
    for (const path of [from, ...paths].map((each = '') => each.replace(/^\/app\//, ''))) {
      if (path === 'node_modules') linkProductionPackages(join(app, path));
      else
        cpSync(join(context, path), join(app, to, to.endsWith('/') ? path.split('/').at(-1)! : ''), {
          recursive: true,
        });
    }
  }
});

test('builds from its context, and contains neither the demo nor source maps', () => {
  expect(commands).toEqual(expect.arrayContaining(['npm run build', expect.stringMatching(/^rm -rf dist/)]));
  for (const path of ['dist/midroll.js', 'console/dist/index.html', 'package.json', 'LICENSE', 'isHealthy.mjs'])
    expect(existsSync(join(app, path)), path).toBe(true);
  for (const path of ['dist/demo.js', 'dist/players', 'dist/main.js.map', 'src', 'demo'])
    expect(existsSync(join(app, path)), path).toBe(false);
});

test('starts as its ENTRYPOINT says, and is healthy until SIGTERM', async () => {
  const inApp = (word: string) => word.replace(/^\/app\//, `${app}/`);
  const wordsOf = (name: string): string[] =>
    textsOf(running, name)
      .flatMap((text) => JSON.parse(text.slice(text.indexOf('['))) as string[])
      .map(inApp);
  const variables = textsOf(running, 'ENV').flatMap((text) => text.split(' ').map((each) => each.split(/=(.*)/s)));
  const [ADMIN_PORT, LIVE_PORT] = [`${await findFreePort(21_000)}`, `${await findFreePort(22_000)}`];
  const own = { ADMIN_PORT, LIVE_PORT, HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') };
  const env = { PATH: process.env.PATH, ...Object.fromEntries(variables), ...own };
  const [program = '', ...args] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')];
  const server = spawn(program, args, { cwd: app, env, stdio: 'ignore' });
  const [check = '', ...checked] = wordsOf('HEALTHCHECK');
  const health = () => {
    const child = spawn(check, checked, { cwd: app, env, stdio: 'ignore' });
    return once(child, 'exit').then(([code]) => code);
  };
  try {
    await expect.poll(async () => (server.exitCode === null ? health() : 'ended')).toBe(0);
  } finally {
    server.kill('SIGTERM');
  }
  await once(server, 'exit');
  expect([server.exitCode, await health()]).toEqual([0, 1]);
});
