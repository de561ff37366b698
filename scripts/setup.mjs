// SPDX-License-Identifier: Apache-2.0
// Installs what a command of this project needs: `node scripts/setup.mjs demo|test`. Plain Node without packages, so that it
// runs on a fresh clone. Prints nothing when nothing is missing.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole, isConsoleFresh } from './buildConsole.mjs';
import { buildServer, isServerFresh } from './buildServer.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
const onPath = (name) => folders.some((folder) => isExecutable(join(folder, name)));

/** Debian keeps PostgreSQL's server programs off the PATH. */
function hasPostgres() {
  const versions = '/usr/lib/postgresql';
  if (onPath('initdb')) return true;
  return existsSync(versions) && readdirSync(versions).some((v) => isExecutable(join(versions, v, 'bin/initdb')));
}

const programs = {
  ffmpeg: { packages: ['ffmpeg'], isHere: () => onPath('ffmpeg') && onPath('ffprobe') },
  Chromium: {
    // The headless shell is the same browser without windows, which cost as much as the page.
    packages: ['chromium-headless-shell'],
    instead: ['chromium'],
    isHere: () =>
      Boolean(process.env.CHROMIUM_PATH) ||
      ['chromium-headless-shell', 'chromium', 'chromium-browser'].some((name) => onPath(name)),
  },
  PostgreSQL: { packages: ['postgresql'], isHere: hasPostgres },
  curl: { packages: ['curl'], isHere: () => onPath('curl') },
  openssl: { packages: ['openssl'], isHere: () => onPath('openssl') },
  xmllint: { packages: ['libxml2-utils'], isHere: () => onPath('xmllint') },
  nginx: {
    packages: ['nginx'],
    // Debian keeps it off the PATH of users.
    isHere: () => onPath('nginx') || isExecutable('/usr/sbin/nginx'),
    // The package starts a server on port 80, which the tests do not need.
    afterwards: ['systemctl', 'disable', '--now', 'nginx'],
  },
  Redis: {
    packages: ['redis-server'],
    isHere: () =>
      ['redis', 'valkey'].some((name) => ['server', 'cli'].every((program) => onPath(`${name}-${program}`))),
    // The package starts a server on port 6379, which the tests do not need.
    afterwards: ['systemctl', 'disable', '--now', 'redis-server'],
  },
  'a C++ compiler, make and Python': {
    packages: ['g++', 'make', 'python3'],
    isHere: () => ['g++', 'make', 'python3'].every(onPath),
  },
};
const compiler = 'a C++ compiler, make and Python';
const needed = {
  demo: ['ffmpeg'],
  'demo-cluster': ['ffmpeg', 'PostgreSQL', 'Redis', 'nginx'],
  test: ['ffmpeg', 'Chromium', 'PostgreSQL', 'curl', 'openssl', 'xmllint', 'nginx', 'Redis'],
};

/** Runs a command and prints a dot every five seconds; prints its output only on failure. */
function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    const dots = setInterval(() => process.stdout.write('.'), 5000);
    child.stdout.on('data', (data) => output.push(data));
    child.stderr.on('data', (data) => output.push(data));
    const end = (ok, text) => {
      clearInterval(dots);
      resolve({ ok, output: text });
    };
    child.on('error', (error) => end(false, error.message));
    child.on('close', (code) => end(code === 0, Buffer.concat(output).toString()));
  });
}

async function step(title, work) {
  process.stdout.write(`${title} …`);
  const from = Date.now();
  const result = await work();
  console.log(result.ok ? ` done in ${Math.round((Date.now() - from) / 1000)} s` : ' failed');
  return result;
}
const lastLines = (text) => text.trim().split('\n').slice(-15).join('\n');

