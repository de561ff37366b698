// The ad server of the demo: VAST to whoever asks, beacons counted, and a page that shows both.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { advertisements, createChooser } from './advertisements.ts';
import { closeServer, listenFrom } from './listen.ts';
import type { Started } from './origin.ts';
import { cors, readTarget, replyText, sendFile } from './serveFolder.ts';
import { trackedEvents, writeVastResponse } from './vastResponse.ts';

const LATEST = 40;
const pages = join(import.meta.dirname, 'page');

type Request = { readonly at: string; readonly viewer: string; readonly break: string; readonly ads: string[] };
type Beacon = { readonly at: string; readonly viewer: string; readonly ad: string; readonly event: string };
export type AdServerLog = {
  readonly requests: readonly Request[];
  readonly beacons: readonly Beacon[];
  /** By ad, by event. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

/** A macro that was not filled (a variable that the player did not send) says nothing. */
const said = (query: URLSearchParams, name: string): string => {
  const value = query.get(name) ?? '';
  return value === '-1' || value.startsWith('[') ? '' : value;
};
const noted = (text: string): string => text.slice(0, 80);

export async function startAdServer(port: number, media: string): Promise<Started & { log(): AdServerLog }> {
  const choose = createChooser();
  const requests: Request[] = [];
  const beacons: Beacon[] = [];
  const events = [...trackedEvents, 'error'];
  const counts = Object.fromEntries(
    advertisements.map(({ id }) => [id, Object.fromEntries(events.map((event) => [event, 0]))]),
  );
  const keep = <T>(list: T[], entry: T): void => {
    list.unshift(entry);
    list.length = Math.min(list.length, LATEST);
  };
  const log = (): AdServerLog => ({ requests, beacons, counts });

  const server = createServer(async (request, response) => {
    const { path, query } = readTarget(request);
    const at = new Date().toISOString();
    if (path === '/vast') {
      const viewer = said(query, 'viewer') || said(query, 'session') || request.headers['user-agent'] || 'nobody';
      const breakId = said(query, 'break');
      const pod = choose(viewer, breakId, Number(said(query, 'duration')) || 30, Number(said(query, 'max')) || 3);
      keep(requests, { at, viewer: noted(viewer), break: noted(breakId), ads: pod.map(({ id }) => id) });
      const asked = { adServer: url, media, viewer, breakId };
      return replyText(response, 200, writeVastResponse(pod, asked), 'application/xml; charset=utf-8');
    }
    if (path.startsWith('/beacon/')) {
      const [event, ad] = [path.slice('/beacon/'.length), query.get('ad') ?? ''];
      const counted = counts[ad];
      if (typeof counted?.[event] !== 'number') return replyText(response, 404, `There is no ${event} of ${ad}.\n`);
      counted[event] += 1;
      keep(beacons, { at, viewer: noted(query.get('viewer') ?? ''), ad, event });
      return response.writeHead(204, cors).end();
    }
    if (path === '/log.json') return replyText(response, 200, JSON.stringify(log()), 'application/json');
    return sendFile(request, response, pages, path === '/' ? '/adServer.html' : path);
  });
  const url = await listenFrom(server, port);
  return { url, log, close: () => closeServer(server) };
}
