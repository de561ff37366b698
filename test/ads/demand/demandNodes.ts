// SPDX-License-Identifier: Apache-2.0
// Three processes of Midroll with one store, for tests of demand: players that any of them serves, and what they state about it.
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { sendToAnyOf } from '../../live/anyNode.ts';
import { apiKey, type MidrollProcess, startMidroll } from '../../live/midroll.ts';
import { openStageOf, type Stage } from '../../live/stage.ts';
import type { Viewer, Watching } from '../../live/viewer.ts';
import { opened, scratchFolder } from '../../opened.ts';
import type { SteppedBreak } from './demandStage.ts';

const NODES = 3;

export type DemandNodes = {
  readonly stage: Stage;
  readonly nodes: readonly MidrollProcess[];
  /** Sends a request of a player to any of them, until it is answered. */
  send(url: string, init?: RequestInit): Promise<Response>;
  /** Watches in one format, with each request at any process. */
  watch(channel: string, format: 'hls' | 'dash', how?: Partial<Watching>): Promise<Viewer>;
};

/** For a test file: the processes end after its tests. @param settings such as that of the database */
export async function openNodes(
  settings: Readonly<Record<string, string>>,
  random: () => number,
): Promise<DemandNodes> {
  const all = { ...settings, DATA_DIR: scratchFolder() };
  const nodes = [await opened(startMidroll(all))];
  while (nodes.length < NODES) nodes.push(await opened(startMidroll({ ...all, ROLE: 'serve' })));
  const stage = await opened(openStageOf(nodes[0]!));
  const send = sendToAnyOf(nodes, random);
  return {
    stage,
    nodes,
    send,
    watch: (channel, format, how = {}) =>
      stage.watch(channel, {
        ...(format === 'hls' ? { dash: false } : { hls: false, opens: 'dash' }),
        ...{ send, isTimed: false, fetches: 'ours', ...how },
      }),
  };
}

/** The breaks of a session as a process states them, oldest first. */
export async function breaksAt(
  node: MidrollProcess,
  { session }: Pick<Viewer, 'session'>,
): Promise<readonly SteppedBreak[]> {
  const { json } = await node.api('GET', `/sessions/${session}`);
  return json.breaks.map((one: { startsAt: string }) => ({ ...one, at: Date.parse(one.startsAt) }));
}

/** What a process responds to the requests for the manifests of a session, of both formats. */
export async function manifestsAt(
  { liveUrl }: MidrollProcess,
  channel: string,
  { session, rungs }: Viewer,
): Promise<string> {
  const playlists = rungs.map((rung) => `hls/${channel}/${session}/${rung}.m3u8`);
  const paths = [...playlists, `dash/${channel}/${session}.mpd`];
  const texts = await Promise.all(paths.map(async (path) => (await fetch(`${liveUrl}/${path}`)).text()));
  return texts
    .join('\n')
    .replaceAll(liveUrl, '')
    .replace(/ publishTime="[^"]*"/, '');
}

/** All rows of the ledger. */
export async function ledgerOf({ adminUrl }: MidrollProcess): Promise<BeaconResponse[]> {
  const headers = { 'x-api-key': apiKey, accept: 'application/x-ndjson' };
  const text = await (await fetch(`${adminUrl}/api/v2/beacons`, { headers })).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
