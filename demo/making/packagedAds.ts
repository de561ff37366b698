// SPDX-License-Identifier: Apache-2.0
// Ads and slate that are already conditioned for the ladder of the demo, for machines without ffmpeg. Midroll itself creates
// them; they are stored under the ids that it uses.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../src/adapters/http/httpOrigin.ts';
import { createFfmpeg } from '../../src/adapters/media/ffmpeg.ts';
import { createMediaFiles, type MediaFolders } from '../../src/adapters/media/mediaFiles.ts';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { openSqlite } from '../../src/database.ts';
import { mediaId, slateId } from '../../src/ingest/condition/plan/planEncode.ts';
import { createCreativeLibrary } from '../../src/ingest/creatives/creativeLibrary.ts';
import { createCreativeWorker } from '../../src/ingest/creatives/creativeWorker.ts';
import { importAsset } from '../../src/ingest/import/importAsset.ts';
import { millis } from '../../src/time/units.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { ladderOf } from '../../src/timeline/ladder/ladderOf.ts';
import { packagedFolder, startOrigin } from '../origin.ts';

/** Two of the four, to keep the repository small. */
const packagedSpots = ['coffee', 'islands'];
/** The key of a creative in Midroll: its UniversalAdId (vastResponse.ts) and the name of its file. */
const keyOf = (spot: string): string => `midroll-demo:${spot} ${spot}.mp4`;

const openOrigin = () => createHttpOrigin(createEgressGuard({ allow: ['127.0.0.0/8'] }));

async function demoLadder(originUrl: string): Promise<Ladder> {
  const imported = await importAsset(`${originUrl}/tide/master.m3u8`, openOrigin());
  if (!imported.ok) throw new Error(imported.reason);
  return ladderOf([imported.asset]);
}

const idsFor = (ladder: Ladder): string[] => [
  slateId(undefined, ladder),
  ...packagedSpots.map((spot) => mediaId('creative', keyOf(spot), ladder)),
];

/** The folders that Midroll reads when it plays the demo. */
export async function packagedIds(): Promise<string[]> {
  const origin = await startOrigin(0);
  const ladder = await demoLadder(origin.url).finally(() => origin.close());
  return idsFor(ladder);
}

export async function makePackagedAds(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'midroll-packaged-'));
  const origin = await startOrigin(0);
  const ladder = await demoLadder(origin.url);
  const sql = await openSqlite(':memory:');
  const mediaStore = createMediaFiles({ dataDir });
  const shared = { mediaStore, jobs: sqlCreatives(sql), now: () => millis(Date.now()), timers: systemTimers };
  const warn = (message: string, facts: object) => console.error(message, facts);
  const worker = createCreativeWorker({
    ...shared,
    origin: openOrigin(),
    ffmpeg: createFfmpeg(),
    log: { info: () => undefined, warn: (facts, message) => warn(message, facts) },
  });
  const library = createCreativeLibrary({ ...shared, warn, onEnqueued: worker.wake });
  await library.slate(ladder);
  for (const spot of packagedSpots) {
    library.prepare(keyOf(spot), { url: `${origin.url}/spots/${spot}.mp4`, mimeType: 'video/mp4' }, ladder);
    const made = await library.settled(keyOf(spot), ladder);
    if (made.state !== 'ready') throw new Error(`${spot}: ${JSON.stringify(made)}`);
  }
  await origin.close();
  await rm(packagedFolder, { recursive: true, force: true });
  for (const id of idsFor(ladder)) await storeUnder(id, mediaStore);
  library.close();
  await worker.stop();
  await sql.close();
  await rm(dataDir, { recursive: true });
}

/** Stores media under an id that does not depend on its content: a demo without ffmpeg cannot read the source. */
async function storeUnder(id: string, mediaStore: MediaFolders): Promise<void> {
  const folder = join(packagedFolder, id);
  const packaged = mediaStore.find(id)!;
  await cp(mediaStore.folderOf(id)!, folder, { recursive: true });
  await writeFile(join(folder, 'meta.json'), JSON.stringify({ ...packaged, media: { ...packaged.media, id } }));
}
