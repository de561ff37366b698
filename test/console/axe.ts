// axe on a page as it stands: what it finds serious or critical.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { readonly impact: string; readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** @returns a line for each rule that is broken, with what breaks it first */
export async function seriousFaults(page: Page): Promise<string[]> {
  // As text: the page has other globals than the test, and runs nothing that it did not bring itself.
  await page.evaluate(`${source}; undefined`);
  const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as { violations: Found[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ impact, id, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`);
}
