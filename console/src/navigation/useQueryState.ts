// SPDX-License-Identifier: Apache-2.0
import { useHashPath, useHashQuery } from './hashLocation.ts';
import { changeQuery, type QueryDefaults, readQuery } from './queryState.ts';

/**
 * Filters that live in the address, so that reloading, the buttons of the browser and shared links keep them.
 * @param defaults by name
 * @param isWithin whether the page keeps its unsaved changes
 * @returns the values, and a function that changes some of them: as an entry of the history if `isStep`
 */
export function useQueryState<Values extends QueryDefaults>(defaults: Values, isWithin = false) {
  // Not the hooks of the router, which decode the address.
  const search = useHashQuery();
  const [path, navigate] = useHashPath();
  const values = readQuery(search, defaults);
  const change = (changed: Partial<Record<keyof Values & string, string>>, isStep = false): void => {
    const query = changeQuery(search, defaults, changed);
    navigate(query === '' ? path : `${path}?${query}`, { replace: !isStep, isWithin });
  };
  return [values, change] as const;
}

/** The page of a list as part of the address: `page=2`. @param size entries of a page */
export function useOffset(size: number) {
  const [{ page }, change] = useQueryState({ page: '1' });
  const offset = Math.max(0, (Math.trunc(Number(page)) || 1) - 1) * size;
  return { offset, setOffset: (next: number) => change({ page: String(Math.floor(next / size) + 1) }, true) };
}
