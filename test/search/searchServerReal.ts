// SPDX-License-Identifier: Apache-2.0
// A real search domain (SEARCH_URL) for tests. Each test has its own index, which is removed at the end.
import { randomBytes } from 'node:crypto';

export const freshIndex = (): string => `reports-${randomBytes(6).toString('hex')}`;

export function realServer(url: URL) {
  const [user, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  const credentials = user === '' ? {} : { searchUser: user, searchPassword: password };
  const headers =
    user === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const created: string[] = [];
  const domain = url.origin + url.pathname.replace(/\/+$/, '');
  const call = async (method: string, path: string) => {
    const { status } = await fetch(domain + path, { method, headers });
    if (status >= 400 && status !== 404) throw new Error(`${method} ${path} returned status ${status}`);
  };
  return {
    settings() {
      const searchIndex = freshIndex();
      created.push(searchIndex);
      return { searchDomain: domain, searchIndex, ...credentials };
    },
    faults: [] as never[],
    bulkRequests: [] as string[],
    searches: () => 0,
    refresh: () => call('POST', '/reports-*/_refresh'),
    async close() {
      for (const index of created) {
        await call('DELETE', `/${index}-*`);
        await call('DELETE', `/_index_template/${index}`);
      }
    },
  };
}
