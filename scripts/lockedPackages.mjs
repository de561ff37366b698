// SPDX-License-Identifier: Apache-2.0
// Which packages of package-lock.json a command needs. To run the demo, `npm ci` would install either no development packages,
// so that nothing can be built, or all of them, which are five times as large.

/** The development packages that build the server, the console and the demo's page. */
export const buildPackages = [
  ...['vite', 'preact', 'wouter-preact', '@tanstack/preact-query', 'openapi-fetch', 'uplot', '@date-fns/tz'],
  ...['hls.js', 'shaka-player', 'markdown-it'],
];

/** Where Node finds a package that is required from a folder, such as `node_modules/a/node_modules/b`. */
function findFrom(folder, name, packages) {
  const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
  if (place in packages) return place;
  return folder === ''
    ? undefined
    : findFrom(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name, packages);
}

const requiredBy = ({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
];

const { glibcVersionRuntime } = process.report.getReport().header;
const libc = glibcVersionRuntime === undefined ? 'musl' : 'glibc';
const isIn = (allowed, here) => allowed === undefined || allowed.includes(here);
/** Optional packages name their platforms. */
const isForHere = (entry) =>
  isIn(entry.os, process.platform) && isIn(entry.cpu, process.arch) && isIn(entry.libc, libc);

/** The folders of packages with these names and of all that they need. @param isIncluded leaves out others with what they need */
export function foldersOf(names, { packages }, isIncluded = () => true) {
  const found = new Set();
  const add = (folder, required) => {
    for (const name of required) {
      const place = findFrom(folder, name, packages);
      if (place === undefined || found.has(place) || !isIncluded(packages[place])) continue;
      found.add(place);
      add(place, requiredBy(packages[place]));
    }
  };
  add('', names);
  return found;
}

/** The folders that npm installs on this machine for a lock file. */
export function foldersHere(lock) {
  const { dependencies, optionalDependencies, devDependencies } = lock.packages[''];
  return foldersOf(Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }), lock, isForHere);
}

/** @param installed the lock file that npm writes into node_modules @returns whether it has these folders, at their versions */
export const hasFolders = (folders, { packages }, installed) =>
  [...folders].every(
    (folder) => packages[folder].optional || installed.packages[folder]?.version === packages[folder].version,
  );

/** A manifest and a lock file with which `npm ci` installs only what runs and these development packages. */
export function reduceTo(names, manifest, lock) {
  const { name, version, allowScripts, optionalDependencies } = manifest;
  const chosen = names.map((each) => [each, manifest.devDependencies[each]]);
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(chosen) };
  const folders = foldersOf(Object.keys({ ...dependencies, ...optionalDependencies }), lock);
  const kept = [...folders].map((folder) => {
    const { dev: _, devOptional: __, ...entry } = lock.packages[folder];
    return [folder, entry];
  });
  const root = { name, version, dependencies, optionalDependencies };
  return {
    folders,
    manifest: { ...root, private: true, allowScripts },
    lock: { ...lock, packages: { '': root, ...Object.fromEntries(kept) } },
  };
}
