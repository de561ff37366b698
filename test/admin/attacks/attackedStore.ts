// SPDX-License-Identifier: Apache-2.0
// The target of hostile requests: a store with a playlist, an ad source, a webhook and an alert rule `p`, and a channel `c` with
// a distributor `d`, whose content the tests compare.
import { afterEach, beforeAll, expect } from 'vitest';
import { type Client, clientOf } from '../client.ts';
import type { OnStore } from '../onBothStores.ts';

export type AttackedStore = {
  /** Without a key. */
  readonly keyless: Client;
  /** All stored records except keys. */
  readonly stored: () => Promise<Awaited<ReturnType<Client>>['json'][]>;
};

/** After each test, the log must not contain a status 5xx. */
export function attackedStore({ admin, call }: OnStore): AttackedStore {
  beforeAll(async () => {
    await call('POST', '/api/v2/playlists', { id: 'p', name: 'as it was' });
    await call('POST', '/api/v2/channels', { id: 'c', name: 'as it was', apiKey: 'k' });
    await call('POST', '/api/v2/channels/c/distributors', { id: 'd', name: 'as it was' });
    await call('POST', '/api/v2/ad-sources', { id: 'p', type: 'vast', url: 'https://example.com/' });
    await call('POST', '/api/v2/webhooks', { id: 'p', url: 'https://example.com/hook' });
    await call('POST', '/api/v2/alert-rules', { id: 'p', kind: 'off-air' });
  });
  afterEach(() => {
    for (const line of admin.logged) expect(JSON.parse(line).status ?? 0).toBeLessThan(500);
  });
  return {
    keyless: clientOf(admin.app),
    stored() {
      const paths = [
        'systems',
        'playlists?limit=100',
        'channels?limit=100',
        'ad-sources?limit=100',
        'webhooks',
        'alert-rules',
        'channels/c/distributors',
      ];
      return Promise.all(paths.map(async (path) => (await call('GET', `/api/v2/${path}`)).json));
    },
  };
}
