// SPDX-License-Identifier: Apache-2.0
// Players of live channels reduced to their polling: each requests a video and a sound playlist once per target duration.
import { Agent, request } from 'undici';
import { createTaskQueue } from '../src/ingest/taskQueue.ts';

const TARGET_MS = 4000;
const AT_ONCE = 16;

export type LivePlayers = Awaited<ReturnType<typeof startPlayers>>;

/** Opens one session of each channel, and polls. @returns when each player has received its playlists */
export async function startPlayers(liveUrl: string, channels: readonly string[]) {
  const dispatcher = new Agent({ connections: 32 });
  const get = async (path: string) => {
    const { statusCode, body } = await request(liveUrl + path, { dispatcher });
    return { status: statusCode, text: await body.text() };
  };
  /** Waits, as players do when a channel is not on air yet. @returns undefined if there is no such session any more */
  async function insist(path: string): Promise<string | undefined> {
    for (;;) {
      const { status, text } = await get(path);
      if (status === 200) return text;
      if (status === 404) return undefined;
      if (status !== 503) throw new Error(`${path} returned ${status}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  const opened = async (channel: string): Promise<string[]> => {
    for (;;) {
      const text = (await insist(`/hls/${channel}/master.m3u8?api-key=key`)) ?? '';
      const [video] = /^[^#\s]+v0\.m3u8$/m.exec(text) ?? [];
      const [, sound] = /URI="([^"]+a0[^"]*\.m3u8)"/.exec(text) ?? [];
      if (video === undefined || sound === undefined)
        throw new Error(`Channel ${channel} returned no playlists: ${text}`);
      const paths = [video, sound].map((name) => `/hls/${channel}/${name}`);
      // A session that is not watched within a minute is removed; on a busy machine, a player may be late.
      if ((await Promise.all(paths.map(insist))).every((each) => each !== undefined)) return paths;
    }
  };
  const queue = createTaskQueue(AT_ONCE);
  const paths = (await Promise.all(channels.map((channel) => queue.run(() => opened(channel), false)))).flat();
  let [polls, failed, sent] = [0, 0, 0];
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / TARGET_MS) * paths.length);
    for (; sent < due; sent += 1)
      void get(paths[sent % paths.length]!).then(
        ({ status }) => {
          polls += 1;
          if (status !== 200) failed += 1;
        },
        () => {
          failed += 1;
        },
      );
  }, 10);
  return {
    polls: () => polls,
    failed: () => failed,
    async stop() {
      clearInterval(timer);
      await dispatcher.close();
    },
  };
}
