// Addresses of pages are hashes, path and query together: one file serves them all, below whatever path a proxy puts it.
// Nobody is led away from what is not saved without being asked, not by the browser's own buttons either.
import { useEffect, useState } from 'preact/hooks';
import { mayLeave } from './unsaved.ts';

const here = (): string => location.hash.replace(/^#?\/?/, '/');
const pathOf = (address: string): string => address.split('?')[0]!;
const queryOf = (address: string): string => address.split('?')[1] ?? '';

/** The address whose page is shown. */
let shown = here();
const listeners = new Set<() => void>();

function show(address: string): void {
  shown = address;
  for (const listener of listeners) listener();
}

addEventListener('hashchange', () => {
  if (here() === shown) return;
  if (mayLeave()) show(here());
  // The browser is there already; its way back begins where the page still is.
  else history.pushState(null, '', `#${shown}`);
});

function useAddress(part: (address: string) => string): string {
  const [value, setValue] = useState(() => part(shown));
  useEffect(() => {
    const read = () => setValue(part(shown));
    read();
    listeners.add(read);
    return () => void listeners.delete(read);
  }, [part]);
  return value;
}

function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === shown || !mayLeave()) return;
  if (replace) history.replaceState(null, '', `#${to}`);
  else history.pushState(null, '', `#${to}`);
  show(to);
}

/** What the router asks for the path. */
export const useHashPath = Object.assign((): [string, typeof go] => [useAddress(pathOf), go], {
  hrefs: (path: string): string => `#${path}`,
});

/** What the router asks for the query. */
export const useHashQuery = (): string => useAddress(queryOf);
