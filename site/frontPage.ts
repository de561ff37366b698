// SPDX-License-Identifier: Apache-2.0
// The front page, from the README: its first paragraph, its list of features and its first command.
import { pathOnSite, readPage } from './markdownPages.ts';

export type FrontPage = {
  readonly summary: string;
  readonly command: string;
  readonly features: readonly { title: string; details: string; link?: string; linkText?: string }[];
};

const joined = (text: string): string => text.replace(/\s+/g, ' ').trim();
const plain = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/[`*]/g, '');

/** A sentence that only refers to a page becomes the link of the feature. */
function feature(item: string) {
  const [, title = '', text = ''] = /^- \*\*(.+?)\.?\*\*\s*(.*)$/.exec(joined(item)) ?? [];
  const [, page] = /\]\(([\w./-]+\.md)/.exec(text) ?? [];
  const details = plain(text.replace(/\s*[^.]*\[[\w/]+\.md\]\([^)]+\)\.$/, ''));
  const link = page === undefined ? {} : { link: `/${pathOnSite(page).replace(/\.md$/, '')}`, linkText: 'Read more' };
  return { title, details, ...link };
}

/** @throws when the README no longer has these parts */
export function frontPage(): FrontPage {
  const readme = readPage('README.md');
  const [, summary] = /^# .+\n\n([\s\S]+?)\n\n/.exec(readme) ?? [];
  const [, command] = /^```sh.*\n(.+?)(?:\s+#.*)?$/m.exec(readme) ?? [];
  const introduction = readme.slice(0, readme.indexOf('\n## '));
  const features = (introduction.match(/^- \*\*[\s\S]+?(?=\n- |\n\n)/gm) ?? []).map(feature);
  if (summary === undefined || command === undefined || features.length === 0) {
    throw new Error(
      'site/frontPage.ts expects in README.md: a paragraph, a list of "- **Feature.** …" and a command. Adapt one of them.',
    );
  }
  return { summary: joined(plain(summary)), command, features };
}
