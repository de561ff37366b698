// SPDX-License-Identifier: Apache-2.0
// A live origin on loopback: an endless stream on the clock of the test, as HLS and as DASH, from one set of segments. It marks
// its ad breaks as packagers do, and fails on demand.
//
//   /master.m3u8, /v0.m3u8, /a0.m3u8, /live.mpd; each of them also below /moved/, which redirects to below /edge/,
//   and below /edge0/, /edge1/, … as at the caches of a CDN
//   /v0/init.mp4, /v0/RUN/NUMBER.m4s, /v0/RUN/STRETCH/tTIME.m4s
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestClock } from '../../clock/testClock.ts';
import { startStoppableServer } from '../../stoppableServer.ts';
import { type Broadcast, type BroadcastOptions, createBroadcast } from './broadcast.ts';
import { describePath, replyTo } from './liveResources.ts';
import { type LoopShapeName, loadLoop, type Packaging } from './media/mediaLoop.ts';
import { type OriginFault, type OriginReply, type OriginRequest, reply, sendFaulty, sendReply } from './originFault.ts';
import { type LiveOriginOptions, type LiveState, renditionsOnAir } from './write/livePresentation.ts';
import { MAX_JITTER } from './write/writePlaylists.ts';

export type LiveOriginSetup = LiveOriginOptions &
  Omit<BroadcastOptions, 'loop' | 'now'> & {
    readonly clock: TestClock;
    readonly packaging?: Packaging;
    /** What is encoded; default `base`. */
    readonly media?: LoopShapeName;
    /** Compresses manifests. */
    readonly gzips?: boolean;
    /** `cookie`: all but the first manifest need its cookie. `token`: all URLs need a token, which changes every 30 s. */
    readonly access?: 'cookie' | 'token';
  };

