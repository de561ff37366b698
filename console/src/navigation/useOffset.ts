// SPDX-License-Identifier: Apache-2.0
import { useQueryState } from './useQueryState.ts';

/** The page of a list as part of the address: `page=2`. @param size entries of a page */
export function useOffset(size: number) {
  const [{ page }, change] = useQueryState({ page: '1' });
  const offset = Math.max(0, (Math.trunc(Number(page)) || 1) - 1) * size;
  return { offset, setOffset: (next: number) => change({ page: String(Math.floor(next / size) + 1) }, true) };
}
