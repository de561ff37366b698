// SPDX-License-Identifier: Apache-2.0
// Pages have hash URLs with a path and a query, so that one file serves all of them below any path of a proxy. Leaving a
// page with unsaved changes needs a confirmation, with the buttons of the browser as well.
import { createStore } from '../stores/createStore.ts';
import { confirmLeave } from './unsavedChanges.ts';

/** The start page, for an address without a page. */
const START = '/overview';
const currentHash = (): string => {
  const address = location.hash.replace(/^#?\/?/, '/');
  return address === '/' ? START : address;
};
const pathOf = (address: string): string => address.replace(/\?.*/s, '');
const queryOf = (address: string): string => address.split('?')[1] ?? '';

/** The address of the page that is shown. */
const shown = createStore(currentHash());

addEventListener('hashchange', () => {
  if (currentHash() === shown.read()) return;
  if (confirmLeave()) shown.write(currentHash());
  // The browser has already gone to the new address; this returns to the address of the page.
  else history.pushState(null, '', `#${shown.read()}`);
});

type How = {
  readonly replace?: boolean;
  /** The page stays, with its unsaved changes. */
  readonly isWithin?: boolean;
};

function navigate(to: string, { replace = false, isWithin = false }: How = {}): void {
  if (to === shown.read() || (!isWithin && !confirmLeave())) return;
  if (replace) history.replaceState(null, '', `#${to}`);
  else history.pushState(null, '', `#${to}`);
  shown.write(to);
}

/** The location hook of the router. */
export const useHashPath = Object.assign((): [string, typeof navigate] => [shown.usePart(pathOf), navigate], {
  hrefs: (path: string): string => `#${path}`,
});

/** The search hook of the router. */
export const useHashQuery = (): string => shown.usePart(queryOf);
