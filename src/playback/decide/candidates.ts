// An ad that came back, on its way to the screen: which of its media files is tried, and what has become of it so far.

import type { CreativeLibrary, CreativeOwner, CreativeState } from '../../ads/creative/creative.ts';
import { chooseMediaFiles, type KeyedSource, withOnly } from '../../ads/pod/chooseMediaFiles.ts';
import type { PodCandidate } from '../../ads/pod/fitPod.ts';
import type { ResolvedAd } from '../../ads/record/adRequestOutcome.ts';
import type { TriedAd } from '../../ads/record/buildBreakRecord.ts';
import { flicksToSeconds } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder.ts';
import { fillMacros, type MacroValues } from '../../vast/macros.ts';

/** A file that fails is followed by the next best, so many times. */
const MOST_FILES = 3;

export type TriedCandidate = TriedAd & {
  /** Resolves when its creative is ready, or nothing is left to try. */
  readonly settled: Promise<unknown>;
  /** As it stands now. */
  readonly candidate: () => PodCandidate;
  /** Has a copy made of what is shown as it is, one that can be cut and held, for the breaks to come. */
  readonly conditionCopy: () => void;
};

/** What is made of a creative although its own segments could be shown: the library keeps it beside them. */
const loose = ({ key, source }: KeyedSource): KeyedSource => ({
  key: `${key} conditioned`,
  source: { ...source, asIs: false },
});

const filled = (sources: readonly KeyedSource[], variables: MacroValues): KeyedSource[] =>
  sources.map(({ key, source }) => ({ key, source: { ...source, url: fillMacros(source.url, variables) } }));

/** What was made before anybody asked for the ad may be known by its URL alone: then nobody waits for what its id names. */
async function madeAhead(
  { key, source }: KeyedSource,
  ladder: Ladder,
  library: CreativeLibrary,
): Promise<CreativeState> {
  const ahead = key === source.url ? undefined : await library.settled(source.url, ladder);
  return ahead?.state === 'ready' ? ahead : library.settled(key, ladder);
}

async function prepareBest(
  sources: readonly KeyedSource[],
  ladder: Ladder,
  library: CreativeLibrary,
  owner: CreativeOwner | undefined,
  report: (state: CreativeState, from: KeyedSource) => void,
): Promise<void> {
  for (const from of sources.slice(0, MOST_FILES)) {
    const { key, source } = from;
    const known = library.prepare(key, source, ladder, owner);
    report(known, from);
    const state = await (known.state === 'preparing' ? madeAhead(from, ladder, library) : library.settled(key, ladder));
    report(state, from);
    if (state.state !== 'ready') continue;
    if (state.media.asset === undefined) return;
    const copy = await library.settled(loose(from).key, ladder);
    if (copy.state === 'ready') report(copy, from);
    return;
  }
}

/**
 * @param variables for macros in media URLs; the key stays what the ad server wrote, so that a cache-buster does not
 *   make a new creative of the same file
 */
export function candidateFor(
  { ad, sequence, breakTracking }: ResolvedAd,
  ladder: Ladder,
  library: CreativeLibrary,
  variables: MacroValues = () => undefined,
  owner?: CreativeOwner,
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
  let from: KeyedSource | undefined;
  const identity = isNone ? undefined : chosen.identity;
  const settled = isNone
    ? Promise.resolve()
    : prepareBest(filled(chosen.sources, variables), ladder, library, owner, (state, its) => {
        creative = state;
        from = its;
      });
  const order = sequence === undefined ? {} : { sequence };
  return {
    ad: isNone ? ad : withOnly(ad, chosen.creative),
    ...(breakTracking === undefined ? {} : { breakTracking }),
    ...described,
    /** As it stands when the ad's story is written. */
    get assetUrl() {
      return from?.source.url;
    },
    settled,
    candidate: () => ({ id: ad.id ?? '', key: identity ?? from?.key ?? ad.id ?? '', creative, ...described, ...order }),
    conditionCopy: () => {
      if (from === undefined) return;
      const { key, source } = loose(from);
      library.prepare(key, source, ladder, owner);
    },
  };
}
