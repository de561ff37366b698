// SPDX-License-Identifier: Apache-2.0
// Serves the demo's page: its files, the players, the configuration, and the schedule. The schedule comes from the admin API;
// the page itself has no API key.
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { AdminAccess } from './callAdmin.ts';
import { closeServer, listenFrom } from './listen.ts';
import type { Started } from './origin.ts';
import { channelId, channelKey } from './seed.ts';
import { sendPage } from './sendPage.ts';
import { readTarget, replyText } from './serveFolder.ts';

const pages = join(import.meta.dirname, '../demo/page');

export type PageTargets = AdminAccess & { readonly liveUrl: string; readonly adServerUrl: string };

export async function startPageServer(port: number, targets: PageTargets): Promise<Started> {
  const { liveUrl, adServerUrl, adminUrl, apiKey } = targets;
  const config = JSON.stringify({ liveUrl, adServerUrl, channelId, channelKey });
  const server = createServer(async (request, response) => {
    const { path, query } = readTarget(request);
    if (path === '/config.json') return replyText(response, 200, config, 'application/json');
    if (path === '/timeline') {
      const url = `${adminUrl}/api/v2/channels/${channelId}/timeline?${query}`;
      const timeline = await fetch(url, { headers: { 'x-api-key': apiKey } }).catch(() => undefined);
      if (timeline === undefined) return replyText(response, 502, 'Midroll is unreachable.\n');
      return replyText(response, timeline.status, await timeline.text(), 'application/json');
    }
    return sendPage(request, response, pages, path);
  });
  return { url: await listenFrom(server, port), close: () => closeServer(server) };
}
