// axe on a page as it stands: what it finds serious or critical.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { readonly impact: string; readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** In both schemes: contrast is a matter of colours. @returns a line for each rule that is broken, with what breaks it first */
export async function seriousFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // As text: the page has other globals than the test, and runs nothing that it did not bring itself.
    await page.evaluate(`${source}; undefined`);
    const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as { violations: Found[] };
    for (const { impact, id, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical')
        faults.push(`${colorScheme} ${impact} ${id}: ${nodes[0]?.html}`);
    }
  }
  return faults;
}
