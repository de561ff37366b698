// SPDX-License-Identifier: Apache-2.0
// Links and images of the repository's Markdown, which work on GitHub, as they are on the site.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { markdownPages, pathOnSite, root } from './markdownPages.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Files that pages link to, and what they are called on the site. The build copies them. */
export const linkedFiles = new Map<string, string>();

const isExternal = (url: string): boolean => /^[a-z][a-z+.-]*:|^\/\//i.test(url);
const pathBelowRoot = (file: string): string => relative(root, file).split(sep).join('/');

/** @param page path of the page below the root @param base what the site's URLs start with */
function setLink(token: Token, page: string, base: string): void {
  const href = token.attrGet('href') ?? '';
  if (href.startsWith('#') || href.startsWith('/') || isExternal(href)) return;
  const [path = '', anchor] = decodeURI(href).split('#');
  const file = join(root, dirname(page), path);
  const named = pathBelowRoot(file);
  const index = join(named, 'README.md').split(sep).join('/');
  const target = [named, index].find((one) => one === 'site/reference.md' || markdownPages().includes(one));
  if (target !== undefined) {
    token.attrSet('href', `/${pathOnSite(target)}${anchor === undefined ? '' : `#${anchor}`}`);
  } else if (existsSync(file) && statSync(file).isFile()) {
    // Browsers show source as text only under such a name.
    const onSite = /\.(webp|png|jpg|svg|txt)$/.test(named) ? named : `${named}.txt`;
    linkedFiles.set(named, onSite);
    token.attrSet('href', `${base}${onSite}`);
    // The site's router would look for a page.
    token.attrSet('target', '_self');
  } else if (!named.endsWith('.md')) {
    // VitePress reports missing pages itself.
    throw new Error(`${page} links to "${href}", which is neither a page nor a file. Correct the link.`);
  }
}

/** A screenshot that exists in both themes becomes two images; the style sheet shows one of them. */
function inBothThemes(token: Token, page: string): Token[] {
  const light = token.attrGet('src') ?? '';
  if (!light.endsWith('.svg')) token.attrJoin('class', 'screenshot');
  const dark = light.replace('/light/', '/dark/');
  if (dark === light || !existsSync(join(root, dirname(page), dark))) return [token];
  const other: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token, {
    attrs: token.attrs?.map(([name, value]) => [name, value] as [string, string]),
  });
  other.attrSet('src', dark);
  token.attrJoin('class', 'in-light');
  other.attrJoin('class', 'in-dark');
  return [token, other];
}

export function repositoryLinks(md: MarkdownRenderer, base: string): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const page = pathBelowRoot(env.realPath ?? env.path);
    for (const token of tokens) {
      // Wide tables scroll, also with the keyboard.
      if (token.type === 'table_open') token.attrSet('tabindex', '0');
      if (token.type !== 'inline' || !token.children) continue;
      for (const child of token.children) if (child.type === 'link_open') setLink(child, page, base);
      token.children = token.children.flatMap((child) =>
        child.type === 'image' ? inBothThemes(child, page) : [child],
      );
    }
  });
  // Long names may wrap, so that a table leaves room for its other columns.
  const { code_inline } = md.renderer.rules;
  md.renderer.rules.code_inline = (...args) => (code_inline?.(...args) ?? '').replaceAll(/_(?=[A-Z])/g, '_<wbr>');
  // Vue would read {{ … }} in prose as an expression.
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...args) => (text?.(...args) ?? '').replaceAll('{{', '&#123;&#123;');
}

/** As GitHub does, so that links to headings work on both. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
