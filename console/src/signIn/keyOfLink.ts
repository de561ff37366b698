// SPDX-License-Identifier: Apache-2.0
// The link that a demo prints has its key in the fragment, which browsers do not send. Only on loopback: elsewhere, a key in a
// link would be stored in histories and chats. It must run before the address is read for the first time.
import { readApiKey, storeApiKey } from '../api/apiKey.ts';

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Stores the key of the address unless the tab has one, and removes it from the address and the history. */
function takeKeyOfLink(): void {
  const [page = '', query] = location.hash.split('?', 2);
  const parameters = new URLSearchParams(query);
  const key = parameters.get('api-key');
  if (key === null || !loopback.test(location.hostname)) return;
  if (readApiKey() === null) storeApiKey(key);
  parameters.delete('api-key');
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  history.replaceState(null, '', `${location.pathname}${location.search}${page}${rest}`);
}

takeKeyOfLink();
