// SPDX-License-Identifier: Apache-2.0
// An installation with 205 channels, of which 12 have a problem, and 510 playlists.
import { type AdminTestOptions, offAir } from '../../servers/adminServer.ts';
import { type ConsoleTest, startConsole } from '../startConsole.ts';

export const CHANNELS = 205;
export const PLAYLISTS = 510;
const REFUSED = 'The ad server ads.example.com refuses the connection.';
const SINCE = '2026-03-01T03:12:00.000Z';
const themes = ['Sport', 'News', 'Kids', 'Films'] as const;

const numberOf = (id: string): number => Number(id.slice('ch-'.length));
/** Nine have a dead ad server, three cannot play. */
export const hasDeadServer = (number: number): boolean => number % 23 === 3;
const isBroken = (number: number): boolean => number === 50 || number === 100 || number === 150;
/** Viewers of a channel. */
export const viewersOf = (number: number): number => (number * 37) % 41;

const onAir: NonNullable<AdminTestOptions['onAir']> = {
  ...offAir,
  async channelStatus({ id, state }) {
    const number = numberOf(id);
    if (state === 'disabled') return { state };
    if (isBroken(number)) return { state: 'failed', stateReason: 'Its playlist has no item that can be played.' };
    if (!hasDeadServer(number)) return { state };
    const adServer = 'ads.example.com:443';
    return { state, problems: [{ kind: 'ad-server', since: SINCE, text: REFUSED, adServer }] };
  },
  viewerCounts: async (_tenant, ids) => new Map(ids.map((id) => [id, viewersOf(numberOf(id))])),
};

const create = (collection: string, body: object) => ({ method: 'POST', path: `/api/v2/${collection}`, body });

/** Names are those of one theme in turn: `Sport 4`, `News 5`. */
export const nameOf = (number: number): string => `${themes[number % themes.length]} ${number}`;

export async function startManyChannels(): Promise<ConsoleTest> {
  const desk = await startConsole({ onAir });
  const playlists = Array.from({ length: PLAYLISTS }, (_, index) =>
    create('playlists', { id: `loop-${index + 1}`, name: `Loop ${index + 1}`, status: 'enabled', contents: [] }),
  );
  const channels = Array.from({ length: CHANNELS }, (_, index) => {
    const number = index + 1;
    return create('channels', {
      id: `ch-${number}`,
      name: nameOf(number),
      state: 'enabled',
      type: number % 20 === 5 ? 'vod' : 'vod2live',
      playlistId: `loop-${1 + (index % 10)}`,
      labels: [themes[number % themes.length]],
      adSource: { url: 'https://ads.example.com/vast', timeoutMs: 900 },
    });
  });
  for (const changes of [playlists.slice(0, 500), playlists.slice(500), channels])
    await desk.api('POST', '/batch', { changes });
  return desk;
}
