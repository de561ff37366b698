// SPDX-License-Identifier: Apache-2.0
// Checks a source before it is put on air: imports it as a channel does, and returns a result within limited time.
import { type CueReport, landCuePoints } from '../channels/cuePoints.ts';
import type { CuePoint } from '../channels/playlist.ts';
import type { AssetStore } from '../channels/ports.ts';
import { createTaskQueue } from '../ingest/taskQueue.ts';
import { type Clock, within } from '../time/clock.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { usableCutPoints } from '../timeline/asset/breakPoints.ts';
import { audioFault } from '../timeline/asset/mpegAudio.ts';
import { fitToLadder, ladderOf } from '../timeline/ladder/ladderOf.ts';
import { type DescribedRendition, describeRendition } from './describeRendition.ts';
import type { AssetSource, Imported } from './ports.ts';

type SourceCheckOptions = {
  readonly isFresh?: boolean;
  readonly spliceType?: 'seconds' | 'percent';
  readonly cuePoints?: readonly CuePoint[];
};

type SourceCheckResult =
  | { readonly state: 'importing' }
  | { readonly state: 'failed'; readonly reason: string }
  | {
      readonly state: 'ready';
      /** Seconds, as are the cut points. */
      readonly duration: number;
      readonly cutPoints: readonly number[];
      readonly renditions: readonly DescribedRendition[];
      readonly warnings: readonly string[];
      readonly cuePoints: readonly CueReport[];
    };

export type SourceChecker = ReturnType<typeof createSourceChecker>;

type SourceCheckerDeps = Clock & {
  readonly assets: AssetSource;
  readonly store: Pick<AssetStore, 'isUsedBy' | 'markChecked'>;
};

/** The time limit of a check. The import continues after it. */
const CHECK_TIMEOUT_MS = 10_000;
/** Imports of a tenant that are in progress or wait: each may use several connections for two minutes. */
const MAX_IMPORTS = 8;
/** The most imports at once in this process. Each has its own memory (ingest/source/manifestText.ts). */
const MAX_AT_ONCE = 4;

export function createSourceChecker({ assets, store, now, timers }: SourceCheckerDeps) {
  const turns = createTaskQueue(MAX_AT_ONCE);
  const underWayOf = new Map<string, Map<string, Promise<Imported>>>();

  /** What another tenant has imported is read again: only the origin decides who may see it. */
  async function importFor(tenant: string, url: string, isFresh: boolean): Promise<Imported> {
    const isRead = isFresh || !(await store.isUsedBy(tenant, url));
    const imported = await assets.find(url, isRead ? now() : 0);
    if (imported.ok) await store.markChecked(tenant, url, imported.key, now());
    return imported;
  }

  function importOnce(tenant: string, url: string, isFresh: boolean): Promise<Imported> | undefined {
    const underWay = underWayOf.get(tenant) ?? new Map<string, Promise<Imported>>();
    const known = underWay.get(url);
    if (known !== undefined || underWay.size >= MAX_IMPORTS) return known;
    const end = () => {
      underWay.delete(url);
      if (underWay.size === 0) underWayOf.delete(tenant);
    };
    const started = turns.run(() => importFor(tenant, url, isFresh), false).finally(end);
    // The caller may have timed out before it fails.
    started.catch(() => {});
    underWayOf.set(tenant, underWay.set(url, started));
    return started;
  }

  /** @param tenant has its own limit of concurrent imports. @returns `busy` if the limit is reached */
  return async (
    tenant: string,
    url: string,
    { isFresh = false, ...options }: SourceCheckOptions,
  ): Promise<SourceCheckResult | 'busy'> => {
    const importing = importOnce(tenant, url, isFresh);
    if (importing === undefined) return 'busy';
    const imported = await within(timers, CHECK_TIMEOUT_MS, importing);
    if (imported === undefined) return { state: 'importing' };
    return imported.ok ? describe(imported.asset, options) : { state: 'failed', reason: imported.reason };
  };
}

/** Uses the asset's own ladder. The result may differ in a channel whose first item has another ladder. */
function describe(asset: Asset, { spliceType, cuePoints = [] }: SourceCheckOptions): SourceCheckResult {
  const fault = audioFault(asset);
  if (fault !== undefined) return { state: 'failed', reason: fault };
  const ladder = ladderOf([asset]);
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return { state: 'failed', reason: fit.reason };
  const item = { sourceType: 'url' as const, url: asset.url, cuePoints, ...(spliceType ? { spliceType } : {}) };
  const { reports } = landCuePoints(item, asset, fit.renditions, ladder.frameRate);
  return {
    state: 'ready',
    duration: rounded(flicksToSeconds(asset.duration)),
    cutPoints: usableCutPoints(asset, fit.renditions).map((point) => rounded(flicksToSeconds(point))),
    renditions: asset.renditions.map(describeRendition),
    warnings: asset.warnings,
    cuePoints: reports,
  };
}

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
