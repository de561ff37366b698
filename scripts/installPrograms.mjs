// SPDX-License-Identifier: Apache-2.0
// Programs that a command needs, and how to install them: on Debian and Ubuntu, with apt-get.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lastLines, run, step } from './steps.mjs';

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
export const compiler = 'a C++ compiler, make and Python';

export const missingOf = (names) => names.filter((name) => !programs[name].isHere());

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

const MB = 1_000_000;

/** @param uris what `apt-get install --print-uris` prints: a line for each file, `'http://…' name bytes hash` */
export function downloadsOf(uris) {
  const sizes = [...uris.matchAll(/^'[^']+' \S+ (\d+)/gm)].map(([, bytes]) => Number(bytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return `${sizes.length} Debian packages, ${Math.ceil(bytes / MB)} MB to download`;
}

/** @param status a line of `APT::Status-Fd`: `dlstatus` is the download, `pmstatus` what follows @returns undefined for others */
export function progressOf(status) {
  const [, kind, percent] = /^(dl|pm)status:[^:]*:([\d.]+):/m.exec(status) ?? [];
  if (kind === undefined) return undefined;
  return `${kind === 'dl' ? 'downloaded' : 'installed'} ${Math.round(Number(percent))} %`;
}

async function installDebian(missing, prefix) {
  const [command, ...start] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q'];
  const options = ['-o', 'DPkg::Lock::Timeout=300'];
  const update = await step('Reading the lists of Debian packages', () =>
    run(command, [...start, ...options, 'update']),
  );
  const packages = missing.flatMap((name) => packagesOf(programs[name]));
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  const { output: uris } = await run(command, [...start, ...options, '--print-uris', ...install]);
  let done;
  const onText = (text) => {
    done = text.split('\n').map(progressOf).filter(Boolean).at(-1) ?? done;
  };
  const title = `Installing ${missing.join(', ')} with apt-get (${downloadsOf(uris)})`;
  const work = () => run(command, [...start, ...options, '-o', 'APT::Status-Fd=1', ...install], { onText });
  const result = await step(title, work, () => done);
  if (!result.ok) console.error(lastLines(update.ok ? result.output : update.output + result.output));
  for (const { afterwards = [] } of missing.map((name) => programs[name])) {
    const [program, ...args] = [...prefix, ...afterwards];
    if (afterwards.length > 0 && onPath(afterwards[0])) await run(program, args);
  }
}

/** Installs those programs that are missing. @returns the names of those still missing, with the reason */
export async function installPrograms(names) {
  const missing = missingOf(names);
  if (missing.length === 0) return { missing };
  const apt = aptGet();
  if (apt.reason) return { missing, reason: apt.reason };
  await installDebian(missing, apt.prefix);
  return { missing: missingOf(missing), reason: 'apt-get could not install it' };
}
