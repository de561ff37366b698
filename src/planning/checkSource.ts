// A look at a source before it is put on air: imported as a channel would import it, with an answer in bounded time.
import type { CueReport } from '../channels/cuePoints.ts';
import { landCuePoints, usableCutPoints } from '../channels/cuePoints.ts';
import type { CuePoint } from '../channels/playlist.ts';
import { type Timers, within } from '../time/clock.ts';
import { flicksToSeconds, type Millis } from '../time/units.ts';
import type { Asset, Rendition } from '../timeline/asset.ts';
import { fitToLadder, ladderOf } from '../timeline/ladderOf.ts';
import { soundFault } from '../timeline/mpegAudio.ts';
import type { AssetSource, Imported } from './ports.ts';

export type SourceCheckOptions = {
  readonly isFresh?: boolean;
  readonly spliceType?: 'seconds' | 'percent';
  readonly cuePoints?: readonly CuePoint[];
};

type FoundRendition = Pick<Rendition, 'kind' | 'codecs' | 'bandwidth' | 'width' | 'height' | 'language'> & {
  readonly framesPerSecond?: number;
};
export type SourceCheckResult =
  | { readonly state: 'importing' }
  | { readonly state: 'failed'; readonly reason: string }
  | {
      readonly state: 'ready';
      /** Seconds, as are the cut points. */
      readonly duration: number;
      readonly cutPoints: readonly number[];
      readonly renditions: readonly FoundRendition[];
      readonly warnings: readonly string[];
      readonly cuePoints: readonly CueReport[];
    };

/** @param who may have so many read at a time: nobody waits for what others asked for */
export type SourceChecker = (
  who: string,
  url: string,
  question: SourceCheckOptions,
) => Promise<SourceCheckResult | 'busy'>;

export type SourceCheckerDeps = { readonly assets: AssetSource; readonly now: () => Millis; readonly timers: Timers };

/** Milliseconds after which an answer is given, whatever the source does. */
const PATIENCE = 10_000;
/** Sources that are read for one at a time: each may hold several connections for two minutes. */
const MOST_UNDER_WAY = 8;

export function createSourceChecker({ assets, now, timers }: SourceCheckerDeps): SourceChecker {
  const underWayOf = new Map<string, Map<string, Promise<Imported>>>();

  function importOnce(who: string, url: string, isFresh: boolean): Promise<Imported> | undefined {
    const underWay = underWayOf.get(who) ?? new Map<string, Promise<Imported>>();
    const known = underWay.get(url);
    if (known !== undefined || underWay.size >= MOST_UNDER_WAY) return known;
    const end = () => {
      underWay.delete(url);
      if (underWay.size === 0) underWayOf.delete(who);
    };
    const started = assets.find(url, isFresh ? now() : 0).finally(end);
    // Who asked may have left by the time that it fails.
    started.catch(() => {});
    underWayOf.set(who, underWay.set(url, started));
    return started;
  }

  return async (who, url, { isFresh = false, ...wanted }) => {
    const importing = importOnce(who, url, isFresh);
    if (importing === undefined) return 'busy';
    const imported = await within(timers, PATIENCE, importing);
    if (imported === undefined) return { state: 'importing' };
    return imported.ok ? describe(imported.asset, wanted) : { state: 'failed', reason: imported.reason };
  };
}

/** On its own ladder: what a channel with another first item makes of it, only that channel can say. */
function describe(asset: Asset, { spliceType, cuePoints = [] }: SourceCheckOptions): SourceCheckResult {
  const unheard = soundFault(asset);
  if (unheard !== undefined) return { state: 'failed', reason: unheard };
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

const describeRendition = ({ kind, codecs, bandwidth, width, height, language, frameRate }: Rendition) => ({
  kind,
  codecs,
  bandwidth,
  ...(width === undefined ? {} : { width }),
  ...(height === undefined ? {} : { height }),
  ...(language === undefined ? {} : { language }),
  ...(frameRate === undefined ? {} : { framesPerSecond: Math.round((frameRate.n / frameRate.d) * 1000) / 1000 }),
});
