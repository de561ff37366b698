// SPDX-License-Identifier: Apache-2.0
// Nodes that serve viewers of a synthetic channel from one store; each has its own memory and disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileSpool } from '../../src/adapters/spool/fileSpool.ts';
import { createShownBreakSpool } from '../../src/adapters/spool/shownBreakSpool.ts';
import type { CreativeLibrary, CreativeState } from '../../src/ads/creative/creative.ts';
import type { AdRequestOutcome } from '../../src/ads/record/breakRecord.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { uncounted } from '../../src/playback/decide/countedChoice.ts';
import { createBreakDecider } from '../../src/playback/decide/decideBreak.ts';
import { createShownBreaks } from '../../src/playback/decide/shownBreaks.ts';
import { deadlineOfRequest, guidedBreaks, podOf, requestedBreak } from '../../src/playback/guided/guidedBreaks.ts';
import type { Airing } from '../../src/playback/onAir/airing.ts';
import { createAdRequests } from '../../src/playback/request/adRequests.ts';
import { createDemands } from '../../src/playback/request/demand.ts';
import type { BreakRequest } from '../../src/playback/request/requestSteps.ts';
import { channelView } from '../../src/playback/view/channelView.ts';
import { openSession } from '../../src/playback/view/openSession.ts';
import { type View, viewAt } from '../../src/playback/view/view.ts';
import { createSharedDecisions } from '../../src/playback/viewers/sharedDecisions.ts';
import { createStoreHealth, monitoredSessions } from '../../src/playback/viewers/storeHealth.ts';
import { createViewers, type Viewers } from '../../src/playback/viewers/viewers.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';
import type { Clock, Timers } from '../../src/time/clock.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { readVast } from '../../src/vast/read/readVast.ts';
import type { InLineAd } from '../../src/vast/response.ts';
import { airingOf, type SyntheticChannel } from './syntheticChannel.ts';
import { syntheticMedia } from './syntheticMedia.ts';

export type Node = {
  /** Opens a session. @returns its id */
  open(): Promise<string>;
  view(session: string): Promise<View>;
  /** Requests the list of the newest break, as the player of a guided viewer does. */
  list(session: string): Promise<{ readonly breakId: string; readonly pod: readonly string[] | undefined }>;
  /** Stores the breaks in its spool. */
  record(): Promise<void>;
};

export type Nodes = {
  add(): Node;
  /** Requests made, by session and break. */
  readonly requests: ReadonlyMap<string, number>;
  /** Error URLs called, by session and break. */
  readonly errors: ReadonlyMap<string, number>;
  /** Decisions counted, by break. */
  readonly recorded: ReadonlyMap<string, number>;
  close(): void;
};

const WINDOW = 30;

/** Accesses the store every second, as a node does to find out what is on air. */
function keepPolling(timers: Timers, poll: () => Promise<unknown>): void {
  const again = () => void timers.after(1000, () => poll().then(again, again));
  again();
}

/** The name of a file contains its length: `m3x125.mp4` has 125 frames. Conditioning a `lost` file fails. */
const libraryOf = (ladder: Ladder): CreativeLibrary => {
  const stateOf = (key: string): CreativeState => {
    const id = /(m\d+x\d+)\.mp4/.exec(key)?.[1];
    if (id === undefined) return { state: 'failed', reason: 'The file cannot be fetched.' } as CreativeState;
    return { state: 'ready', media: syntheticMedia(id, Number(id.split('x')[1]), ladder) };
  };
  return {
    prepare: (key) => stateOf(key),
    settled: async (key) => stateOf(key),
    slate: async () => ({ state: 'preparing' }),
    slateQueue: () => undefined,
  };
};

const adOf = (file: string, frames: number): InLineAd => {
  const read = readVast(
    `<VAST version="4.2"><Ad id="${file}"><InLine><AdSystem/><AdTitle>${file}</AdTitle><Error>http://t.example/e</Error><Creatives><Creative><Linear><Duration>00:00:${String(frames / 25).padStart(2, '0')}</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://c.example/${file}.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`,
  );
  if ('reason' in read) throw new Error(read.reason);
  return read.ads[0] as InLineAd;
};

