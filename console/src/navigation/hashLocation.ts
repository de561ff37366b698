// SPDX-License-Identifier: Apache-2.0
// Pages have hash URLs with a path and a query, so that one file serves all of them below any path of a proxy. Leaving a
// page with unsaved changes needs a confirmation, with the buttons of the browser as well.
import { useEffect, useState } from 'preact/hooks';
import { confirmLeave } from './unsavedChanges.ts';

/** The start page, for an address without a page. */
const START = '/overview';
const currentHash = (): string => (location.hash === '' ? START : location.hash.replace(/^#?\/?/, '/'));
const pathOf = (address: string): string => address.replace(/\?.*/s, '');
const queryOf = (address: string): string => address.split('?')[1] ?? '';

/** The address of the page that is shown. */
let shown = currentHash();
const listeners = new Set<() => void>();

function show(address: string): void {
  shown = address;
  for (const listener of listeners) listener();
}

addEventListener('hashchange', () => {
  if (currentHash() === shown) return;
  if (confirmLeave()) show(currentHash());
  // The browser has already gone to the new address; this returns to the address of the page.
  else history.pushState(null, '', `#${shown}`);
});

function useAddress(part: (address: string) => string): string {
  const [value, setValue] = useState(() => part(shown));
  useEffect(() => {
    const update = () => setValue(part(shown));
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, [part]);
  return value;
}

function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === shown || !confirmLeave()) return;
  if (replace) history.replaceState(null, '', `#${to}`);
  else history.pushState(null, '', `#${to}`);
  show(to);
}

/** The location hook of the router. */
export const useHashPath = Object.assign((): [string, typeof navigate] => [useAddress(pathOf), navigate], {
  hrefs: (path: string): string => `#${path}`,
});

/** The search hook of the router. */
export const useHashQuery = (): string => useAddress(queryOf);
