// SPDX-License-Identifier: Apache-2.0
// Plays the script of the golden test.
import { channelsOf, goldenWorld } from './channels.ts';
import { createScene, type Recorded } from './scene.ts';
import { type Moment, script } from './script.ts';
import { openStage } from './stage.ts';

const START = Date.parse('2026-03-01T12:00:00.000Z');
/** Seconds between two polls of every session; breaks are decided only for sessions that poll. */
const POLL = 4;

/** @returns what the script records, and what Midroll logs as an error */
export async function playGoldens(): Promise<Recorded & { readonly bugs: string }> {
  let origin = '';
  const stage = await openStage(START, (url) => {
    origin = url;
    return goldenWorld(url);
  });
  try {
    for (const { id, contents, startDate, ...channel } of channelsOf(origin)) {
      const type = channel.type === undefined ? {} : { type: channel.type };
      const playlist = { id, status: 'enabled', contents, ...type, ...(startDate ? { startDate } : {}) };
      await stage.api('POST', '/playlists', playlist);
      await stage.api('POST', '/channels', { id, apiKey: 'key', state: 'enabled', playlistId: id, ...channel });
    }
    const scene = createScene(stage);
    const moments = script(scene, origin);
    const last = Math.max(...moments.map(([second]) => second));
    const polls = Array.from({ length: Math.floor(last / POLL) }, (_, index): Moment => [index * POLL, scene.poll]);
    for (const [second, act] of [...moments, ...polls].sort(([a], [b]) => a - b)) {
      await stage.moveTo(START + 1000 * second);
      await act(second);
    }
    return { ...scene.recorded, bugs: stage.bugs.join('') };
  } finally {
    await stage.close();
  }
}
