// SPDX-License-Identifier: Apache-2.0
// Serves the demo's page: its files, the players, the configuration, the tour, the schedule, and the live channel and the cluster
// with their buttons. What comes from the admin API is requested here; the page itself has no API key.
import { join } from 'node:path';
import { replyOfCluster } from './cluster/clusterRequests.ts';
import type { ClusterControl } from './cluster/clusterStatus.ts';
import { consoleUrl } from './consoleUrl.ts';
import type { EncoderOrigin } from './encoder/encoderOrigin.ts';
import { createStatusReader } from './encoder/liveDemo.ts';
import { type Started, startServer } from './listen.ts';
import { channelId, channelKey, liveChannelId, liveChannelKey } from './seed.ts';
import { sendPage } from './sendPage.ts';
import { readTarget, replyText } from './serveFolder.ts';
import { type TourTargets, tourOf } from './tour.ts';

const pages = join(import.meta.dirname, '../demo/page');

export type PageTargets = TourTargets & {
  /** Absent on machines without ffmpeg: the page has no live channel then. */
  readonly encoder?: EncoderOrigin | undefined;
  /** Absent if Midroll is a single process. */
  readonly cluster?: ClusterControl | undefined;
};

/** The buttons of the live channel. */
const actions = {
  'send-break': (origin: EncoderOrigin) => origin.sendBreak(),
  'end-break': (origin: EncoderOrigin) => origin.endBreak(),
  'stop-encoder': (origin: EncoderOrigin) => origin.stopEncoder(),
  'start-encoder': (origin: EncoderOrigin) => origin.startEncoder(),
};
const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

export async function startPageServer(port: number, targets: PageTargets): Promise<Started> {
  const { liveUrl, adServerUrl, adminUrl, apiKey, encoder, cluster } = targets;
  const live = encoder ? { live: { channelId: liveChannelId, channelKey: liveChannelKey } } : {};
  const config = JSON.stringify({
    liveUrl,
    adServerUrl,
    channelId,
    channelKey,
    ...live,
    hasCluster: cluster !== undefined,
  });
  const readStatus = encoder && createStatusReader(targets, encoder);
  return startServer(async (request, response) => {
    const { path, query } = readTarget(request);
    if (path === '/config.json') return replyText(response, 200, config, 'application/json');
    if (path === '/tour.json')
      return replyText(response, 200, JSON.stringify(tourOf(targets, encoder?.url)), 'application/json');
    // Only the address of the console has the key.
    if (/^\/console(\/[\w-]+)*$/.test(path))
      return response.writeHead(302, { location: consoleUrl(targets, path.slice('/console'.length) || '/') }).end();
    if (path === '/timeline') {
      const url = `${adminUrl}/api/v2/channels/${channelId}/timeline?${query}`;
      const timeline = await fetch(url, { headers: { 'x-api-key': apiKey } }).catch(() => undefined);
      if (timeline === undefined) return replyText(response, 502, 'Midroll is unreachable.\n');
      return replyText(response, timeline.status, await timeline.text(), 'application/json');
    }
    if (cluster && replyOfCluster(request, response, path, cluster)) return;
    if (encoder && path.startsWith('/live/')) {
      const action = path.slice('/live/'.length);
      if (request.method === 'POST' && isAction(action)) actions[action](encoder);
      else if (action !== 'status') return replyText(response, 404, `Not found: ${path}\n`);
      return replyText(response, 200, JSON.stringify(await readStatus?.()), 'application/json');
    }
    return sendPage(request, response, pages, path);
  }, port);
}
