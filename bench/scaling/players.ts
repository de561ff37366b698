// SPDX-License-Identifier: Apache-2.0
// Players of a benchmark: three of four play HLS and request a video and a sound playlist once per target duration, the others
// request an MPD as often as it states. Followers also request every ad segment that is listed, under the URL of their session.
import { Pool } from 'undici';
import { readMpd } from '../../test/laws/readBack.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import type { PlayerFigures } from './figures.ts';
import type { Installation } from './installation.ts';

export const TARGET_MS = 6000;
/** `minimumUpdatePeriod` of linear channels. */
export const MPD_MS = 2000;
/** One of so many players plays DASH. */
export const DASH_EVERY = 4;

const CONNECTIONS = 32;
const AD_SEGMENT = /^\d+-\d+-\d+\/.*$/gm;

export type PlayersShape = {
  /** Of each node, so that nodes of all installations have the same load. */
  readonly perNode: number;
  /** How many of all request the segments of ads. */
  readonly followers: number;
};

export type Players = { open(): Promise<void>; figures(): PlayerFigures; stop(): Promise<void> };

type Player = {
  readonly node: number;
  readonly follows: boolean;
  readonly isDash: boolean;
  /** Manifests that are requested each time. */
  paths: readonly string[];
  readonly base: string;
  readonly requested: Set<string>;
};

const urlsIn = (isDash: boolean, text: string): readonly string[] =>
  isDash
    ? readMpd(text).flatMap(({ urls }) => [...(urls.v0 ?? []), ...(urls.a0 ?? [])])
    : (text.match(AD_SEGMENT) ?? []);

export function createPlayers({ nodes, shape }: Installation, { perNode, followers }: PlayersShape): Players {
  const count = perNode * nodes.length;
  const figures = { opened: 0, manifests: 0, manifestBytes: 0, adSegments: 0, failed: 0 };
  const random = seededRandom(17);
  const pools = nodes.map(({ liveUrl }) => new Pool(liveUrl, { connections: CONNECTIONS }));
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;
  async function get(node: number, path: string): Promise<{ readonly status: number; readonly text: string }> {
    const pool = pools[shape.routing === 'sticky' ? node : Math.floor(random() * nodes.length)]!;
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    return { status: statusCode, text: await body.text() };
  }

  async function openOne(index: number): Promise<Player> {
    const node = index % nodes.length;
    const isDash = index % DASH_EVERY === DASH_EVERY - 1;
    const format = isDash ? 'dash' : 'hls';
    const { status, text } = await get(node, `/${format}/view/bench?api-key=key`);
    if (status !== 200) throw new Error(`No session was opened: ${text}`);
    const { sessionId } = JSON.parse(text) as { sessionId: string };
    figures.opened += 1;
    const base = `/${format}/bench/${sessionId}`;
    const paths = isDash ? [`${base}.mpd`] : [`${base}/v0.m3u8`, `${base}/a0.m3u8`];
    return { node, isDash, paths, base, follows: index < followers, requested: new Set() };
  }

  async function requestAds(player: Player, text: string): Promise<void> {
    for (const url of urlsIn(player.isDash, text)) {
      const path = url.slice(url.search(/\d+-\d+-\d+\//));
      if (!/^\d+-\d+-\d+\//.test(path) || player.requested.has(path)) continue;
      player.requested.add(path);
      const { status } = await get(player.node, `${player.base}/${path}`);
      if (status === 302) figures.adSegments += 1;
      else figures.failed += 1;
    }
  }

  async function poll(player: Player): Promise<void> {
    await Promise.all(
      player.paths.map(async (path) => {
        const { status, text } = await get(player.node, path);
        figures.manifests += 1;
        figures.manifestBytes += text.length;
        if (status !== 200) figures.failed += 1;
        else if (player.follows) await requestAds(player, text);
      }),
    );
  }

  function play(player: Player): void {
    const every = player.isDash ? MPD_MS : TARGET_MS;
    let next = performance.now() + random() * every;
    const wait = () => {
      if (isStopped) return;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          next += every;
          void poll(player).catch(() => {
            figures.failed += 1;
          });
          wait();
        },
        Math.max(0, next - performance.now()),
      );
      timers.add(timer);
    };
    wait();
  }

  return {
    async open() {
      for (let from = 0; from < count; from += 50) {
        const some = Array.from({ length: Math.min(50, count - from) }, (_, index) => openOne(from + index));
        for (const player of await Promise.all(some)) play(player);
      }
    },
    figures: () => ({ ...figures }),
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
