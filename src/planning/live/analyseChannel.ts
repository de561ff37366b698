// SPDX-License-Identifier: Apache-2.0
// Analyses the origins of a live channel before it is saved: what it would play, and what will not work.
import type { LiveChannel } from '../../channels/channel.ts';
import type { OriginAnalysis, PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import { describeEncryption } from '../../ingest/source/decryptSegment.ts';
import { createManifestDecoder } from '../../ingest/source/manifestText.ts';
import { createKeyedQueues, createTaskQueue, hostOf } from '../../ingest/taskQueue.ts';
import { withoutUndefined } from '../../invariant.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { type DescribedRendition, describeRendition } from '../describeRendition.ts';
import { liveFeedLadder } from './feedLadder.ts';
import type { AnalyseOrigin } from './planLiveChannel.ts';

export type AnalysedOrigin = Omit<OriginAnalysis, 'playable'> &
  Partial<Pick<PlayableOrigin, 'serves' | 'noDash' | 'targetDuration'>> & {
    readonly isPlayable: boolean;
    readonly renditions: readonly (DescribedRendition & { readonly isEncrypted: boolean })[];
  };

type LiveSources = Required<Pick<LiveChannel, 'sourceManifestUrl'>> &
  Pick<LiveChannel, 'sourceDashUrl' | 'backupManifestUrls' | 'segmentationTypes'>;

type AnalysedSources = {
  readonly sourceManifestUrl: AnalysedOrigin;
  readonly sourceDashUrl?: AnalysedOrigin;
  readonly backupManifestUrls?: readonly AnalysedOrigin[];
};

/** @param key of the caller: its analyses run one after the other. @returns `busy` if too many of them wait */
export type ChannelAnalyser = (key: string, sources: LiveSources) => Promise<AnalysedSources | 'busy'>;

/** The time limit of a response. */
const TIMEOUT_MS = 20_000;
/** The most analyses of a key: one is in progress, the others wait. */
const MAX_ANALYSES = 4;
/**
 * The most analyses at once in this process. Each has its own memory (ingest/source/manifestText.ts), until its last
 * read has ended.
 */
const MAX_AT_ONCE = 4;

export function createChannelAnalyser(analyse: AnalyseOrigin, timers: Timers): ChannelAnalyser {
  const keys = createKeyedQueues(1);
  const turns = createTaskQueue(MAX_AT_ONCE);

  async function inTime(url: string, analysing: Promise<OriginAnalysis>): Promise<AnalysedOrigin> {
    const analysis = await within(timers, TIMEOUT_MS, analysing);
    if (analysis !== undefined) return describe(analysis);
    const problems = [
      `the analysis took longer than ${TIMEOUT_MS / 1000} s; the origin responds slowly, or its manifests are long`,
    ];
    return { url, isPlayable: false, renditions: [], breaks: [], warnings: [], problems };
  }

  async function analyseAll(
    { sourceManifestUrl, sourceDashUrl, backupManifestUrls, segmentationTypes }: LiveSources,
    onFound: (found: Promise<AnalysedSources>) => void,
  ): Promise<void> {
    const decode = createManifestDecoder();
    const underWay: Promise<OriginAnalysis>[] = [];
    const start = (url: string): Promise<AnalysedOrigin> => {
      const analysing = analyse(url, segmentationTypes, decode);
      underWay.push(analysing);
      return inTime(url, analysing);
    };
    const found = Promise.all([
      start(sourceManifestUrl),
      sourceDashUrl === undefined ? undefined : start(sourceDashUrl),
      backupManifestUrls && Promise.all(backupManifestUrls.map(start)),
    ]);
    onFound(
      found.then(([main, dash, backups]) => ({
        sourceManifestUrl: main,
        ...withoutUndefined({ sourceDashUrl: dash && asDash(dash, main), backupManifestUrls: backups }),
      })),
    );
    await Promise.allSettled(underWay);
  }

  return async (key, sources) => {
    if (keys.users(key) >= MAX_ANALYSES) return 'busy';
    return new Promise((resolve, reject) => {
      keys.run(key, () => turns.run(() => analyseAll(sources, resolve), false)).catch(reject);
    });
  };
}

function asDash(origin: AnalysedOrigin, main: AnalysedOrigin): AnalysedOrigin {
  const problem =
    origin.format === 'hls'
      ? 'the DASH origin must lead to an MPD; got an HLS playlist'
      : main.format === 'dash'
        ? 'the DASH origin is not used, because the first origin is an MPD, too; remove one of them'
        : undefined;
  return problem === undefined ? origin : { ...origin, isPlayable: false, problems: [...origin.problems, problem] };
}

const isEncrypted = ({ tracks }: Asset['renditions'][number]): boolean =>
  tracks.some(({ protection }) => describeEncryption(protection) !== undefined);

function describe({ playable, ...found }: OriginAnalysis): AnalysedOrigin {
  const derived = playable === undefined ? undefined : liveFeedLadder(playable);
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
  ...withoutUndefined({ noDash }),
  targetDuration,
});

/** Each uses up to six connections, of the eight to a host. */
const ANALYSES_PER_HOST = 8;

/**
 * Analyses a limited number of origins of one host at once. An analysis has a time limit: when hundreds of channels are created
 * together, and all are analysed at once, most of them would only wait for the connections to their host, and fail.
 */
export function limitAnalyses(analyse: AnalyseOrigin, perHost = ANALYSES_PER_HOST): AnalyseOrigin {
  const hosts = createKeyedQueues(perHost);
  return (url, ...options) => hosts.run(hostOf(url), () => analyse(url, ...options));
}
