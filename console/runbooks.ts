// SPDX-License-Identifier: Apache-2.0
// Builds docs/runbooks into pages of the console: they open from an alert, are those of the installed version, and need no
// connection to anything else.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import markdownIt from 'markdown-it';
import type { Plugin } from 'vite';

const folder = join(import.meta.dirname, '../docs/runbooks');

const style = `/* SPDX-License-Identifier: Apache-2.0 */
:root { color-scheme: light dark; }
body { max-width: 50rem; margin: 1rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { padding: 0.75rem; overflow-x: auto; border: 1px solid; border-radius: 0.4rem; }
table { border-collapse: collapse; }
td, th { padding: 0.4rem 0.6rem; border: 1px solid; text-align: left; vertical-align: top; }
`;

/** Only runbooks are pages here: links to other documentation become their text. */
function withOwnLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (link, text: string, target: string) => {
    if (/^https?:/.test(target)) return link;
    const own = /^([\w-]+)\.md(#.*)?$/.exec(target);
    return own === null ? text : `[${text}](${own[1]}.html${own[2] ?? ''})`;
  });
}

export function runbooks(): Plugin {
  return {
    name: 'runbooks',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'runbooks/style.css', source: style });
      const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
      for (const page of pages) {
        const markdown = readFileSync(join(folder, page), 'utf8');
        const [, title = page] = /^# (.+)$/m.exec(markdown) ?? [];
        const body = markdownIt().render(withOwnLinks(markdown));
        const source = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="style.css">
<main>
${body}</main>
</html>
`;
        this.emitFile({ type: 'asset', fileName: `runbooks/${page.replace(/\.md$/, '.html')}`, source });
      }
    },
  };
}