/** How to run apt-get here, or why that is impossible. */
function aptGet() {
  if (!onPath('apt-get')) return { reason: 'this system has no apt-get' };
  if (process.getuid?.() === 0) return { prefix: [] };
  if (onPath('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0) return { prefix: ['sudo', '-n'] };
  return { reason: 'installing it needs root, or sudo without a password' };
}

/** Not every Debian release has every package. */
const packagesOf = ({ packages, instead }) =>
  instead !== undefined && spawnSync('apt-cache', ['show', ...packages]).status !== 0 ? instead : packages;

/** Installs those programs that are missing. @returns the names of those still missing, with the reason */
async function installPrograms(names) {
  const missing = names.filter((name) => !programs[name].isHere());
  if (missing.length === 0) return { missing };
  const apt = aptGet();
  if (apt.reason) return { missing, reason: apt.reason };
  const [command, ...start] = [...apt.prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q'];
  const options = ['-o', 'DPkg::Lock::Timeout=300'];
  const result = await step(`Installing ${missing.join(', ')} (Debian packages)`, async () => {
    const update = await run(command, [...start, ...options, 'update']);
    const packages = missing.flatMap((name) => packagesOf(programs[name]));
    const install = await run(command, [...start, ...options, 'install', '-y', '--no-install-recommends', ...packages]);
    for (const { afterwards = [] } of missing.map((name) => programs[name])) {
      const [program, ...args] = [...apt.prefix, ...afterwards];
      if (afterwards.length > 0 && onPath(afterwards[0])) await run(program, args);
    }
    return { ok: install.ok, output: update.ok ? install.output : update.output + install.output };
  });
  if (!result.ok) console.error(lastLines(result.output));
  return { missing: missing.filter((name) => !programs[name].isHere()), reason: 'apt-get could not install it' };
}

const lockFile = 'package-lock.json';
const stampFile = 'node_modules/.setup-stamp';
/** A compiled package works with one platform and one version of Node's ABI. */
const stamp = () =>
  [
    createHash('sha256').update(readFileSync(lockFile)).digest('hex'),
    process.platform,
    process.arch,
    process.versions.modules,
  ].join(' ');

const sqliteWorks = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"]).status === 0;

/** True also after a manual `npm install` since the lock file last changed. */
function packagesAreHere() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()) return true;
  const written = 'node_modules/.package-lock.json';
  if (!existsSync(written) || statSync(written).mtimeMs < statSync(lockFile).mtimeMs || !sqliteWorks()) return false;
  writeFileSync(stampFile, stamp());
  return true;
}

/** Node's headers, if they are installed with this Node: compiling then needs no download. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  const header = join(prefix, 'include/node/node_version.h');
  if (!existsSync(header)) return {};
  const text = readFileSync(header, 'utf8');
  const number = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(text)?.[1];
  const version = [number('MAJOR'), number('MINOR'), number('PATCH')].join('.');
  return version === process.versions.node ? { npm_config_nodedir: prefix } : {};
}

async function installPackages() {
  if (packagesAreHere()) return;
  const install = (title, args) =>
    step(title, () =>
      run('npm', [...args, '--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund'], headers()),
    );
  let how = ['ci'];
  let result = await install('Installing packages from the npm registry', how);
  if (!result.ok && result.output.includes('in sync')) {
    // A lock file written where the registry lacks packages of other platforms is incomplete. Only `npm ci` rejects it.
    how = ['install', '--no-save'];
    result = await install('The lock file is incomplete; installing packages anyway', how);
  }
  // SQLite is an optional dependency: npm continues without it.
  if (!sqliteWorks() && !programs[compiler].isHere()) {
    console.log('There is no prebuilt SQLite for this platform; compiling it.');
    const { reason } = await installPrograms([compiler]);
    if (programs[compiler].isHere()) result = await install('Installing packages, and compiling SQLite', how);
    else console.error(`${compiler} is missing and ${reason}.`);
  }
  if (!result.ok || !sqliteWorks()) {
    console.error(lastLines(result.output));
    throw new Error(
      'The packages could not be installed. SQLite comes as a prebuilt binary or is compiled: ' +
        'for that, install python3, make and g++ (Debian: apt-get install python3 make g++), then try again.',
    );
  }
  writeFileSync(stampFile, stamp());
}

function lossOf(command, name) {
  if (command === 'test') return 'the tests that use it will fail';
  return name === 'ffmpeg' ? 'the demo uses ads that are already packaged' : 'the demo runs without --cluster only';
}

async function setUp(command) {
  if (!needed[command])
    throw new Error(`Usage: node scripts/setup.mjs ${Object.keys(needed).join('|')}; got "${command}".`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Midroll requires Node 20.19 or newer; this is ${process.versions.node}.`);
  }
  const { missing, reason } = await installPrograms(needed[command]);
  for (const name of missing) {
    console.error(`${name} is missing and ${reason}: ${lossOf(command, name)}.`);
  }
  await installPackages();
  if (!isServerFresh()) await buildServer();
  if (isConsoleFresh()) return;
  const { ok, output } = await step('Building the console', async () => buildConsole());
  if (!ok) console.error(`${lastLines(output)}\nThe console could not be built; Midroll runs without it.`);
}

try {
  await setUp(process.argv[2]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
