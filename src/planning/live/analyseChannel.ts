// SPDX-License-Identifier: Apache-2.0
// Analyses the origins of a live channel before it is saved: what it would play, and what will not work.
import type { OriginAnalysis, OriginWarning, PlayableOrigin, SeenBreak } from '../../ingest/live/originAnalysis.ts';
import { describeEncryption } from '../../ingest/source/describeEncryption.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { type DescribedRendition, describeRendition } from '../describeRendition.ts';
import { feedLadder } from './feedLadder.ts';
import type { AnalyseOrigin } from './planLiveChannel.ts';

export type AnalysedOrigin = {
  readonly url: string;
  readonly isPlayable: boolean;
  readonly format?: 'hls' | 'dash';
  readonly serves?: 'hls' | 'dash' | 'both';
  readonly noDash?: string;
  readonly targetDuration?: number;
  readonly window?: { readonly seconds: number; readonly segments: number };
  readonly hasDates?: boolean;
  readonly renditions: readonly (DescribedRendition & { readonly isEncrypted: boolean })[];
  readonly breaks: readonly SeenBreak[];
  readonly warnings: readonly OriginWarning[];
  readonly problems: readonly string[];
};

export type LiveSources = {
  readonly sourceManifestUrl: string;
  readonly sourceDashUrl?: string;
  readonly backupManifestUrls?: readonly string[];
  readonly segmentationTypes?: readonly number[];
};

export type AnalysedSources = {
  readonly sourceManifestUrl: AnalysedOrigin;
  readonly sourceDashUrl?: AnalysedOrigin;
  readonly backupManifestUrls?: readonly AnalysedOrigin[];
};

/** @returns `busy` if the tenant has too many analyses in progress */
export type ChannelAnalyser = (tenant: string, sources: LiveSources) => Promise<AnalysedSources | 'busy'>;

/** The time limit of a response. */
const TIMEOUT_MS = 20_000;
/** Concurrent analyses per tenant. Each uses several connections. */
const MAX_ANALYSES = 8;

export function createChannelAnalyser(analyse: AnalyseOrigin, timers: Timers): ChannelAnalyser {
  const underWay = new Map<string, number>();

  async function analyseInTime(url: string, types: readonly number[] | undefined): Promise<AnalysedOrigin> {
    const analysis = await within(timers, TIMEOUT_MS, analyse(url, types));
    if (analysis !== undefined) return describe(analysis);
    const problems = [`the analysis took longer than ${TIMEOUT_MS / 1000} s; the origin responds slowly`];
    return { url, isPlayable: false, renditions: [], breaks: [], warnings: [], problems };
  }

  return async (tenant, { sourceManifestUrl, sourceDashUrl, backupManifestUrls, segmentationTypes }) => {
    const before = underWay.get(tenant) ?? 0;
    if (before >= MAX_ANALYSES) return 'busy';
    underWay.set(tenant, before + 1);
    try {
      const [main, dash, backups] = await Promise.all([
        analyseInTime(sourceManifestUrl, segmentationTypes),
        sourceDashUrl === undefined ? undefined : analyseInTime(sourceDashUrl, segmentationTypes),
        backupManifestUrls && Promise.all(backupManifestUrls.map((url) => analyseInTime(url, segmentationTypes))),
      ]);
      return {
        sourceManifestUrl: main,
        ...(dash === undefined ? {} : { sourceDashUrl: asDash(dash, main) }),
        ...(backups === undefined ? {} : { backupManifestUrls: backups }),
      };
    } finally {
      const left = underWay.get(tenant)! - 1;
      if (left === 0) underWay.delete(tenant);
      else underWay.set(tenant, left);
    }
  };
}

/** An origin as `sourceDashUrl`. */
function asDash(origin: AnalysedOrigin, main: AnalysedOrigin): AnalysedOrigin {
  const problem =
    origin.format === 'hls'
      ? 'sourceDashUrl must lead to an MPD; got an HLS playlist'
      : main.format === 'dash'
        ? 'sourceDashUrl is not used, because sourceManifestUrl is an MPD; remove one of them'
        : undefined;
  return problem === undefined ? origin : { ...origin, isPlayable: false, problems: [...origin.problems, problem] };
}

const isEncrypted = ({ tracks }: Asset['renditions'][number]): boolean =>
  tracks.some(({ protection }) => describeEncryption(protection) !== undefined);

function describe({ playable, ...found }: OriginAnalysis): AnalysedOrigin {
  const derived = playable === undefined ? undefined : feedLadder(playable);
  const misfit = typeof derived === 'string' ? [derived] : [];
  const leftOut = typeof derived === 'object' ? derived.warnings.map((text) => ({ text })) : [];
  return {
    ...found,
    isPlayable: typeof derived === 'object',
    ...(playable === undefined ? {} : factsOf(playable, typeof derived === 'object')),
    renditions: (playable?.asset.renditions ?? []).map((rendition) => ({
      ...describeRendition(rendition),
      isEncrypted: isEncrypted(rendition),
    })),
    warnings: [...found.warnings, ...leftOut],
    problems: [...found.problems, ...misfit],
  };
}

const factsOf = ({ serves, noDash, targetDuration }: PlayableOrigin, isPlayable: boolean) => ({
  ...(isPlayable ? { serves } : {}),
  ...(noDash === undefined ? {} : { noDash }),
  targetDuration,
});
