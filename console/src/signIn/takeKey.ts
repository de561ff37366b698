// SPDX-License-Identifier: Apache-2.0
// Stores the key of the address unless the tab has one, and removes it from the address and the history. It runs when it is
// imported, before the address is read for the first time.
import { readApiKey, storeApiKey } from '../api/apiKey.ts';
import { keyInAddress } from './keyInAddress.ts';

const found = keyInAddress(location);
if (found !== undefined) {
  if (readApiKey() === null) storeApiKey(found.key);
  history.replaceState(null, '', `${location.pathname}${location.search}${found.hash}`);
}
