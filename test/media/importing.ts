// SPDX-License-Identifier: Apache-2.0
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ImportOptions, type ImportResult, importAsset } from '../../src/ingest/import/importAsset.ts';
import type { Origin } from '../../src/ingest/ports.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { type FolderServer, plainOrigin, startFolderServer } from '../servers/folderServer.ts';

/** A server for the tests of a file, and imports from it. To be called at the top of the file. */
export function importing() {
  let server: FolderServer;
  beforeAll(async () => {
    server = await startFolderServer();
  });
  afterAll(() => server.close());
  afterEach(() => server.reset());

  const tryImport = (path: string, options?: ImportOptions, origin: Origin = plainOrigin): Promise<ImportResult> =>
    importAsset(`${server.base}${path}`, origin, options);

  return {
    server: () => server,
    /** Serves a text until the end of the test. */
    put: (path: string, text: string): void => void server.texts.set(path, text),
    tryImport,
    /** @throws if the import fails */
    async imported(path: string): Promise<Asset> {
      const result = await tryImport(path);
      if (!result.ok) throw new Error(result.reason);
      return result.asset;
    },
    /** Without the address of the server, which differs between runs. */
    plain: (text: string): string => text.replaceAll(server.base, ''),
  };
}
