// SPDX-License-Identifier: Apache-2.0
// How soon a break by hand is on air, on a virtual clock: from the request until the timeline contains it, and until each node
// lists its first segment. Blackouts, which need no ad decision.
import { expect, test } from 'vitest';
import { isOurs, readHls } from '../../laws/readBack.ts';
import { openedInTest, scratchFolder } from '../../opened.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { airLive, startOrigin } from '../liveStage.ts';
import type { Midroll } from '../midroll.ts';
import { startMidrollInProcess } from '../midrollInProcess.ts';
import { openVirtualStage, type Stage } from '../stage.ts';

const dataDir = scratchFolder();

/** Milliseconds, of each segment of the origin: its target duration. */
const SEGMENT = 2000;
/** How often the origin is read at least. */
const READING = SEGMENT / 2;
/** Nodes that share a database show entries so much later, and read orders so often. */
const VISIBLE_DELAY = 1000;
const ORDER_POLL = 500;
/** New entries are stored together. */
const GATHERING = 50;
/** How often manifests are read, apart from what the test waits for. */
const STEP = 50;
/** Milliseconds after a border of segments at which breaks are requested. */
const PHASES = [0, 330, 660, 990, 1320, 1650];
/** One of them is between a reading of the origin and its storing, which takes the time of gathering. */
const EVERY_PHASE = Array.from({ length: SEGMENT / 40 }, (_, index) => index * 40);

/** What one node has listed in which order: whether it is ours, and when it was first listed. */
type Listing = { readonly seen: Map<number, { readonly isOurs: boolean; readonly at: number }>; lastContent: number };

/** Reads the media playlist of a session on a node. */
function reader({ clock }: Stage, { liveUrl }: Midroll, channel: string, session: string, rung: string) {
  const listing: Listing = { seen: new Map(), lastContent: -1 };
  const url = `${liveUrl}/hls/${channel}/${session}/${rung}.m3u8`;
  return {
    listing,
    async read() {
      const response = await fetch(url);
      if (response.status !== 200) return;
      const { segments } = readHls(await response.text());
      for (const { number, uri } of segments)
        if (!listing.seen.has(number)) listing.seen.set(number, { isOurs: isOurs(uri), at: clock.now() });
      listing.lastContent = segments.findLast(({ uri }) => !isOurs(uri))?.number ?? listing.lastContent;
    },
  };
}

type Reader = ReturnType<typeof reader>;
type Measured = { readonly logged: number; readonly listed: number; readonly contentBefore: number };

/** Requests a blackout of three segments, and reads until all readers list content again. */
async function measure(stage: Stage, channel: string, id: string, readers: readonly Reader[]): Promise<Measured[]> {
  const { clock, midroll } = stage;
  const postedAt = clock.now();
  const { status } = await midroll.api('POST', `/channels/${channel}/breaks`, {
    ...{ kind: 'blackout', id, duration: (3 * SEGMENT) / 1000 },
  });
  expect(status).toBe(201);
  // On a busy machine, content may have been listed while the request was under way.
  await Promise.all(readers.map((one) => one.read()));
  const last = readers.map(({ listing }) => listing.lastContent);
  let loggedAt: number | undefined;
  const first = ({ listing }: Reader, after: number) =>
    [...listing.seen].filter(([number, { isOurs: own }]) => number > after && own).map(([number]) => number)[0];
  while (clock.now() < postedAt + 6 * SEGMENT && readers.some((one, index) => first(one, last[index]!) === undefined)) {
    await Promise.all(readers.map((one) => one.read()));
    if (loggedAt === undefined) {
      const { json } = await midroll.api('GET', `/channels/${channel}/breaks`);
      const isLogged = json.items.some(
        (one: { sourceId?: string; origin?: string }) => one.sourceId === id && one.origin,
      );
      if (isLogged) loggedAt = clock.now();
    }
    await clock.sleep(STEP);
  }
  return readers.map((one, index) => {
    const number = first(one, last[index]!);
    expect(number, `break ${id} on reader ${index}`).toBeDefined();
    const contentBefore = number! - last[index]! - 1;
    return {
      logged: (loggedAt ?? Number.NaN) - postedAt,
      listed: one.listing.seen.get(number!)!.at - postedAt,
      contentBefore,
    };
  });
}

async function measureAll(
  stage: Stage,
  nodes: readonly Midroll[],
  watched: readonly Midroll[],
  phases: readonly number[],
): Promise<Measured[]> {
  const { clock } = stage;
  const channel = `soon${watched.map((node) => nodes.indexOf(node)).join('')}`;
  const origin = await startOrigin(stage, { breaks: { every: 0, seconds: 12 } });
  await airLive(stage, channel, { sourceManifestUrl: origin.hlsUrl });
  if (nodes.length > 1) await clock.sleep(5000);
  const viewer = await stage.watch(channel, { dash: false, fetches: false, liveUrl: watched[0]!.liveUrl } as object);
  await viewer.until('segments', () => viewer.listed.get(viewer.rungs[0]!)!.size >= 6);
  const readers = watched.map((node) => reader(stage, node, channel, viewer.session, viewer.rungs[0]!));
  // Both nodes keep the feed in use.
  for (let count = 0; count < 10; count += 1) {
    await Promise.all(readers.map((one) => one.read()));
    await clock.sleep(500);
  }
  const all: Measured[] = [];
  for (const [index, phase] of phases.entries()) {
    await clock.sleep(SEGMENT - (clock.now() % SEGMENT) + phase);
    const measured = await measure(stage, channel, `b${index}`, readers);
    all.push(...measured);
    // The break is over, and the nodes have been read.
    for (let count = 0; count < 20; count += 1) {
      await Promise.all(readers.map((one) => one.read()));
      await clock.sleep(500);
    }
  }
  expect(viewer.faults).toEqual([]);
  await viewer.leave();
  return all;
}

const most = (all: readonly Measured[], of: keyof Measured): number => Math.max(...all.map((one) => one[of]));

test('on one node, the first segment that is listed after the response belongs to the break', async () => {
  const stage = await openedInTest(openVirtualStage());
  const all = await measureAll(stage, [stage.midroll], [stage.midroll], EVERY_PHASE);
  expect(most(all, 'contentBefore')).toBe(0);
  expect(most(all, 'listed')).toBeLessThanOrEqual(SEGMENT + READING + STEP);
  expect(most(all, 'logged')).toBeLessThanOrEqual(GATHERING + 2 * STEP);
});

test('on nodes that share a database, at most one segment of content is listed before', async () => {
  const database = await openedInTest(createDatabase());
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
  const stage = await openedInTest(openVirtualStage(settings));
  const other = await startMidrollInProcess(stage.clock, { ...settings, ROLE: 'serve' });
  stage.onClose(other.close);
  const nodes = [stage.midroll, other];
  for (const watched of [nodes, [other]]) {
    const all = await measureAll(stage, nodes, watched, PHASES);
    expect(most(all, 'contentBefore')).toBeLessThanOrEqual(1);
    expect(most(all, 'listed')).toBeLessThanOrEqual(2 * SEGMENT + READING + VISIBLE_DELAY + STEP);
    // A node that has no viewers of the channel leaves it to the other one.
    const reading = watched.length === nodes.length ? 0 : ORDER_POLL;
    expect(most(all, 'logged')).toBeLessThanOrEqual(reading + GATHERING + 2 * STEP);
  }
});
