// Serves the demo's page: its files, the players, and two answers of the administrative interface that a page must not
// hold the key for.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listenFrom } from './listen.ts';
import type { Started } from './origin.ts';
import { channelId, channelKey, type SeedTargets } from './seed.ts';
import { sendPage } from './sendPage.ts';
import { readTarget, replyText } from './serveFolder.ts';

const pages = join(import.meta.dirname, 'page');

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
    return sendPage(request, response, pages, path);
  });
  return { url: await listenFrom(server, port), close: () => closeServer(server) };
}
