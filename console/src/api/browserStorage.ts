// SPDX-License-Identifier: Apache-2.0
/** Access to the storage of the browser, which throws where the browser is set to store nothing. */
export function tryStorage<Value>(access: () => Value): Value | null {
  try {
    return access();
  } catch {
    return null;
  }
}

export const readLocal = (name: string): string | null => tryStorage(() => localStorage.getItem(name));
/** @param value empty removes it */
export const storeLocal = (name: string, value: string): void =>
  void tryStorage(() => (value === '' ? localStorage.removeItem(name) : localStorage.setItem(name, value)));
