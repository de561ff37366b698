// An ad that came back, on its way to the screen: which of its media files is tried, and what has become of it so far.
import type { TriedAd } from '../ads/breakStory.ts';
import type { CreativeLibrary, CreativeState } from '../ads/creative.ts';
import { chooseMediaFiles, type KeyedSource } from '../ads/mediaFile.ts';
import type { PodCandidate } from '../ads/pod.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { fillMacros, type MacroValues } from '../vast/macros.ts';
import type { ResolvedAd } from './askAdsAnswer.ts';

/** A file that fails is followed by the next best, so many times. */
const MOST_FILES = 3;

export type TriedCandidate = TriedAd & {
  /** Resolves when its creative is ready, or nothing is left to try. */
  readonly settled: Promise<unknown>;
  /** As it stands now. */
  readonly candidate: () => PodCandidate;
};

const filled = (sources: readonly KeyedSource[], variables: MacroValues): KeyedSource[] =>
  sources.map(({ key, source }) => ({ key, source: { ...source, url: fillMacros(source.url, variables) } }));

async function prepareBest(
  sources: readonly KeyedSource[],
  ladder: Ladder,
  library: CreativeLibrary,
  report: (state: CreativeState, key: string) => void,
): Promise<void> {
  for (const { key, source } of sources.slice(0, MOST_FILES)) {
    report(library.prepare(key, source, ladder), key);
    const state = await library.settled(key, ladder);
    report(state, key);
    if (state.state === 'ready') return;
  }
}

/**
 * @param variables for macros in media URLs; the key stays what the ad server wrote, so that a cache-buster does not
 *   make a new creative of the same file
 */
export function candidateFor(
  { ad, sequence }: ResolvedAd,
  ladder: Ladder,
  library: CreativeLibrary,
  variables: MacroValues = () => undefined,
): TriedCandidate {
  const chosen = chooseMediaFiles(ad, ladder);
  const isNone = 'code' in chosen;
  const length = isNone ? undefined : chosen.creative.linear?.duration;
  const described = {
    ...(ad.adTitle ? { title: ad.adTitle } : {}),
    duration: length === undefined ? 0 : flicksToSeconds(length),
  };
  let creative: PodCandidate['creative'] = isNone
    ? { state: 'none', reason: chosen.text, code: chosen.code }
    : { state: 'preparing' };
  let key = ad.id ?? '';
  const settled = isNone
    ? Promise.resolve()
    : prepareBest(filled(chosen.sources, variables), ladder, library, (state, its) => {
        creative = state;
        key = its;
      });
  const order = sequence === undefined ? {} : { sequence };
  return { ad, ...described, settled, candidate: () => ({ id: ad.id ?? '', key, creative, ...described, ...order }) };
}
