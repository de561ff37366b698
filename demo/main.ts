// SPDX-License-Identifier: Apache-2.0
// `midroll demo` starts an origin, an ad server, Midroll and a page on loopback; with --cluster, Midroll is several nodes with
// what they need. Ctrl-C stops all of them and deletes the data, unless DATA_DIR is set.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startAdServer } from './adServer.ts';
import { startCluster } from './cluster/cluster.ts';
import { type ClusterControl, createClusterControl } from './cluster/clusterStatus.ts';
import { startEncoderOrigin } from './encoder/encoderOrigin.ts';
import { startLiveChannel } from './encoder/liveDemo.ts';
import { findFreePort } from './listen.ts';
import { startMidrollProcess } from './midrollProcess.ts';
import { packagedFolder, startOrigin } from './origin.ts';
import { startPageServer } from './pageServer.ts';
import { prepareAds, untilOnAir } from './prepare.ts';
import { createProgress } from './progress.ts';
import { addBreaks, isSeeded, seed, seedDemand, seedSchedule } from './seed.ts';
import { writePlaces } from './tour.ts';
import { startDemoViewers } from './viewers.ts';

const apiKey = 'demo-key';
const PREPARATION_SECONDS = 120;
const isTemporary = !process.env.DATA_DIR;
const progress = createProgress();
const stops: (() => unknown)[] = [];

let stopping: Promise<never> | undefined;
/** Stops everything in reverse order. */
function stop(code: number): Promise<never> {
  stopping ??= (async () => {
    for (const each of stops.reverse()) await each();
    process.exit(code);
  })();
  return stopping;
}
const started = <T extends { close(): Promise<void> }>(service: T): T => {
  stops.push(() => service.close());
  return service;
};

/** @throws with what to do when the folder cannot be created */
function openDataDir(): string {
  const configured = process.env.DATA_DIR;
  try {
    if (configured) {
      mkdirSync(configured, { recursive: true });
      accessSync(configured, constants.W_OK);
      return resolve(configured);
    }
    const folder = mkdtempSync(join(tmpdir(), 'midroll-demo-'));
    stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const folder = configured || tmpdir();
    throw new Error(`Files cannot be created in ${folder} (${code}). Set DATA_DIR to a folder that is writable.`);
  }
}

/** What the rest of the demo uses of Midroll. */
type Installation = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** A file, or a folder with a file for each process. */
  readonly log: string;
  readonly cluster?: ClusterControl;
};

/** Starts Midroll on the default ports, or on others if they are taken, also when another demo takes them meanwhile. */
async function startMidroll(dataDir: string, attempts = 5): Promise<Installation> {
  const adminPort = await findFreePort(8080);
  const livePort = await findFreePort(adminPort + 1);
  try {
    const midroll = started(await startMidrollProcess({ adminPort, livePort, dataDir, isTemporary, apiKey }));
    midroll.died.then((last) => {
      progress.note(`Midroll stopped. ${last}`);
      return stop(1);
    });
    return { ...midroll, log: midroll.logFile };
  } catch (error) {
    if (stopping || attempts <= 1 || !(error as Error).message.includes('EADDRINUSE')) throw error;
    return startMidroll(dataDir, attempts - 1);
  }
}

async function startNodes(dataDir: string): Promise<Installation> {
  const onOpen = (close: () => Promise<void>) => stops.push(close);
  const cluster = await startCluster({ dataDir, apiKey, isTemporary, port: 8080, note: progress.show, onOpen });
  return { ...cluster, log: cluster.logFolder, cluster: createClusterControl(cluster) };
}

async function run({ isCluster }: DemoOptions): Promise<void> {
  const dataDir = openDataDir();
  const origin = started(await startOrigin(8090));
  const adServer = started(await startAdServer(8091, origin.url));
  const hasFfmpeg = spawnSync(process.env.FFMPEG || 'ffmpeg', ['-version']).status === 0;
  if (!hasFfmpeg) {
    progress.note('ffmpeg not found: breaks show the two prebuilt ads and slate, and there is no live channel.');
    cpSync(packagedFolder, join(dataDir, 'prebuilt'), { recursive: true });
  }
  if (!isCluster) progress.show('Starting Midroll');
  if (stopping) return;
  const { adminUrl, liveUrl, log, cluster } = await (isCluster ? startNodes : startMidroll)(dataDir);
  const api = { adminUrl, apiKey };
  // The first break of a new channel begins when its ads are ready. Kept data have them.
  const isNew = !(await isSeeded(api));
  await seed(api, { origin: origin.url, adServer: adServer.url }, !isNew);
  progress.show('Importing the videos and encoding the slate');
  await untilOnAir(api, 90);
  await prepareAds(api, origin.url, PREPARATION_SECONDS, undefined, (ready) =>
    progress.show(`Conditioning the ads: ${ready} ready`),
  );
  if (isNew) await addBreaks(api, origin.url);
  stops.push(startDemoViewers(liveUrl));
  const targets = { ...api, liveUrl, adServerUrl: adServer.url, originUrl: origin.url };
  const encoder = hasFfmpeg ? started(await startEncoderOrigin(8093)) : undefined;
  const page = started(await startPageServer(8092, { ...targets, encoder, cluster }));
  progress.clear();
  console.log(writePlaces({ ...targets, pageUrl: page.url, log, keptFolder: process.env.DATA_DIR }));
  // Last, so that they take no processor time from the start of the first channel.
  await seedSchedule(api, { origin: origin.url, adServer: adServer.url });
  await seedDemand(api, { origin: origin.url, adServer: adServer.url });
  if (encoder === undefined) return;
  const live = { origin: encoder, media: origin.url, adServer: adServer.url };
  await startLiveChannel(api, live).catch(({ message }: Error) => {
    if (!stopping) progress.note(`The live channel did not start. ${message}`);
  });
}

export type DemoOptions = { readonly isCluster: boolean };

export function startDemo(options: DemoOptions): void {
  // The reader of the output has ended, for example `head`.
  process.stdout.on('error', () => stop(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  run(options).catch((error: Error) => {
    if (stopping) return;
    progress.note(error.message);
    return stop(1);
  });
}
