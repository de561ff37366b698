// SPDX-License-Identifier: Apache-2.0
// Runs several installations at the same time, so that other work on the machine affects them alike, and counts what each uses in the
// phases around breaks: while nothing is decided, while breaks are decided, and while ads play.
import { setTimeout as sleep } from 'node:timers/promises';
import { startMediaOrigin } from '../../test/live/mediaOrigin.ts';
import { makeVideo } from '../../test/live/testVideos.ts';
import { makeSpots, sleepUntil } from '../channel.ts';
import { startAds } from '../startAds.ts';
import { between, type Figures } from './figures.ts';
import {
  type Installation,
  type InstallationShape,
  SESSION_TTL_SECONDS,
  startInstallation,
  type Timing,
} from './installation.ts';
import { createPlayers, type Players, type PlayersShape } from './players.ts';

/** As the profile of a viewer-hour has them: a break of four ads. */
export const ADS = 4;
export const AD_SECONDS = 15;
const AD_SERVER_MS = 100;
const BREAK_SECONDS = ADS * AD_SECONDS;
const TIMING: Timing = { contentSeconds: 180, cueSeconds: 90, breakSeconds: BREAK_SECONDS };
const CREATIVES = 5;
/** The longest lead of a decision (src/playback/viewers/breaks.ts), and a little more. */
const LEAD_MS = 61_000;
/** Until the last segments of a break were requested, and their beacons sent. */
const AFTER_MS = 27_000;
const WINDOW_MS = 15_000;
const EARLY: PlayersShape = { perNode: 4, followers: 8 };
const IDLE_AFTER_MS = 20_000;
/** Several times the longest interval of periodic tasks. */
const IDLE_MS = 45_000;
const OPENING_MS = 24_000;

export type Phases = {
  readonly shape: InstallationShape;
  /** Without viewers. */
  readonly idle: Figures;
  readonly opening: Figures;
  /** Windows without a decision or an ad. */
  readonly polling: readonly Figures[];
  /** While the decisions of a break are made. */
  readonly deciding: readonly Figures[];
  readonly playing: readonly Figures[];
  readonly ending: Figures;
  readonly rowBytes: Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>;
  readonly outcomes: Readonly<Record<string, number>>;
};

async function startMedia() {
  const origin = await startMediaOrigin();
  const shape = { seconds: TIMING.contentSeconds, framesPerSegment: 150 };
  const content = origin.url + (await makeVideo(origin.folder, 'content', shape));
  return { origin, content, spots: await makeSpots(origin, CREATIVES, AD_SECONDS) };
}

/** How breaks were filled, as one node states it for some sessions. */
async function outcomesOf({ nodes }: Installation): Promise<Record<string, number>> {
  const { json } = await nodes[0]!.api('GET', '/channels/bench/sessions?limit=100');
  const counts: Record<string, number> = {};
  for (const { id } of (json.items ?? json) as { id: string }[]) {
    const trace = await nodes[0]!.api('GET', `/sessions/${id}`);
    for (const { status, reason } of trace.json.breaks ?? []) {
      const key = reason === undefined ? status : `${status} ${reason.code}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

async function measureOne(
  installation: Installation,
  players: Players,
  breaks: readonly number[],
  say: (text: string) => void,
): Promise<Phases> {
  const { shape } = installation;
  const read = () => installation.figures(players.figures());
  const over = async (end: number): Promise<Figures> => {
    const before = await read();
    await sleepUntil(end);
    return between(before, await read());
  };
  const windows = async (end: number): Promise<Figures[]> => {
    const found: Figures[] = [];
    while (Date.now() + WINDOW_MS <= end) found.push(await over(Date.now() + WINDOW_MS));
    return found;
  };
  const [first, ...measured] = breaks as [number, ...number[]];
  // For the first break, creatives are conditioned for a few viewers.
  const early = createPlayers(installation, EARLY);
  await early.open();
  await sleepUntil(first + 1000 * BREAK_SECONDS);
  await early.stop();
  await sleep(IDLE_AFTER_MS);
  const idle = await over(Date.now() + IDLE_MS);
  const before = await read();
  await players.open();
  say(`${shape.name}: ${players.figures().opened} sessions opened`);
  // That they are watched is stored after the first requests.
  await sleep(OPENING_MS);
  const opening = between(before, await read());
  const polling = await windows(measured[0]! - LEAD_MS);
  const [deciding, playing]: [Figures[], Figures[]] = [[], []];
  for (const [index, at] of measured.entries()) {
    await sleepUntil(at - LEAD_MS);
    deciding.push(await over(at));
    playing.push(await over(at + 1000 * BREAK_SECONDS + AFTER_MS));
    say(`${shape.name}: ${JSON.stringify({ ...playing.at(-1), postgres: undefined })}`);
    const next = measured[index + 1];
    if (next !== undefined) polling.push(...(await windows(next - LEAD_MS)));
  }
  const outcomes = await outcomesOf(installation);
  const watched = await read();
  await players.stop();
  await sleep(1000 * (SESSION_TTL_SECONDS + 40));
  const ending = between(watched, await read());
  const rowBytes = await installation.postgres.rowBytes();
  return { shape, idle, opening, polling, deciding, playing, ending, rowBytes, outcomes };
}

/** @param count measured breaks of each */
export async function measureInstallations(
  shapes: readonly InstallationShape[],
  players: PlayersShape,
  count: number,
  say: (text: string) => void,
): Promise<Phases[]> {
  const media = await startMedia();
  const ads = await startAds({ creatives: media.spots, seconds: AD_SECONDS, ads: ADS, latencyMs: AD_SERVER_MS });
  const installations: Installation[] = [];
  try {
    for (const [number, shape] of shapes.entries()) installations.push(await startInstallation({ shape, number, ads }));
    const breaks = await Promise.all(installations.map((one) => one.goOnAir(TIMING, media.content)));
    say(`${shapes.length} installations on air`);
    const all = installations.map((one) => createPlayers(one, players));
    return await Promise.all(
      installations.map((one, index) => measureOne(one, all[index]!, breaks[index]!.slice(0, count + 1), say)),
    );
  } finally {
    for (const { nodes } of installations)
      for (const node of nodes) for (const bug of node.bugs().slice(0, 3)) say(bug);
    await Promise.all(installations.map((one) => one.close()));
    ads.stop();
    await media.origin.close();
  }
}
