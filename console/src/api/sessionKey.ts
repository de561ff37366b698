// The key, kept for as long as the tab is open and nowhere else.
const NAME = 'midroll-key';

/** Where the browser is told to keep nothing, storage throws: the key lasts until the page is loaded anew. */
let held: string | null = null;
function tryStorage(act: (storage: Storage) => string | null | undefined): string | null {
  try {
    return act(sessionStorage) ?? held;
  } catch {
    return held;
  }
}

export const readKey = (): string | null => tryStorage((storage) => storage.getItem(NAME));
export function keepKey(key: string): void {
  held = key;
  tryStorage((storage) => void storage.setItem(NAME, key));
}
export function forgetKey(): void {
  held = null;
  tryStorage((storage) => void storage.removeItem(NAME));
}
