// SPDX-License-Identifier: Apache-2.0
// Two processes on one PostgreSQL show a viewer one stream while the origin is away: slate is on air when one process is killed, and
// when the database does not respond.
import { afterAll, expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { opened, scratchFolder } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { startFreezingProxyOf } from '../../servers/freezingProxy.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { sendToAnyOf } from '../anyNode.ts';
import { airLive, segmentsOf, startOrigin } from '../liveStage.ts';
import { edgeOf } from '../liveTruth.ts';
import { type MidrollProcess, startMidroll } from '../midroll.ts';
import { openStageOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';
import { dies, expectNothingTwice, healthOf, originEvents, shownOrigins, urlOf, watchIn } from './shownOrigins.ts';

const dataDir = scratchFolder();

const database = await opened(createDatabase());
const proxy = await opened(startFreezingProxyOf(database.url));
const settings = { DATABASE_URL: proxy.url, DATA_DIR: dataDir };
const first = await opened(startMidroll(settings));
const nodes = [first, await opened(startMidroll({ ...settings, ROLE: 'serve' }))] as const;
const stage = await opened(openStageOf(first));
afterAll(proxy.thaw);

const FORMATS = ['hls', 'dash'] as const;
const edge = (viewer: Viewer) => edgeOf(viewer, viewer.rungs[0]!);
const isAway = (viewer: Viewer) => isOurs(segmentsOf(viewer, viewer.rungs[0]!).at(-1)!.uri);
/** Milliseconds of the timeline, from the first manifest on that a viewer has read. */
const passes = (viewers: readonly Viewer[], ms: number) =>
  Promise.all(
    viewers.map(async (viewer) => {
      await viewer.until('a manifest was read', () => Number.isFinite(edge(viewer)));
      const before = edge(viewer);
      await viewer.until(`the edge has moved by ${ms}`, () => edge(viewer) >= before + ms);
    }),
  );

/** What a process responds to the requests for the manifests of a session. */
async function manifestsOf({ liveUrl }: MidrollProcess, channel: string, { session, rungs }: Viewer): Promise<string> {
  const paths =
    channel === 'hls' ? rungs.map((rung) => `hls/hls/${session}/${rung}.m3u8`) : [`dash/dash/${session}.mpd`];
  const texts = await Promise.all(paths.map(async (path) => (await fetch(`${liveUrl}/${path}`)).text()));
  return texts
    .join('\n')
    .replaceAll(liveUrl, '')
    .replace(/ publishTime="[^"]*"/, '');
}

test('slate is one stream on processes that are killed and lose the database, and content returns', async () => {
  const random = seededRandom(2);
  /** During an outage of the database, viewers stay on one process. */
  let isPinned = false;
  const origins = await Promise.all(FORMATS.map(() => startOrigin(stage, { window: 12 })));
  await Promise.all(
    FORMATS.map((format, index) => airLive(stage, format, { sourceManifestUrl: urlOf(origins[index]!, format) })),
  );
  const send = FORMATS.map((_, index) => sendToAnyOf(nodes, () => (isPinned ? index / nodes.length : random())));
  const viewers = await Promise.all(
    FORMATS.map((format, index) => watchIn(stage, format, format, { send: send[index]! })),
  );
  await passes(viewers, 4000);

  const restore = origins.map(dies);
  await Promise.all(viewers.map((viewer) => viewer.until('slate', () => isAway(viewer))));
  await nodes[0].kill();
  await passes(viewers, 4000);
  await nodes[0].restart();
  await passes(viewers, 2000);
  isPinned = true;
  // Each viewer has read the newest edge from its process.
  await passes(viewers, 2000);
  proxy.freeze();
  await passes(viewers, 6000);
  proxy.thaw();
  await passes(viewers, 2000);
  const agree = async () => {
    const both = await Promise.all(
      nodes.map((node) => Promise.all(FORMATS.map((format, index) => manifestsOf(node, format, viewers[index]!)))),
    );
    return JSON.stringify(both[0]) === JSON.stringify(both[1]);
  };
  await viewers[0]!.until('both processes respond the same', agree);
  isPinned = false;
  for (const end of restore) end();
  await Promise.all(viewers.map((viewer) => viewer.until('content', () => !isAway(viewer))));
  await passes(viewers, 4000);
  await viewers[0]!.until('both processes respond the same', agree);
  await Promise.all(viewers.map((viewer) => viewer.leave()));

  for (const [index, format] of FORMATS.entries()) {
    const viewer = viewers[index]!;
    expect(viewer.faults).toEqual([]);
    expect(shownOrigins(viewer, { content: origins[index]! })).toEqual(['content', 'slate', 'content']);
    expectNothingTwice(viewer);
    expect(await healthOf(stage, format, format)).toMatchObject({ state: 'ok', onAir: { kind: 'source' } });
    const kinds = (await originEvents(stage, format)).map(({ onAir }) => onAir);
    expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual(['source', 'slate', 'source']);
  }
  // Warnings state that the database does not respond.
  expect(nodes.flatMap((node) => node.bugs()).filter((line) => !line.includes('"level":40'))).toEqual([]);
});
