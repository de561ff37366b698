// SPDX-License-Identifier: Apache-2.0
// The only file of this test that imports from src/. When a module moves or is renamed, change its import here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMediaFiles } from '../../src/adapters/media/mediaFiles.ts';
import { sqlAssets } from '../../src/adapters/sql/channels/sqlAssets.ts';
import { startMidroll } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openSqlite } from '../../src/database.ts';
import { mediaId, slateId } from '../../src/ingest/condition/plan/planEncode.ts';
import { packRows } from '../../src/ingest/package/packAsset.ts';
import type { Clock } from '../../src/time/clock.ts';
import { millis } from '../../src/time/units.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { ladderOf } from '../../src/timeline/ladder/ladderOf.ts';

export type { Clock } from '../../src/time/clock.ts';
export type { Asset, Rendition, Track } from '../../src/timeline/asset/asset.ts';

type Ladder = ReturnType<typeof ladderOf>;

/** A conditioned creative or slate that Midroll finds on its shelf. */
export type ShelvedMedia = {
  readonly kind: 'creative' | 'slate';
  /** The creative's UniversalAdId and file name, or its URL; absent for the built-in slate. */
  readonly key?: string;
  /** Part of its URLs: 8 or more hexadecimal digits. */
  readonly id: string;
  readonly seconds: number;
  /** The creative's own segments, for an as-is creative. */
  readonly asset?: Asset;
};

/** The media for a channel that plays these assets in this order. */
export type ShelfOrder = { readonly assets: readonly [Asset, ...Asset[]]; readonly media: readonly ShelvedMedia[] };

/** Stores assets as if they had been imported at an instant. @returns their ids by the keys in the URLs of their subtitles */
export async function storeAssets(
  dataDir: string,
  assets: readonly Asset[],
  importedAt: number,
): Promise<ReadonlyMap<string, string>> {
  const sql = await openSqlite(dataDir);
  const store = sqlAssets(sql);
  const names = new Map<string, string>();
  for (const asset of assets) names.set(await store.put(asset.url, asset, millis(importedAt)), asset.id);
  await sql.close();
  return names;
}

function conditioned({ kind, id, seconds, asset }: ShelvedMedia, ladder: Ladder) {
  const { container, frameRate } = ladder;
  const ofPictures = frameRate.d === 1 ? 1000 * frameRate.n : frameRate.n;
  const rungs = ladder.rungs
    .filter((rung) => rung.kind !== 'text')
    .map(({ kind: what, codecs, bandwidth, averageBandwidth, sampleRate }) => ({
      codecs,
      timescale: container === 'ts' ? 90_000 : what === 'audio' ? sampleRate : ofPictures,
      bandwidth,
      averageBandwidth,
    }));
  const frames = Math.round((seconds * frameRate.n) / frameRate.d);
  const media = { id, frames, rungs, ...(asset === undefined ? {} : { asset }) };
  return { kind, container, frameRate, media, tracks: [], rungs: [] };
}

export async function putOnShelf(dataDir: string, { assets, media }: ShelfOrder): Promise<void> {
  const ladder = ladderOf(assets);
  const files = createMediaFiles({ dataDir });
  for (const one of media) {
    const folder = join(dataDir, 'media', one.id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'meta.json'), JSON.stringify(conditioned(one, ladder), packRows));
    const name = one.kind === 'slate' ? slateId(one.key, ladder) : mediaId(one.kind, one.key!, ladder);
    await files.name(name, one.id);
  }
}

export type Midroll = { readonly adminUrl: string; readonly liveUrl: string; close(): Promise<void> };

/** Starts Midroll in this process, on the test's clock. */
export async function startWholeMidroll(
  clock: Clock,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<Midroll> {
  const read = readConfig(settings);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return startMidroll(read.config, undefined, { clock, logTo: { write: log } });
}
