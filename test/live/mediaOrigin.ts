// SPDX-License-Identifier: Apache-2.0
// A loopback origin of videos and creatives. Tests can stop it, or remove single files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaFolder } from '../../demo/origin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';
import { startStoppableServer } from '../stoppableServer.ts';

export type MediaOrigin = {
  readonly url: string;
  /** The folder that it serves, in addition to the demo's videos. */
  readonly folder: string;
  /** Paths that return 404. */
  readonly missing: Set<string>;
  /** Paths of all requests, oldest first. */
  readonly requested: string[];
  /** Stops listening. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export async function startMediaOrigin(): Promise<MediaOrigin> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-media-'));
  const missing = new Set<string>();
  const requested: string[] = [];
  const server = await startStoppableServer(async (request, response) => {
    const { path } = readTarget(request);
    requested.push(path);
    if (missing.has(path)) return replyText(response, 404, 'Not found');
    const isDemo = /^\/(tide|orbits|hills|spots)\//.test(path);
    return sendFile(request, response, isDemo ? mediaFolder : folder, path);
  });
  return {
    ...server,
    folder,
    missing,
    requested,
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
