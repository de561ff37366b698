// SPDX-License-Identifier: Apache-2.0
// Runs axe on the current page and returns the serious and critical violations.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { readonly impact: string; readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** In both colour schemes, since contrast depends on them. @returns a line per violated rule, with the first element */
export async function axeViolations(page: Page): Promise<string[]> {
  const lines: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // As text, because the globals of the page are not those of the test.
    await page.evaluate(`${source}; undefined`);
    const { violations } = (await page.evaluate('axe.run(document, { iframes: false })')) as { violations: Found[] };
    for (const { impact, id, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical')
        lines.push(`${colorScheme} ${impact} ${id}: ${nodes[0]?.html}`);
    }
  }
  return lines;
}