/** @param random picks the ads of a response, and how long it takes */
export function createNodes(
  channel: () => SyntheticChannel,
  store: SessionStore,
  clock: Clock,
  random: () => number,
): Nodes {
  const { now, timers } = clock;
  const folders: string[] = [];
  const stops: (() => void)[] = [];
  const requests = new Map<string, number>();
  const errors = new Map<string, number>();
  const recorded = new Map<string, number>();
  const add = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1);
  const count = (map: Map<string, number>, { session, adBreak }: Pick<BreakRequest, 'session' | 'adBreak'>) =>
    add(map, `${session.id} ${adBreak.id}`);
  const airing = (): Airing => {
    const plain = airingOf(channel(), WINDOW);
    const adSource = { url: 'https://ads.example/vast' } as Channel['adSource'];
    return { ...plain, channel: { ...plain.channel, tracking: 'server', ...(adSource ? { adSource } : {}) } };
  };
  const requestAds = (context: BreakRequest): Promise<AdRequestOutcome> => {
    count(requests, context);
    const files = ['lost', ...['m0', 'm1', 'm2'].map((name) => `${name}x${25 * Math.ceil(1 + 5 * random())}`)];
    const ads = files.map((file) => ({ ad: adOf(file, Number(file.split('x')[1] ?? 25)) }));
    const request = { url: 'https://ads.example/vast', status: 200, ms: 1 };
    const outcome: AdRequestOutcome = { request, warnings: [], ads, dropped: [], errors: [] };
    return new Promise((resolve) => void timers.after(1500 * random(), () => resolve(outcome)));
  };

  return {
    requests,
    errors,
    recorded,
    add() {
      const log = () => {};
      const health = createStoreHealth(timers, log);
      const shared = createSharedDecisions({
        ...{ store: monitoredSessions(store, health), isShared: true, viewers: () => viewers, now, timers },
      });
      const { sessions } = shared;
      const viewers: Viewers = createViewers(sessions, health, 100);
      shared.start();
      stops.push(shared.stop);
      const folder = mkdtempSync(join(tmpdir(), 'midroll-node-'));
      folders.push(folder);
      const spool = createShownBreakSpool(createFileSpool(folder, { maxBytes: 1e6 }), log);
      const shown = createShownBreaks({ spool, sessions, log });
      const decider = createBreakDecider({
        ...{ requests: createAdRequests({ requestAds, sessions, now, timers, log }), sessions, viewers, health, shown },
        ...{ library: libraryOf(channel().ladder), now, timers, log },
        demandOf: createDemands(async () => new Map()),
        chooseCounted: uncounted,
        readCounts: async () => undefined,
        callNotices: () => {},
        callErrorUrls: (_, context) => count(errors, context),
        onRecorded: ({ record }) => add(recorded, record.id),
      });
      keepPolling(timers, () => health.track(() => store.find('')));
      return {
        async open() {
          const opening = { format: 'hls', parameters: {}, viewer: { address: '', userAgent: '' } } as const;
          return (await openSession(airing(), opening, sessions, viewers, now())).session.id;
        },
        async view(session) {
          const on = airing();
          const viewer = await viewers.find(session, on, now());
          if (viewer === undefined) throw new Error(`session ${session} is unknown`);
          return viewAt(on, viewer, decider, now());
        },
        async list(session) {
          const on = airing();
          // Chosen before anything is awaited, so that nodes that are asked at once are asked for the same break.
          const breakId = guidedBreaks(channelView(on, now())).at(-1)!.break.id;
          const viewer = await viewers.find(session, on, now());
          if (viewer === undefined) throw new Error(`session ${session} is unknown`);
          const own = requestedBreak(on, viewer.session, breakId, now())!;
          await decider.decideBy(on, viewer, own, deadlineOfRequest(on.channel, own, now()));
          const clips = podOf(on, viewer, breakId);
          return { breakId, pod: clips?.map(({ adId = 'slate', placed }) => `${adId} ${placed.clip.duration}`) };
        },
        record: () => shown.record(),
      };
    },
    close() {
      for (const stop of stops) stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
