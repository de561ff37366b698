// An origin of videos and creatives on loopback that can be made to fail as origins do: gone altogether, or one file missing.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { mediaFolder } from '../../demo/origin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';

export type MediaOrigin = {
  readonly url: string;
  /** Where files are put to be served; the videos of the demo are served too. */
  readonly folder: string;
  /** Paths that are answered with 404. */
  readonly missing: Set<string>;
  /** Paths that were asked for, oldest first. */
  readonly asked: string[];
  /** From now on nobody listens. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

export async function startMediaOrigin(): Promise<MediaOrigin> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-media-'));
  const missing = new Set<string>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { path } = readTarget(request);
    asked.push(path);
    if (missing.has(path)) return replyText(response, 404, 'not here');
    const isDemo = /^\/(tide|orbits|hills|spots)\//.test(path);
    return sendFile(request, response, isDemo ? mediaFolder : folder, path);
  });
  const url = await listenFrom(server, 0);
  let isListening = true;
  const vanish = async () => {
    if (isListening) await closeServer(server);
    isListening = false;
  };
  return {
    url,
    folder,
    missing,
    asked,
    vanish,
    async comeBack() {
      server.listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
      isListening = true;
    },
    async close() {
      await vanish();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
