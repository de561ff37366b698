// SPDX-License-Identifier: Apache-2.0
// Midroll with an origin and an ad server, on a clock that the test moves. Its responses are the same text in every run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSteppedClock } from './clock.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';
import { type Asset, putOnShelf, type ShelfOrder, startWholeMidroll, storeAssets } from './surroundings.ts';

const KEY = 'golden-key';
/** The headers of a proxy, which fix the public address. */
const PUBLIC = { 'x-forwarded-host': 'live.test', 'x-forwarded-proto': 'https' };

export type World = {
  readonly assets: readonly Asset[];
  readonly shelves: readonly ShelfOrder[];
  readonly ads: Readonly<Record<string, { readonly vast: string; readonly after?: number }>>;
};

export type Stage = {
  now(): number;
  moveTo(instant: number): Promise<void>;
  /** Sends a request to the administrative API; `{name}` as in `get`. @throws when the status is not 2xx */
  api(method: string, path: string, body?: unknown): Promise<string>;
  /** Opens a session. From then on `name` replaces its id in all texts. @returns the response */
  open(name: string, path: string): Promise<string>;
  /**
   * Sends a request to the live port; `{name}` in the path is the id of that session. @returns the request and its response,
   * or with `isQuiet` the body as it is
   */
  get(path: string, options?: { readonly isQuiet?: boolean }): Promise<string>;
  /** From now on the origin responds to requests for this asset with 404. */
  lose(asset: string): void;
  /** Stops Midroll and starts it again with the same data. */
  restart(): Promise<void>;
  /** Lines of the log at level error or above. */
  readonly bugs: readonly string[];
  close(): Promise<void>;
};

/** XML with one element per line and JSON with one value per line: a diff shows the place. */
function inLines(type: string, text: string): string {
  if (type.includes('json')) return JSON.stringify(JSON.parse(text), null, 1);
  return type.includes('xml') ? text.replaceAll('><', '>\n<') : text;
}

/** Bytes of MP4 are in hexadecimal digits. */
async function read(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isMp4 = response.headers.get('content-type')?.includes('mp4');
  return { response, text: bytes.toString(isMp4 ? 'hex' : 'utf8') };
}

/** @param build receives the origin's URL */
export async function openStage(startsAt: number, build: (origin: string) => World): Promise<Stage> {
  const clock = createSteppedClock(startsAt);
  const neighbours: Neighbours = await startNeighbours((ms, work) => void clock.timers.after(ms, work));
  const { assets, shelves, ads } = build(neighbours.url);
  for (const [name, response] of Object.entries(ads)) neighbours.ads.set(name, response);
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-golden-'));
  const keys = await storeAssets(dataDir, assets, startsAt);
  for (const shelf of shelves) await putOnShelf(dataDir, shelf);
  const bugs: string[] = [];
  const settings = {
    ...{ DATA_DIR: dataDir, ADMIN_PORT: '0', LIVE_PORT: '0', BOOTSTRAP_API_KEY: KEY },
    ...{ EGRESS_ALLOW: '127.0.0.0/8', ADMIN_RATE_LIMIT: '0', LOG_LEVEL: 'error' },
  };
  const start = () => startWholeMidroll(clock, settings, (line) => void bugs.push(line));
  let midroll = await start();
  const sessions = new Map<string, string>();

  /** Replaces what differs between runs: ports, session ids, and asset keys, which are hashes of URLs with a port. */
  function steady(text: string): string {
    let same = text.replaceAll(neighbours.url, 'http://origin.test');
    for (const [name, id] of sessions) same = same.replaceAll(id, name);
    for (const [key, name] of keys) same = same.replaceAll(key, `key-of-${name}`);
    return same;
  }
  const withIds = (path: string): string => path.replace(/\{(.+?)\}/g, (_, name: string) => sessions.get(name)!);

  async function get(path: string, { isQuiet = false } = {}): Promise<string> {
    const { response, text } = await clock.finish(read(midroll.liveUrl + withIds(path), { headers: PUBLIC }));
    if (isQuiet) return text;
    const type = response.headers.get('content-type') ?? '';
    const to = response.headers.get('location');
    const head = [response.status, type, to === null ? '' : `Location: ${to}`].filter((part) => part !== '').join(' ');
    return steady(`GET ${withIds(path)}\n${head}\n${inLines(type, text)}`);
  }

  return {
    bugs,
    get,
    now: clock.now,
    moveTo: (instant) => clock.moveTo(instant),
    async api(method, path, body) {
      const { response, text } = await read(`${midroll.adminUrl}/api/v2${withIds(path)}`, {
        method,
        headers: { ...PUBLIC, 'x-api-key': KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
      return steady(inLines(response.headers.get('content-type') ?? '', text));
    },
    async open(name, path) {
      const text = await get(path, { isQuiet: true });
      const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
      if (id === undefined) throw new Error(`${path} opened no session: ${text}`);
      sessions.set(name, id);
      return steady(`GET ${path}\n${text}`);
    },
    lose: (asset) => void neighbours.gone.add(asset),
    async restart() {
      await midroll.close();
      midroll = await start();
    },
    async close() {
      await midroll.close();
      await neighbours.close();
      clock.close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
