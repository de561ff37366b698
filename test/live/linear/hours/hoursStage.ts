// SPDX-License-Identifier: Apache-2.0
// Midroll on a virtual clock for hours, restarted with its data, with a folder of media for each entry and an origin for each live
// programme, so that the URLs in playlists name the entry.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createVirtualClock } from '../../../clock/virtualClock.ts';
import { openedInTest, scratchFolderInTest } from '../../../opened.ts';
import { startMediaOrigin } from '../../mediaOrigin.ts';
import type { Midroll } from '../../midroll.ts';
import { startMidrollInProcess } from '../../midrollInProcess.ts';
import { type LiveOrigin, startLiveOrigin } from '../../origin/liveOrigin.ts';
import { item } from '../../stage.ts';
import { makeVideo } from '../../testVideos.ts';
import { filmLengths, isLive, type LiveKind, type PlannedEntry } from './plannedHours.ts';

/** Of the films, and of one of the origins: four seconds. */
const FRAMES = 100;

export type HoursStage = Awaited<ReturnType<typeof openHours>>;

/** The same in each run: channels are planned at times that depend on the hour. */
const STARTS_AT = Date.parse('2031-03-29T14:20:00.123Z');

export async function openHours() {
  const clock = await openedInTest(createVirtualClock(STARTS_AT));
  const media = await openedInTest(startMediaOrigin());
  const DATA_DIR = scratchFolderInTest();
  const origins = new Map<string, LiveOrigin>();
  const bugs: string[] = [];
  let isAway = false;
  let ports = {};
  const start = () => openedInTest(startMidrollInProcess(clock, { DATA_DIR, ...ports }));
  let midroll: Midroll = await start();
  ports = { ADMIN_PORT: new URL(midroll.adminUrl).port, LIVE_PORT: new URL(midroll.liveUrl).port };
  for (const seconds of [...filmLengths, 52])
    await makeVideo(media.folder, `film${seconds}`, { seconds, framesPerSegment: FRAMES });

  async function originOf({ id }: PlannedEntry, kind: LiveKind): Promise<string> {
    const breaks = kind === 'marked' ? { hlsMarkers: 'cue', breaks: { every: 100, seconds: 20 } } : {};
    const shape = kind === 'join' ? {} : { media: 'long' };
    const origin = await openedInTest(startLiveOrigin({ clock, ...breaks, ...shape } as never));
    origins.set(id, origin);
    return origin.hlsUrl;
  }

  async function sourceOf(entry: PlannedEntry): Promise<object> {
    const { id, plays } = entry;
    if ('live' in plays) {
      const ends = plays.live === 'join' || plays.live === 'move' ? { end: 'manual', overrun: plays.live } : {};
      const sourceManifestUrl = await originOf(entry, plays.live);
      return { live: { sourceManifestUrl, plannedDuration: plays.seconds, ...ends } };
    }
    await symlink(join(media.folder, `film${plays.film}`), join(media.folder, id));
    return { url: `${media.url}/${id}/master.m3u8` };
  }

  return {
    clock,
    midroll: () => midroll,
    origins,
    isAway: () => isAway,
    /** Its URL without the name of a file: what segments of the entry have in common. */
    ofEntry: (id: string): string => origins.get(id)?.url ?? `${media.url}/${id}`,
    async toEntry(entry: PlannedEntry): Promise<object> {
      const { id, start: at, breaks } = entry;
      const fixed = at === undefined ? {} : { start: new Date(at).toISOString() };
      const own = isLive(entry) || breaks === undefined ? {} : { breaks };
      return { id, title: `Title of ${id}`, source: await sourceOf(entry), ...fixed, ...own };
    },
    async createChannel(): Promise<void> {
      const contents = [item(`${media.url}/film52/master.m3u8`)];
      await midroll.create('playlists', { id: 'filler', status: 'enabled', contents });
      const window = { playlistSize: 180, breakDuration: 30 };
      const channel = { id: 'one', state: 'disabled', apiKey: 'key', playlistId: 'filler', ...window };
      await midroll.create('channels', channel);
    },
    /** Sends a request that must succeed. @returns the JSON of the response */
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
    async api(method: string, path: string, body?: object): Promise<any> {
      const { status, json } = await midroll.api(method, `/channels/one${path}`, body);
      if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(json)}`);
      return json;
    },
    async restart(away: number): Promise<void> {
      isAway = true;
      await midroll.close();
      bugs.push(...midroll.bugs());
      await clock.sleep(away);
      midroll = await start();
      isAway = false;
    },
    bugs: () => [...bugs, ...midroll.bugs()],
  };
}
