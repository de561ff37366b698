// SPDX-License-Identifier: Apache-2.0
// The API key of the operator. It is stored for as long as the tab is open; without storage, until the page is reloaded.
import { tryStorage } from './browserStorage.ts';

const NAME = 'midroll-key';
let fallback: string | null = null;

export const readApiKey = (): string | null => tryStorage(() => sessionStorage.getItem(NAME)) ?? fallback;
export function storeApiKey(key: string): void {
  fallback = key;
  tryStorage(() => sessionStorage.setItem(NAME, key));
}
export function clearApiKey(): void {
  fallback = null;
  tryStorage(() => sessionStorage.removeItem(NAME));
}
