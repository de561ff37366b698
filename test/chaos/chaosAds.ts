// SPDX-License-Identifier: Apache-2.0
// The ad server and the tracking host of the chaos test. They record each ad request by session and break, each beacon by URL
// and each Error URL.
import { appendFileSync, copyFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { type Ad, writeVast } from '../live/adHost.ts';

export type AdRequest = {
  readonly session: string;
  readonly breakId: string;
  readonly at: number;
  readonly tookMs: number;
};

export type ChaosAds = {
  /** `adSource` of a channel. */
  readonly adSource: object;
  readonly requests: readonly AdRequest[];
  /** When each beacon arrived, by its URL. */
  readonly beacons: ReadonlyMap<string, readonly number[]>;
  readonly errors: ReadonlyMap<string, readonly number[]>;
  /** URLs of creatives that no channel has used before. */
  readonly fresh: readonly string[];
  /** From now on, responses also contain new creatives, and one that does not exist. */
  begin(): void;
  /** A response for POST /assets that prepares the creatives that all breaks use. */
  readonly vastUrl: string;
  close(): Promise<void>;
};

export type Creatives = {
  /** Of the origin of creatives. */
  readonly url: string;
  readonly folder: string;
  /** Paths of spots of 4 s, 6 s and 2 s. */
  readonly four: string;
  readonly six: string;
  readonly two: string;
};

/** Milliseconds after which the next new creative is offered. */
const NEW_CREATIVE = 25_000;

/** Adds a box that players ignore, so that the file is another creative. */
function copyUnique(folder: string, source: string, name: string): string {
  const file = join(folder, `${name}.mp4`);
  copyFileSync(join(folder, source), file);
  const box = Buffer.alloc(8 + name.length);
  box.writeUInt32BE(box.length);
  box.write(`free${name}`, 4);
  appendFileSync(file, box);
  return `/${name}.mp4`;
}

export async function startChaosAds(creatives: Creatives, random: () => number): Promise<ChaosAds> {
  const requests: AdRequest[] = [];
  const beacons = new Map<string, number[]>();
  const errors = new Map<string, number[]>();
  const fresh: string[] = [];
  let lastFreshAt = Date.now();
  let base = '';
  let hasBegun = false;
  const note = (map: Map<string, number[]>, key: string): void =>
    void map.set(key, [...(map.get(key) ?? []), Date.now()]);

  function newCreative(): string | undefined {
    if (hasBegun && Date.now() - lastFreshAt > NEW_CREATIVE) {
      lastFreshAt = Date.now();
      fresh.push(creatives.url + copyUnique(creatives.folder, creatives.two, `fresh${fresh.length}`));
    }
    return fresh.at(-1);
  }

  function vastFor(session: string, breakId: string): string {
    const about = `session=${session}&break=${breakId}&request=${requests.length}`;
    const tracked = (id: string) => `${base}/beacon?${about}&ad=${id}&event=[EVENT]`;
    const ad = (id: string, seconds: number, path: string): Ad => ({
      ...{ id, seconds, url: path.startsWith('http') ? path : creatives.url + path, tracking: tracked(id) },
    });
    const ads: Ad[] = [
      { ...ad('four', 4, creatives.four), sequence: 1 },
      { ...ad('six', 6, creatives.six), sequence: 2 },
    ];
    const newest = newCreative();
    if (newest !== undefined) ads.push(ad('fresh', 2, newest));
    // A creative that does not exist: its Error URL is called once, for the decision that is stored.
    if (hasBegun && random() < 0.1) ads.push(ad('missing', 2, '/missing.mp4'));
    const error = (id: string) => `<Error><![CDATA[${base}/error?${about}&ad=${id}&code=[ERRORCODE]]]></Error>`;
    return writeVast(ads).replace(/(<Ad id="(.*?)"[\s\S]*?<\/AdTitle>)/g, (_, start, id) => start + error(id));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://ads');
    if (pathname === '/beacon') {
      note(beacons, request.url!);
      // Some are still being sent when their process is killed.
      if (random() < 0.15) await wait(2500 * random());
      response.writeHead(204).end();
    } else if (pathname === '/error') {
      note(errors, request.url!);
      response.writeHead(204).end();
    } else {
      const session = searchParams.get('session') ?? '';
      const breakId = searchParams.get('break') ?? '';
      const tookMs = 20 + Math.floor(random() < 0.1 ? 1500 * random() : 280 * random() ** 2);
      const text = vastFor(session, breakId);
      requests.push({ session, breakId, at: Date.now(), tookMs });
      await wait(tookMs);
      response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
    }
  }
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void respond(request, response);
  });
  server.keepAliveTimeout = 60_000;
  base = await listenFrom(server, 0);
  return {
    adSource: { url: `${base}/vast?session=[SESSION_ID]&break=[BREAK_ID]` },
    ...{ requests, beacons, errors, fresh },
    vastUrl: `${base}/vast`,
    begin() {
      hasBegun = true;
    },
    close: () => closeServer(server),
  };
}
