// Serves the demo's page: its files, the players, and two answers of the administrative interface that a page must not
// hold the key for.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listenFrom } from './listen.ts';
import type { Started } from './origin.ts';
import { channelId, channelKey, type SeedTargets } from './seed.ts';
import { readTarget, replyText, sendFile } from './serveFolder.ts';

const modules = join(import.meta.dirname, '../node_modules');
const pages = join(import.meta.dirname, 'page');
const players: Readonly<Record<string, string>> = {
  '/players/hls.js': '/hls.js/dist/hls.min.js',
  '/players/shaka.js': '/shaka-player/dist/shaka-player.compiled.js',
};

export type PageTargets = SeedTargets & { readonly liveUrl: string; readonly adServerUrl: string };

export async function startPageServer(port: number, targets: PageTargets): Promise<Started> {
  const { liveUrl, adServerUrl, adminUrl, apiKey } = targets;
  const config = JSON.stringify({ liveUrl, adServerUrl, channelId, channelKey });
  const server = createServer(async (request, response) => {
    const { path, query } = readTarget(request);
    if (path === '/config.json') return replyText(response, 200, config, 'application/json');
    if (path === '/timeline') {
      const url = `${adminUrl}/api/v2/channels/${channelId}/timeline?${query}`;
      const answer = await fetch(url, { headers: { 'x-api-key': apiKey } }).catch(() => undefined);
      if (answer === undefined) return replyText(response, 502, 'Midroll does not answer.\n');
      return replyText(response, answer.status, await answer.text(), 'application/json');
    }
    const player = players[path];
    if (player !== undefined) return sendFile(request, response, modules, player);
    return sendFile(request, response, pages, path === '/' ? '/index.html' : path);
  });
  return { url: await listenFrom(server, port), close: () => closeServer(server) };
}
