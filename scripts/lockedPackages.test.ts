// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Not a constant name: it has no types.
const script = join(import.meta.dirname, 'lockedPackages.mjs');
const { buildPackages, foldersHere, foldersOf, hasFolders, reduceTo } = await import(script);

const root = join(import.meta.dirname, '..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const [manifest, lock] = ['package.json', 'package-lock.json'].map((path) => JSON.parse(readText(path)));

test('the packages that build are those that the console and the scripts of the build name', () => {
  const sources = [
    'console/runbooks.ts',
    'console/vite.config.ts',
    ...readdirSync(join(root, 'console/src'), { encoding: 'utf8', recursive: true })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `console/src/${path}`),
  ];
  const imported = sources
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) =>
      [...readText(path).matchAll(/(?:from|import)\s*\(?'([\w@][\w@/.-]*)'/g)].map(([, name]) => name!),
    );
  const copied = [...readText('scripts/buildServer.mjs').matchAll(/'([\w./-]+)\/dist\/[^']+'/g)].map(
    ([, name]) => name!,
  );
  const names = [...imported, ...copied].map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  expect([...new Set(names)].sort()).toEqual([...buildPackages].sort());
});

test('a reduced lock file has what runs and what builds, at the same versions, and is complete', () => {
  const reduced = reduceTo(buildPackages, manifest, lock);
  for (const name of ['better-sqlite3', 'fastify', 'vite', 'preact'])
    expect(reduced.folders).toContain(`node_modules/${name}`);
  for (const name of ['vitest', 'typescript', 'vitepress', 'azurite', 'knip', 'playwright-core'])
    expect(reduced.folders).not.toContain(`node_modules/${name}`);
  const { '': own, ...packages } = reduced.lock.packages;
  for (const [folder, entry] of Object.entries<{ version: string; integrity: string; dev?: boolean }>(packages)) {
    const { version, integrity } = lock.packages[folder];
    expect([folder, entry]).toMatchObject([folder, { version, integrity }]);
    expect(entry.dev).toBeUndefined();
  }
  expect(own.dependencies).toEqual(reduced.manifest.dependencies);
  expect(foldersOf(Object.keys({ ...own.dependencies, ...own.optionalDependencies }), reduced.lock)).toEqual(
    reduced.folders,
  );
  expect(foldersHere(reduced.lock).size).toBeLessThan(reduced.folders.size);
});

const small = {
  packages: {
    '': { dependencies: { a: '^1.0.0' } },
    'node_modules/a': {
      version: '1.0.0',
      dependencies: { b: '^2.0.0' },
      peerDependencies: { c: '*', d: '*' },
      peerDependenciesMeta: { d: { optional: true } },
    },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { e: '*' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', optionalDependencies: { f: '*', gone: '*' } },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/e': { version: '1.0.0', dependencies: { a: '*' } },
    'node_modules/f': { version: '1.0.0', optional: true, os: ['none'] },
  },
};

test('the folders of a package are those from which Node loads what it needs', () => {
  const folders = foldersOf(['a'], small);
  expect([...folders].sort()).toEqual(['a', 'a/node_modules/b', 'c', 'e', 'f'].map((name) => `node_modules/${name}`));
  expect([...folders].filter((folder) => !foldersHere(small).has(folder))).toEqual(['node_modules/f']);
});

test('packages are installed if npm has recorded each of them at its version', () => {
  const folders = foldersOf(['a'], small);
  const { 'node_modules/f': _, ...others } = small.packages;
  expect(hasFolders(folders, small, { packages: others })).toBe(true);
  expect(hasFolders(folders, small, { packages: { ...others, 'node_modules/e': { version: '1.0.1' } } })).toBe(false);
  const { 'node_modules/c': __, ...fewer } = others;
  expect(hasFolders(folders, small, { packages: fewer })).toBe(false);
});
