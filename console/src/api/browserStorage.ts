// SPDX-License-Identifier: Apache-2.0
/** Access to the storage of the browser, which throws where the browser is set to store nothing. */
export function tryStorage(
  getStorage: () => Storage,
  access: (storage: Storage) => string | null | undefined,
): string | null {
  try {
    return access(getStorage()) ?? null;
  } catch {
    return null;
  }
}
