// SPDX-License-Identifier: Apache-2.0
// Installs the packages of package-lock.json: all of them for the tests, and for the demo what runs and what console/package.json
// names.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiler, installPrograms, missingOf } from './installPrograms.mjs';
import { lastLines, run, step } from './steps.mjs';

/** Measured on Linux x64 with an empty cache of npm. */
const sizes = {
  some: 'npm packages (about 140 MB to download, 370 MB on disk)',
  all: 'npm packages (about 372 MB to download, 1100 MB on disk)',
};
const lockFile = 'package-lock.json';
const installedLock = 'node_modules/.package-lock.json';
const stampFile = 'node_modules/.setup-stamp';

/** What was installed. A compiled package works with one platform and one version of Node's ABI. */
function stamp(which) {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return [which, lock, process.platform, process.arch, process.versions.modules].join(' ');
}
const sqliteWorks = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"]).status === 0;

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Packages that every platform needs. */
const required = (which) =>
  Object.entries(packagesOf(lockFile)).filter(
    ([folder, { dev, optional, devOptional }]) =>
      folder.startsWith('node_modules/') && !optional && !devOptional && (which === 'all' || !dev),
  );

/** Whether this script has installed them, or npm has, by hand. */
function areHere(which) {
  const stamped = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (stamped === stamp(which) || stamped === stamp('all')) return true;
  if (!existsSync(installedLock)) return false;
  const installed = packagesOf(installedLock);
  const isHere = ([folder, { version }]) => installed[folder] && installed[folder].version === version;
  if (!required(which).every(isHere) || !sqliteWorks()) return false;
  writeFileSync(stampFile, stamp(which));
  return true;
}

/**
 * What a command needs and node_modules lacks. Where all packages were installed before, all are installed again, so that a
 * demo does not remove those of the tests.
 * @param wanted `some` or `all`
 * @returns undefined if nothing is missing
 */
export function missingPackages(wanted) {
  if (areHere(wanted)) return undefined;
  const which = existsSync('node_modules/vitest') ? 'all' : wanted;
  return { which, text: sizes[which] };
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

/** @throws if the packages cannot be installed */
export async function installPackages(which) {
  const omit = which === 'all' ? '--include=dev' : '--omit=dev';
  const options = [omit, '--ignore-scripts=false', '--no-audit', '--no-fund'];
  const folders = required(which).map(([folder]) => join(folder, 'package.json'));
  const progress = () => {
    const count = folders.filter(existsSync).length;
    return count < folders.length ? `${count} of ${folders.length}` : 'running install scripts';
  };
  const install = (title, args) => {
    // npm does so too, but meanwhile the old packages would count.
    rmSync('node_modules', { recursive: true, force: true });
    return step(title, () => run('npm', [...args, ...options], { env: headers() }), progress);
  };
  let how = ['ci'];
  let result = await install('Installing packages from the npm registry', how);
  if (!result.ok && result.output.includes('in sync')) {
    // A lock file written where the registry lacks packages of other platforms is incomplete. Only `npm ci` rejects it.
    how = ['install', '--no-save'];
    result = await install('The lock file is incomplete; installing packages anyway', how);
  }
  // SQLite is an optional dependency: npm continues without it.
  if (!sqliteWorks() && missingOf([compiler]).length > 0) {
    console.log('There is no prebuilt SQLite for this platform; compiling it.');
    const { missing, reason } = await installPrograms([compiler]);
    if (missing.length === 0) result = await install('Installing packages, and compiling SQLite', how);
    else console.error(`${compiler} is missing and ${reason}.`);
  }
  if (!result.ok || !sqliteWorks()) {
    console.error(lastLines(result.output));
    throw new Error(
      'The packages could not be installed. SQLite comes as a prebuilt binary or is compiled: ' +
        'for that, install python3, make and g++ (Debian: apt-get install python3 make g++), then try again.',
    );
  }
  writeFileSync(stampFile, stamp(which));
}
