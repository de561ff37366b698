// SPDX-License-Identifier: Apache-2.0
// The steps of a user at the provider of startOpenIdProvider.
import type { Page } from 'playwright-core';

/** Fills in the pages of the provider, starting at its sign-in page. */
export async function signInAt(page: Page, issuer: string, user: string): Promise<void> {
  await page.waitForURL(`${issuer}/**`);
  await page.locator('input[name=login]').fill(user);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  const consent = page.getByRole('button', { name: 'Continue' });
  await consent.click();
}

/** Confirms that the user signs out at the provider, too. */
export const confirmSignOut = (page: Page): Promise<void> => page.locator('button[name=logout]').click();
