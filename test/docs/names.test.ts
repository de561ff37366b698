// SPDX-License-Identifier: Apache-2.0
// The scripts, tests, files and reports that the documentation names exist. Includes those that no test executes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markdownPages, readPage, root } from '../../site/markdownPages.ts';
import { reportDimensions } from '../../src/platform/reports/contract/reportValues.ts';

// The changelog names what earlier versions had.
const pages = markdownPages().filter((page) => page !== 'CHANGELOG.md');
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
const isBuilt = (path: string): boolean => /^(dist|console\/dist)\//.test(path);
const exists = (path: string): boolean => isBuilt(path) || existsSync(join(root, path));

const named = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

test.each(pages)('the scripts and files that commands of %s name exist', (page) => {
  const text = readPage(page);
  const missing = [
    ...named(text, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts)),
    ...named(text, /\bnpm (test|start)\b/g).filter((name) => !(name in scripts)),
    ...named(text, /\bvitest run ([\w./-]*\w)/g).filter((path) => !exists(path)),
    ...named(text, /\bnode (?:-\S+ )*([\w-]+\/[\w./-]+\.(?:mjs|js|ts))/g).filter((path) => !exists(path)),
    ...named(text, /\/reports\/([a-z][\w-]*)\?/g).filter((name) => !Object.hasOwn(reportDimensions, name)),
    ...named(text, /\breport \[`([\w-]+)`\]/g).filter((name) => !Object.hasOwn(reportDimensions, name)),
    ...named(text, /`((?:scripts|test|src|bench|demo|deploy|examples)\/[\w./-]+)`/g).filter((path) => !exists(path)),
  ];
  expect(missing, `${page} names what does not exist: correct the name.`).toEqual([]);
});
