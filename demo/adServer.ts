// SPDX-License-Identifier: Apache-2.0
// The ad server of the demo: it returns VAST, counts beacons, and serves a page that shows both.
import { join } from 'node:path';
import { advertisements, createChooser } from './advertisements.ts';
import { readBidRequest, writeBidResponse } from './bidder.ts';
import { type Started, startServer } from './listen.ts';
import { cors, readTarget, replyText, sendFile } from './serveFolder.ts';
import { trackedEvents, writeVastResponse } from './vastResponse.ts';

const MAX_ENTRIES = 40;
const pages = join(import.meta.dirname, '../demo/page');

type Request = { readonly at: string; readonly viewer: string; readonly break: string; readonly ads: string[] };
type Beacon = { readonly at: string; readonly viewer: string; readonly ad: string; readonly event: string };
export type AdServerLog = {
  readonly requests: readonly Request[];
  readonly beacons: readonly Beacon[];
  /** The number of beacons by ad and by event. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

/** The value of a query parameter; empty for a macro that was not filled in, such as a parameter that the player omitted. */
const parameter = (query: URLSearchParams, name: string): string => {
  const value = query.get(name) ?? '';
  return value === '-1' || value.startsWith('[') ? '' : value;
};
const truncate = (text: string): string => text.slice(0, 80);

export async function startAdServer(port: number, media: string): Promise<Started & { log(): AdServerLog }> {
  const choose = createChooser();
  const requests: Request[] = [];
  const beacons: Beacon[] = [];
  const events = [...trackedEvents, 'click', 'error', 'bill'];
  const counts = Object.fromEntries(
    advertisements.map(({ id }) => [id, Object.fromEntries(events.map((event) => [event, 0]))]),
  );
  const record = <T>(list: T[], entry: T): void => {
    list.unshift(entry);
    list.length = Math.min(list.length, MAX_ENTRIES);
  };
  const log = (): AdServerLog => ({ requests, beacons, counts });

  const { url, close }: Started = await startServer(async (request, response) => {
    const { path, query } = readTarget(request);
    const at = new Date().toISOString();
    if (path === '/openrtb') {
      const body = writeBidResponse(await readBidRequest(request), { adServer: url, media });
      return replyText(response, 200, body, 'application/json');
    }
    if (path === '/vast' || path === '/half') {
      const viewer =
        parameter(query, 'viewer') || parameter(query, 'session') || request.headers['user-agent'] || 'unknown';
      const breakId = parameter(query, 'break');
      const seconds = Number(parameter(query, 'duration')) || 30;
      const most = path === '/half' ? 1 : Number(parameter(query, 'max')) || 3;
      const pod = choose(viewer, breakId, seconds, most);
      record(requests, { at, viewer: truncate(viewer), break: truncate(breakId), ads: pod.map(({ id }) => id) });
      const context = { adServer: url, media, viewer, breakId };
      return replyText(response, 200, writeVastResponse(pod, context), 'application/xml; charset=utf-8');
    }
    if (path.startsWith('/beacon/')) {
      const [event, ad] = [path.slice('/beacon/'.length), query.get('ad') ?? ''];
      const counted = counts[ad];
      if (typeof counted?.[event] !== 'number')
        return replyText(response, 404, `Unknown event "${event}" of ad "${ad}".\n`);
      counted[event] += 1;
      record(beacons, { at, viewer: truncate(query.get('viewer') ?? ''), ad, event });
      return response.writeHead(204, cors).end();
    }
    if (path === '/log.json') return replyText(response, 200, JSON.stringify(log()), 'application/json');
    return sendFile(request, response, pages, path === '/' ? '/adServer.html' : path);
  }, port);
  return { url, log, close };
}
