// SPDX-License-Identifier: Apache-2.0
// Connects the search button in the navigation with the palette, which is outside of it.

const listeners = new Set<() => void>();

export function openPalette(): void {
  for (const listener of listeners) listener();
}

/** @returns ends it */
export function onPaletteOpen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
