// SPDX-License-Identifier: Apache-2.0
// An ad of the response: the media file that is tried for it, and the state of that file's preparation.

import type {
  AdNames,
  CreativeLookup,
  CreativeOwner,
  CreativeRequester,
  CreativeState,
} from '../../ads/creative/creative.ts';
import {
  chooseMediaFiles,
  type KeyedSource,
  shownCreative,
  withoutOtherLinears,
} from '../../ads/pod/chooseMediaFiles.ts';
import type { PodCandidate } from '../../ads/pod/fitPod.ts';
import type { ResolvedAd } from '../../ads/record/breakRecord.ts';
import type { TriedAd } from '../../ads/record/buildBreakRecord.ts';
import { withoutUndefined } from '../../invariant.ts';
import { flicksToSeconds } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fillMacros, type MacroValues } from '../../vast/macros.ts';

/** Media files tried per ad, best first. */
const MAX_FILES = 3;

export type TriedCandidate = TriedAd & {
  /** Resolves when the creative is ready or every file has failed. */
  readonly settled: Promise<unknown>;
  readonly candidate: () => PodCandidate;
  /** Conditions a creative that is used as is, so that later breaks have a copy that can be cut and extended. */
  readonly conditionCopy: () => void;
};

/** The conditioned copy of a creative that can be used as is; the library keeps both. */
const copyOf = ({ key, source }: KeyedSource): KeyedSource => ({
  key: `${key} conditioned`,
  source: { ...source, asIs: false },
});

const filled = (sources: readonly KeyedSource[], variables: MacroValues): readonly KeyedSource[] =>
  sources.map((one) => {
    const url = fillMacros(one.source.url, variables);
    return url === one.source.url ? one : { key: one.key, source: { ...one.source, url } };
  });

/** A creative prepared before the first ad request may be stored under its URL instead of its id. Then it is used at once. */
async function settledByUrl(
  { key, source }: KeyedSource,
  ladder: Ladder,
  library: CreativeLookup,
): Promise<CreativeState> {
  const byUrl = key === source.url ? undefined : await library.settled(source.url, ladder);
  return byUrl?.state === 'ready' ? byUrl : library.settled(key, ladder);
}

/** As reports and traces call them. */
function namesOf(ad: ResolvedAd['ad']): AdNames {
  return withoutUndefined({ adId: ad.id, creativeId: shownCreative(ad)?.id, title: ad.adTitle });
}

async function prepareBest(
  sources: readonly KeyedSource[],
  ladder: Ladder,
  library: CreativeLookup,
  by: CreativeRequester | undefined,
  report: (state: CreativeState, from: KeyedSource) => void,
): Promise<void> {
  for (const from of sources.slice(0, MAX_FILES)) {
    const { key, source } = from;
    const known = library.prepare(key, source, ladder, by);
    report(known, from);
    const state = await (known.state === 'preparing'
      ? settledByUrl(from, ladder, library)
      : library.settled(key, ladder));
    report(state, from);
    // Only where nothing is requested: the file is the one that a viewer's break would wait for.
    if (state.state === 'preparing') return;
    if (state.state !== 'ready') continue;
    if (state.media.asset === undefined) return;
    const copy = await library.settled(copyOf(from).key, ladder);
    if (copy.state === 'ready') report(copy, from);
    return;
  }
}

/**
 * @param variables macro values for media URLs. The key keeps the URL as the ad server wrote it: a cache-buster does not turn
 *   the same file into a new creative.
 */
export function candidateFor(
  { ad, sequence, fallback, breakTracking, offer, isFiller }: ResolvedAd,
  ladder: Ladder,
  library: CreativeLookup,
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
  const shown = isNone ? ad : withoutOtherLinears(ad, chosen.creative);
  const identity = isNone ? undefined : chosen.identity;
  const by: CreativeRequester | undefined = owner && { ...owner, ad: namesOf(shown) };
  const settled = isNone
    ? Promise.resolve()
    : prepareBest(filled(chosen.sources, variables), ladder, library, by, (state, source) => {
        creative = state;
        from = source;
      });
  const order = withoutUndefined({ step: offer?.step, sequence, fallback, isFiller });
  return {
    ad: shown,
    ...withoutUndefined({ breakTracking, offer }),
    ...described,
    /** Read when the record of the break is written. */
    get assetUrl() {
      return from?.source.url;
    },
    settled,
    candidate: () => ({ id: ad.id ?? '', key: identity ?? from?.key ?? ad.id ?? '', creative, ...described, ...order }),
    conditionCopy: () => {
      if (from === undefined) return;
      const { key, source } = copyOf(from);
      library.prepare(key, source, ladder, by);
    },
  };
}
