// SPDX-License-Identifier: Apache-2.0
// Installs the packages of package-lock.json: all of them for the tests, and for the demo only what it runs and is built with.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiler, installPrograms, missingOf } from './installPrograms.mjs';
import { buildPackages, foldersHere, hasFolders, reduceTo } from './lockedPackages.mjs';
import { putInPlace } from './putInPlace.mjs';
import { lastLines, run, step } from './steps.mjs';

/** Measured on Linux x64 with an empty cache of npm. */
const megabytes = { some: { download: 116, disk: 330 }, all: { download: 372, disk: 1014 } };
const installedLock = 'node_modules/.package-lock.json';
const stampFile = 'node_modules/.setup-stamp';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** What was installed. A compiled package works with one platform and one version of Node's ABI. */
function stamp(which) {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  return [which, lock, process.platform, process.arch, process.versions.modules].join(' ');
}
const sqliteWorks = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"]).status === 0;

/** Whether this script has installed them, or npm has, by hand. */
function areHere(which, folders, lock) {
  const stamped = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (stamped === stamp(which) || stamped === stamp('all')) return true;
  if (!existsSync(installedLock) || !hasFolders(folders, lock, readJson(installedLock)) || !sqliteWorks()) return false;
  writeFileSync(stampFile, stamp(which));
  return true;
}

/**
 * What a command needs and node_modules lacks. Where all packages were installed before, all are installed again, so that a
 * demo does not remove those of the tests.
 * @param which `some` or `all`
 * @returns undefined if nothing is missing
 */
export function missingPackages(which) {
  const lock = readJson('package-lock.json');
  const reduced = reduceTo(buildPackages, readJson('package.json'), lock);
  const all = Object.keys(lock.packages).filter((folder) => folder !== '');
  const needed = which === 'all' ? new Set(all) : reduced.folders;
  if (areHere(which, needed, lock)) return undefined;
  const isWhole = which === 'all' || existsSync('node_modules/vitest');
  const { download, disk } = megabytes[isWhole ? 'all' : 'some'];
  const folders = [...foldersHere(isWhole ? lock : reduced.lock)];
  const text = `${folders.length} npm packages (about ${download} MB to download, ${disk} MB on disk)`;
  return { text, folders, ...(isWhole ? {} : { reduced }) };
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

/** In a folder of its own, so that package.json and package-lock.json stay as they are. */
async function ciReduced(args, { manifest, lock }) {
  const folder = `dist-packages-${process.pid}`;
  mkdirSync(folder);
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const result = await run('npm', args, { env: headers(), cwd: folder });
    if (result.ok) putInPlace(join(folder, 'node_modules'), 'node_modules');
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @throws if the packages cannot be installed */
export async function installPackages({ folders, reduced }) {
  const options = ['--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund'];
  const place = reduced === undefined ? '.' : `dist-packages-${process.pid}`;
  const progress = () => {
    const count = folders.filter((folder) => existsSync(join(place, folder, 'package.json'))).length;
    return count < folders.length ? `${count} of ${folders.length}` : 'compiling';
  };
  const install = (title, args) =>
    step(
      title,
      () =>
        reduced ? ciReduced([...args, ...options], reduced) : run('npm', [...args, ...options], { env: headers() }),
      progress,
    );
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
  writeFileSync(stampFile, stamp(reduced === undefined ? 'all' : 'some'));
}
