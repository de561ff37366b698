// SPDX-License-Identifier: Apache-2.0
// The documentation as a site: `npm run site` builds it into site/dist, `npm run site:dev` serves it while you write.
// BASE is the path below which it is served, `/` by default.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { frontPage } from '../frontPage.ts';
import { linkedFiles, repositoryLinks, slugOf } from '../links.ts';
import { markdownPages, pathOnSite, root } from '../markdownPages.ts';
import { sidebar } from '../sidebar.ts';

const base = `/${process.env.BASE ?? ''}/`.replace(/\/{2,}/g, '/');
const icon = 'console/src/components/icons/midroll.svg';
/** Folders with pages. What other folders contain is no part of the site. */
const folders = new Set(['docs', 'deploy', 'examples', 'site']);
const pages = ['site/index.md', 'site/reference.md', ...markdownPages()];
const { summary, command, features } = frontPage();

export default defineConfig({
  title: 'Midroll',
  description: summary,
  lang: 'en',
  base,
  srcDir: '..',
  outDir: 'dist',
  cacheDir: join(root, '.cache/site'),
  srcExclude: readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !folders.has(entry.name))
    .map(({ name }) => `${name}/**`),
  rewrites: Object.fromEntries(pages.map((path) => [path, pathOnSite(path)])),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}${icon}` }]],
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    image: { lazyLoading: true },
    config: (md) => repositoryLinks(md, base),
  },
  themeConfig: {
    logo: `/${icon}`,
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: sidebar(),
    nav: [
      { text: 'Tour', link: '/tour' },
      { text: 'Installing', link: '/installing' },
      { text: 'Live', link: '/live' },
      { text: 'API', link: '/api' },
      { text: 'Operating', link: '/operating' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
    footer: { message: 'Released under the Apache License 2.0.' },
  },
  vite: { publicDir: false },
  transformPageData(page) {
    if (page.relativePath !== 'index.md') return;
    page.frontmatter.hero.tagline = summary;
    page.frontmatter.command = command;
    page.frontmatter.cards = features;
  },
  buildEnd({ outDir }) {
    for (const [file, onSite] of [[icon, icon] as const, ...linkedFiles]) {
      cpSync(join(root, file), join(outDir, onSite));
    }
  },
});
