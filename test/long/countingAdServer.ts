// SPDX-License-Identifier: Apache-2.0
// An ad server that counts the beacons of each viewer, break and ad.
import { createChooser } from '../../demo/advertisements.ts';
import { type Started, startServer } from '../../demo/listen.ts';
import { readTarget, replyText } from '../../demo/serveFolder.ts';
import { trackedEvents, writeVastResponse } from '../../demo/vastResponse.ts';

export type CountingAdServer = {
  readonly url: string;
  readonly requests: () => number;
  /** How often each event of each ad of a viewer's break was received, by `BREAK AD`. */
  counts(viewer: string): ReadonlyMap<string, Readonly<Record<string, number>>>;
  close(): Promise<void>;
};

/** @param media the URL of the origin of the creatives */
export async function startCountingAdServer(media: string): Promise<CountingAdServer> {
  const choose = createChooser();
  const viewers = new Map<string, Map<string, Record<string, number>>>();
  let requests = 0;
  const server: Started = await startServer((request, response) => {
    const { path, query } = readTarget(request);
    const [viewer, adBreak] = [query.get('viewer') ?? '', query.get('break') ?? ''];
    if (path === '/vast') {
      requests += 1;
      const pod = choose(viewer, adBreak, Number(query.get('duration')) || 20, 3);
      const body = writeVastResponse(pod, { adServer: server.url, media, viewer, breakId: adBreak });
      return replyText(response, 200, body, 'application/xml; charset=utf-8');
    }
    const own = viewers.get(viewer) ?? new Map<string, Record<string, number>>();
    viewers.set(viewer, own);
    const key = `${adBreak} ${query.get('ad')}`;
    const counts = own.get(key) ?? Object.fromEntries(trackedEvents.map((event) => [event, 0]));
    own.set(key, counts);
    const event = path.replace('/beacon/', '');
    counts[event] = (counts[event] ?? 0) + 1;
    return response.writeHead(204).end();
  });
  return { ...server, requests: () => requests, counts: (viewer) => viewers.get(viewer) ?? new Map() };
}
