// SPDX-License-Identifier: Apache-2.0
// Serves the manifests of viewers of one film, each with other ads, by the routes of the live port. Parameters: JSON in the
// first argument.
import type { AddressInfo } from 'node:net';
import { systemTimers } from '../src/adapters/systemClock.ts';
import type { Channel } from '../src/channels/channel.ts';
import type { PlayerDeps } from '../src/http/live/playerRequest.ts';
import { createLiveServer } from '../src/http/live/server.ts';
import { createProxies } from '../src/http/proxies.ts';
import { createViewings } from '../src/playback/viewings.ts';
import type { VodViewer } from '../src/playback/vod/vodViewer.ts';
import { millis } from '../src/time/units.ts';
import { breaksOf, clipMaker, film, layOutFor } from './vodPresentations.ts';

export type VodShape = {
  readonly format: 'hls' | 'dash';
  readonly viewers: number;
  readonly creatives: number;
};

const { format, viewers, creatives } = JSON.parse(process.argv[2]!) as VodShape;
const title = film();
const clips = clipMaker(title);
const channel = { id: 'film', tenant: 'bench', type: 'vod', tracking: 'server', apiKey: 'key' } as Channel;

const known = new Map<string, VodViewer>();
for (let n = 0; n < viewers; n += 1) {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const session = {
    kind: 'film',
    id,
    channelId: 'film',
    tenant: 'bench',
    openedAt: millis(Date.now()),
    vod: {},
  } as VodViewer['session'];
  const presentation = layOutFor(title, clips, n, breaksOf(title, n, creatives));
  known.set(id, { session, title, clips, presentation, countedInterval: 0 });
}

const enabled = [{ channel }];
// What is measured needs nothing else of these.
const playback = {
  airings: { find: () => enabled[0], named: () => enabled, refreshOnMiss: async () => false, revision: () => 0 },
  vod: {
    presentations: {
      find: async (id: string) => known.get(id),
      settled: (_: Channel, one: VodViewer) => one.presentation,
    },
  },
  viewers: { watch: () => true, seats: known },
};
const server = createLiveServer({
  ...playback,
  viewings: createViewings(playback as never),
  ...{ now: () => millis(Date.now()), timers: systemTimers, proxies: createProxies([]) },
  liveUrl: () => 'http://127.0.0.1',
  onError: (error: unknown) => console.error(error),
} as unknown as PlayerDeps & Parameters<typeof createLiveServer>[0]);
server.listen(0, '127.0.0.1', () => {
  const ids = [...known.keys()];
  const rungs = [title.ladder.rungs[0]!.id, title.ladder.rungs[5]!.id];
  const paths =
    format === 'hls'
      ? rungs.flatMap((rung) => ids.map((id) => `/hls/film/${id}/${rung}.m3u8`))
      : ids.map((id) => `/dash/film/${id}.mpd`);
  process.send?.({ port: (server.address() as AddressInfo).port, paths });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
