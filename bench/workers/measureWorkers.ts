// SPDX-License-Identifier: Apache-2.0
// Midroll with so many processes on the live port, under as many requests for media playlists as it can answer. The load has the
// same processors, so what counts is the processor time of the processes.
import { readdirSync, rmSync } from 'node:fs';
import { startMediaOrigin } from '../../test/live/mediaOrigin.ts';
import { type MidrollProcess, startMidroll } from '../../test/live/midroll.ts';
import { makeVideo } from '../../test/live/testVideos.ts';
import { createChannel, UNLIMITED, untilServed } from '../channel.ts';
import { type LoadResult, runLoad } from '../harness/load.ts';
import { openAll, openConnections } from '../pollers.ts';
import { readStat } from '../scaling/processorTime.ts';

const SESSIONS = 2000;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const SECONDS = 5;
const VIDEO_SECONDS = 60;

export type WorkersFigures = {
  /** Processor time of a request in all serving processes, in microseconds. */
  readonly micros: number;
  /** Of all processes, the largest share of that time: 1 / n if the connections are distributed evenly. */
  readonly largestShare: number;
  readonly perSecond: number;
};

/** The processes that serve the live port: the children if there are several. Nothing is encoded meanwhile. */
function servingProcesses(pid: number, workers: number): number[] {
  if (workers === 1) return [pid];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((one) => readStat(one)?.parent === pid);
}

async function openSessions({ liveUrl }: MidrollProcess): Promise<string[]> {
  const connections = await openConnections(liveUrl, CONNECTIONS);
  const paths = await openAll(connections, SESSIONS);
  connections.close();
  return paths;
}

async function measure(midroll: MidrollProcess, paths: readonly string[], workers: number): Promise<WorkersFigures> {
  let sent = 0;
  const load = (seconds: number): Promise<LoadResult> =>
    runLoad({
      ...{ port: Number(new URL(midroll.liveUrl).port), connections: CONNECTIONS, seconds },
      next: () => paths[sent++ % paths.length]!,
    });
  await load(WARM_UP_SECONDS);
  const processes = servingProcesses(midroll.pid(), workers);
  const before = processes.map((pid) => readStat(pid)!.ms);
  const { requests, perSecond, fault } = await load(SECONDS);
  if (fault !== undefined) throw new Error(`wrong answer: ${fault}`);
  const used = processes.map((pid, index) => readStat(pid)!.ms - before[index]!);
  const total = used.reduce((sum, ms) => sum + ms, 0);
  return { micros: (1000 * total) / requests, largestShare: Math.max(...used) / total, perSecond };
}

/** @param program a bundle of src/main.ts */
export async function measureWorkers(program: string, workers: number): Promise<WorkersFigures> {
  const origin = await startMediaOrigin();
  const video = await makeVideo(origin.folder, 'video', { seconds: VIDEO_SECONDS, qualities: 2 });
  const midroll = await startMidroll({ WORKERS: String(workers), LOG_LEVEL: 'warn', ...UNLIMITED }, program);
  try {
    await createChannel(midroll, { video: origin.url + video, playlistSize: 60 });
    await untilServed(midroll);
    return await measure(midroll, await openSessions(midroll), workers);
  } finally {
    await midroll.close();
    await origin.close();
    rmSync(origin.folder, { recursive: true, force: true });
  }
}
