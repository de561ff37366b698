// SPDX-License-Identifier: Apache-2.0
// The order of the pages. A page without a place here fails the build, and so does a place without a page.
import type { DefaultTheme } from 'vitepress';
import { markdownPages, pathOnSite, readPage } from './markdownPages.ts';

type Group = {
  readonly title: string;
  /** A path that ends with `/` stands for the other pages of that folder, by name. */
  readonly pages: readonly string[];
};

/** Guides lead to a goal, reference lists what there is. */
const groups: readonly Group[] = [
  { title: 'Start', pages: ['README.md', 'docs/tour.md', 'docs/installing.md', 'docs/comparison.md'] },
  {
    title: 'Guides: channels and players',
    pages: [
      'docs/live.md',
      'docs/vod.md',
      'docs/linear/schedule.md',
      'docs/guided.md',
      'docs/distribution.md',
      'docs/ads.md',
      'docs/demand.md',
      'docs/demand/openrtb.md',
      'docs/demand/hooks.md',
      'docs/demand/leap.md',
      'docs/players.md',
      'docs/clients.md',
      'docs/console.md',
    ],
  },
  {
    title: 'Guides: deploying',
    pages: [
      'docs/deploy/containers.md',
      'docs/deploy/kubernetes.md',
      'docs/deploy/systemd.md',
      'docs/deploy/proxies.md',
    ],
  },
  {
    title: 'Guides: operating',
    pages: [
      'docs/operating.md',
      'docs/access.md',
      'docs/alerts.md',
      'docs/incidents.md',
      'docs/runbooks/overview.md',
      'docs/runbooks/',
      'docs/troubleshooting.md',
      'docs/backup.md',
      'docs/upgrading.md',
      'docs/scaling.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/settings.md',
      'docs/api.md',
      'site/reference.md',
      'docs/reports.md',
      'docs/tracking.md',
      'docs/markers.md',
      'docs/inside/subtitles.md',
      'docs/monitoring.md',
      'docs/audit.md',
      'docs/performance.md',
      'GLOSSARY.md',
    ],
  },
  { title: 'Inside', pages: ['docs/architecture.md', 'docs/inside/code-tour.md', 'docs/laws.md'] },
  {
    title: 'Project',
    pages: ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
  },
  { title: 'Decisions', pages: ['docs/decisions/'] },
];

const withoutMarkup = (text: string): string => text.replaceAll('`', '').trim();

/** The first heading of a page. */
export function titleOf(path: string): string {
  const [, title] = /^# (.+)$/m.exec(readPage(path)) ?? [];
  if (title === undefined) throw new Error(`${path} must start with a heading: "# …".`);
  return path === 'README.md' ? 'Overview' : withoutMarkup(title);
}

export function sidebar(): DefaultTheme.SidebarItem[] {
  const all = ['site/reference.md', ...markdownPages()];
  const named = new Set(groups.flatMap(({ pages }) => pages));
  const placed = new Set<string>();
  function filesOf(entry: string): string[] {
    const files = all.filter(
      (path) => path === entry || (entry.endsWith('/') && path.startsWith(entry) && !named.has(path)),
    );
    if (files.length === 0)
      throw new Error(`site/sidebar.ts lists ${entry}, which does not exist. Correct or remove it.`);
    return files;
  }
  const items = groups.map(({ title, pages }) => {
    const files = pages.flatMap(filesOf);
    for (const file of files) placed.add(file);
    return {
      text: title,
      items: files.map((file) => ({ text: titleOf(file), link: `/${pathOnSite(file).replace(/\.md$/, '')}` })),
    };
  });
  const missing = all.filter((path) => !placed.has(path));
  if (missing.length > 0) throw new Error(`Without a place in site/sidebar.ts: ${missing.join(', ')}. Add them there.`);
  return items;
}
