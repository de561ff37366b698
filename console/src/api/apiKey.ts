// SPDX-License-Identifier: Apache-2.0
// The API key of the operator. It is stored for as long as the tab is open; without storage, until the page is reloaded.
import { tryStorage } from './browserStorage.ts';

const NAME = 'midroll-key';
const session = () => sessionStorage;
let fallback: string | null = null;

export const readApiKey = (): string | null => tryStorage(session, (storage) => storage.getItem(NAME)) ?? fallback;
export function storeApiKey(key: string): void {
  fallback = key;
  tryStorage(session, (storage) => void storage.setItem(NAME, key));
}
export function clearApiKey(): void {
  fallback = null;
  tryStorage(session, (storage) => void storage.removeItem(NAME));
}
