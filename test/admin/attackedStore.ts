// What hostile requests are sent to: a store with a playlist `p` and a channel `c`, which nothing may change unseen.
import { afterEach, beforeAll, expect } from 'vitest';
import { type Client, clientOf } from './client.ts';
import type { OnStore } from './onBothStores.ts';

export type AttackedStore = {
  /** Without a key. */
  readonly keyless: Client;
  /** Everything that is stored, keys' last use aside. */
  readonly stored: () => Promise<Awaited<ReturnType<Client>>['json'][]>;
};

/** Nothing that is logged in its tests may be a 5xx. */
export function attackedStore({ admin, call }: OnStore): AttackedStore {
  let keyless: Client;
  beforeAll(async () => {
    keyless = clientOf(admin().app);
    await call('POST', '/api/v2/playlists', { id: 'p', name: 'as it was' });
    await call('POST', '/api/v2/channels', { id: 'c', name: 'as it was', apiKey: 'k' });
  });
  afterEach(() => {
    for (const line of admin().logged) expect(JSON.parse(line).status ?? 0).toBeLessThan(500);
  });
  return {
    keyless: (...request) => keyless(...request),
    stored() {
      const paths = ['systems', 'playlists?limit=100', 'channels?limit=100'];
      return Promise.all(paths.map(async (path) => (await call('GET', `/api/v2/${path}`)).json));
    },
  };
}
