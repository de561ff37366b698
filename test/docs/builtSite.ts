// SPDX-License-Identifier: Apache-2.0
// Builds the documentation site into a folder, and finds what its pages link to.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../site/markdownPages.ts';

export type BuiltSite = {
  /** Paths of the HTML files below the folder. */
  readonly pages: readonly string[];
  html(page: string): string;
  /** Links that lead nowhere: `page → href`. */
  deadLinks(): string[];
};

const run = promisify(execFile);
const hrefs = (html: string): string[] => [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href!);
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('&amp;', '&'));

/** @param base path below which the site is served, such as `/handbook/` */
export async function buildSite(folder: string, base: string): Promise<BuiltSite> {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  const env = { ...process.env, BASE: base, NODE_ENV: 'production' };
  await run(process.execPath, [vitepress, 'build', 'site', '--outDir', folder], { cwd: root, env });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((path) => path.endsWith('.html') && path !== '404.html');
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const idsOf = new Map([...texts].map(([page, html]) => [page, new Set(html.match(/(?<= id=")[^"]+/g))]));

  function isDead(href: string, page: string): boolean {
    if (/^(https?|mailto):/.test(href)) return false;
    const [path = '', anchor] = decoded(href).split('#');
    if (path !== '' && !path.startsWith(base)) return true;
    const target = path === '' ? page : path.slice(base.length) || 'index.html';
    if (!existsSync(join(folder, target))) return true;
    return anchor !== undefined && anchor !== '' && !idsOf.get(target)?.has(anchor);
  }
  return {
    pages,
    html: (page) => texts.get(page) ?? '',
    deadLinks: () =>
      [...texts].flatMap(([page, html]) =>
        hrefs(html)
          .filter((href) => isDead(href, page))
          .map((href) => `${page} → ${href}`),
      ),
  };
}
