// SPDX-License-Identifier: Apache-2.0
// The Markdown files of the repository. They are the pages of the site.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const root = join(import.meta.dirname, '..');
const folders = ['docs', 'deploy', 'examples'];

const isMarkdown = (name: string): boolean => name.endsWith('.md');
const isOutput = (path: string): boolean => /(^|\/)(node_modules|dist)\//.test(path);

/** Paths below the root, with `/`, sorted. */
export function markdownPages(): string[] {
  const below = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    );
  const paths = [...readdirSync(root), ...below].map((path) => path.split(sep).join('/'));
  return paths.filter((path) => isMarkdown(path) && !isOutput(path)).sort();
}

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** `docs/api.md` → `api.md`, `README.md` → `overview.md`: what the file is called on the site. */
export function pathOnSite(path: string): string {
  if (path === 'README.md') return 'overview.md';
  if (path.startsWith('site/')) return path.slice('site/'.length);
  return path
    .toLowerCase()
    .replace(/^docs\//, '')
    .replace(/\/readme\.md$/, '.md');
}
