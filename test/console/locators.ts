// SPDX-License-Identifier: Apache-2.0
// Locators for texts of the console, by their place on the page and the names and numbers in them, whatever the wording.
import type { Locator, Page } from 'playwright-core';

const containing = (found: Locator, names: readonly (string | RegExp)[]): Locator =>
  names.reduce<Locator>((one, name) => one.filter({ hasText: name }), found);

export const savedNotice = (page: Page): Locator => page.locator('.notice.good');
export const errorNotice = (place: Page | Locator): Locator => place.locator('.notice.bad').first();
/** The notice that someone else has changed the record, which offers their version. */
export const conflictNotice = (page: Page): Locator =>
  page.locator('.notice.warn', { has: page.getByRole('button', { name: 'Load latest version' }) });
/** A line of the unsaved changes. */
export const unsavedChange = (page: Page, ...names: (string | RegExp)[]): Locator =>
  containing(page.locator('.changes li'), names);
/** The error at a field. */
export const fieldError = (page: Page, label: string, ...names: string[]): Locator =>
  containing(page.locator('.field.invalid', { has: page.getByLabel(label) }).locator('.error'), names);
/** The current step on the page of an installation without channels. */
export const currentStep = (page: Page): Locator => page.locator('.steps .current');
/** Why an ad of a session was skipped. */
export const skipReason = (page: Page, ...names: string[]): Locator =>
  containing(page.locator('.ads .skipped .reason'), names).first();

/** Picks a record in a field that searches for it: the best match of a text. */
export async function pick(field: Locator, text: string, name = text): Promise<void> {
  await field.fill(text);
  await field.page().locator('[role=option]', { hasText: name }).first().click();
}

/** What a screen reader reads after the name of a control. */
export async function descriptionOf(control: Locator): Promise<string | null> {
  const id = await control.getAttribute('aria-describedby');
  return id === null ? null : control.page().locator(`[id="${id}"]`).textContent();
}
