// What the console says, found by its place on the page and by the names and numbers in it: its words are free.
import type { Locator, Page } from 'playwright-core';

const containing = (found: Locator, names: readonly (string | RegExp)[]): Locator =>
  names.reduce<Locator>((one, name) => one.filter({ hasText: name }), found);

export const saved = (page: Page): Locator => page.locator('.notice.good');
export const failed = (place: Page | Locator): Locator => place.locator('.notice.bad').first();
/** Somebody else has changed what was to be saved: their version is offered. */
export const changedByOthers = (page: Page): Locator =>
  page.locator('.notice.warn', { has: page.getByRole('button', { name: 'Show their version' }) });
/** A line of what saving will change. */
export const change = (page: Page, ...names: (string | RegExp)[]): Locator =>
  containing(page.locator('.changes li'), names);
/** What is wrong with a field, beside it. */
export const wrong = (page: Page, label: string, ...names: string[]): Locator =>
  containing(page.locator('.field.wrong', { has: page.getByLabel(label) }).locator('.error'), names);
/** An installation without a channel: the next of its steps. */
export const nextStep = (page: Page): Locator => page.locator('.steps .current');
/** Why an ad of a session was not shown. */
export const whyNot = (page: Page, ...names: string[]): Locator =>
  containing(page.locator('.ads .skipped .why'), names).first();