export type LiveOrigin = {
  readonly url: string;
  /** Of the multivariant playlist, and of the MPD. */
  readonly hlsUrl: string;
  readonly dashUrl: string;
  readonly broadcast: Broadcast;
  /** Milliseconds by which its dates are wrong at most. What is placed by one of them is as wrong. */
  readonly dateError: number;
  /** Oldest first. */
  readonly requests: readonly OriginRequest[];
  /** The number of requests whose path matches. */
  count(path: string | RegExp): number;
  /** How many segments each rendition is late, by name. */
  readonly lags: Map<string, number>;
  /** Calls `choose` for each request until the returned function is called. The newest that returns a fault wins. */
  fail(choose: (request: OriginRequest) => OriginFault | undefined): () => void;
  /** The breaks that start within the window or later, up to `ahead` seconds after the edge, in milliseconds since 1970. */
  breaks(ahead?: number): { readonly id: number; readonly startsAt: number; readonly endsAt?: number }[];
  /** Stops listening. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

const TOKEN_MS = 30_000;
/** The token of the URLs that the test passes on. */
const ENTRY_TOKEN = 'entry';

export async function startLiveOrigin(setup: LiveOriginSetup): Promise<LiveOrigin> {
  const { clock, packaging = 'cmaf', media, gzips = false, access } = setup;
  const loop = await loadLoop(packaging, media);
  const broadcast = createBroadcast({ ...setup, loop, now: clock.now() });
  const tokens = (at: number): string[] => [0, 1].map((age) => `${Math.floor(at / TOKEN_MS) - age}`);
  const options: LiveOriginOptions = {
    ...setup,
    ...(access === 'token' ? { query: () => `?token=${tokens(clock.now())[0]}` } : {}),
  };
  const onAir = renditionsOnAir(broadcast, options);
  const lags = new Map<string, number>();
  const requests: OriginRequest[] = [];
  const counts = new Map<string, number>();
  const choosers: ((request: OriginRequest) => OriginFault | undefined)[] = [];

  function stateAt(now: number, older = 0): LiveState {
    const run = broadcast.runAt(now);
    const edge = (name: string) => broadcast.edgeAt(run, now) - (lags.get(name) ?? 0) - older;
    return { broadcast, options, now, run, onAir, edge };
  }

  function isAllowed({ path, query }: OriginRequest, cookie: string | undefined): boolean {
    const isEntry = /\/(master\.m3u8|live\.mpd)$/.test(path);
    if (access === 'cookie') return isEntry || (cookie ?? '').includes('viewing=yes');
    if (access !== 'token') return true;
    const token = query.get('token') ?? '';
    return (isEntry && token === ENTRY_TOKEN) || tokens(clock.now()).includes(token);
  }

  function make(request: OriginRequest, incoming: IncomingMessage, fault: OriginFault | undefined): OriginReply {
    if (fault?.does === 'respond') return reply(fault.status, fault.body ?? 'failed on demand');
    if (fault?.does === 'redirect') return { ...reply(302, ''), headers: { location: fault.to } };
    if (!isAllowed(request, incoming.headers.cookie)) return reply(403, 'Forbidden');
    const state = stateAt(clock.now(), fault?.does === 'older' ? fault.segments : 0);
    if (Math.min(...onAir.map(({ name }) => state.edge(name))) < 0) return reply(404, 'The encoder has just started.');
    const made = replyTo(state, request.path, incoming.headers.range);
    if (made.status !== 200 || !['multivariant', 'media', 'mpd'].includes(request.kind)) return made;
    const text = Buffer.from(made.body).toString();
    const body = Buffer.from(fault?.does === 'rewrite' ? fault.rewrite(text) : text);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    const cookie = access === 'cookie' ? { 'set-cookie': 'viewing=yes; Path=/' } : {};
    if (incoming.headers['if-none-match'] === etag) return { ...reply(304, ''), headers: { etag, ...cookie } };
    const { type } = fault?.does === 'type' ? fault : made;
    return { ...made, type, body, headers: { etag, 'cache-control': 'max-age=1', ...cookie } };
  }

  const handle = (incoming: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(incoming.url ?? '/', 'http://origin');
    if (url.pathname.startsWith('/moved/')) {
      const location = `/edge/${url.pathname.slice(7)}${url.search}`;
      sendReply(response, { ...reply(302, ''), headers: { location } }, false);
      return;
    }
    const [, edge = ''] = /^\/edge(\d*)\//.exec(url.pathname) ?? [];
    const path = url.pathname.replace(/^\/edge\d*\//, '/');
    const earlier = counts.get(path) ?? 0;
    counts.set(path, earlier + 1);
    const about = { path, query: url.searchParams, ...describePath(path), edge, earlier, at: clock.now() };
    const request: OriginRequest = { ...about, status: 0 };
    requests.push(request);
    const fault = choosers.reduceRight<OriginFault | undefined>((found, choose) => found ?? choose(request), undefined);
    const made = make(request, incoming, fault);
    const isLost = fault?.does === 'hang' || fault?.does === 'reset';
    if (!isLost) request.status = made.status;
    if (fault !== undefined && sendFaulty(response, fault, made, clock.timers)) return;
    sendReply(response, made, gzips);
  };
  const { url, stop, restart } = await startStoppableServer((incoming, response) => {
    response.on('error', () => {});
    handle(incoming, response);
  });
  const entry = access === 'token' ? `?token=${ENTRY_TOKEN}` : '';
  return {
    ...{ url, broadcast, requests, lags, stop, restart },
    dateError: setup.dates === 'jitter' ? MAX_JITTER : 0,
    hlsUrl: `${url}/master.m3u8${entry}`,
    dashUrl: `${url}/live.mpd${entry}`,
    count: (path) =>
      requests.filter((each) => (typeof path === 'string' ? each.path === path : path.test(each.path))).length,
    fail(choose) {
      choosers.push(choose);
      return () => void choosers.splice(choosers.indexOf(choose), 1);
    },
    breaks(ahead = 120) {
      const run = broadcast.runAt(clock.now());
      const edge = broadcast.edgeAt(run, clock.now());
      const first = Math.max(0, edge - (options.window ?? 6));
      return broadcast.breaksBetween(run, first, edge + (ahead * 1000) / loop.segmentMs).map(({ id, start, end }) => ({
        ...{ id, startsAt: broadcast.startOf(run, start) },
        ...(end === undefined ? {} : { endsAt: broadcast.startOf(run, end) }),
      }));
    },
    close: stop,
  };
}
