// Addresses of pages are hashes, path and query together: one file serves them all, below whatever path a proxy puts it.
import { useEffect, useState } from 'preact/hooks';

const here = (): string => location.hash.replace(/^#?\/?/, '/');
const pathOf = (address: string): string => address.split('?')[0]!;
const queryOf = (address: string): string => address.split('?')[1] ?? '';

function useAddress(part: (address: string) => string): string {
  const [value, setValue] = useState(() => part(here()));
  useEffect(() => {
    const read = () => setValue(part(here()));
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [part]);
  return value;
}

function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = to;
    return;
  }
  history.replaceState(null, '', `#${to}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** What the router asks for the path. */
export const useHashPath = Object.assign((): [string, typeof go] => [useAddress(pathOf), go], {
  hrefs: (path: string): string => `#${path}`,
});

/** What the router asks for the query. */
export const useHashQuery = (): string => useAddress(queryOf);
