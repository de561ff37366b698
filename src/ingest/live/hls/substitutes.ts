// SPDX-License-Identifier: Apache-2.0
// Playlists of other renditions in place of those that cannot be read or have stopped: where nothing else helps, viewers of the rung
// see the programme in another size, or hear it in another language, and those of the other rungs notice nothing.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import type { Millis } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/renditionKind.ts';
import { variantInPlace } from './nearestRendition.ts';
import type { FetchedPlaylist } from './requestPlaylist.ts';

type Fetched = FetchedPlaylist | OriginFailure | undefined;
type Rungs = LiveFeed['rungs'];

export type Substitutes = {
  /** @param fetched by rung. @returns the same, with substitutes; `warnings` receives a sentence for each */
  inPlace(fetched: readonly Fetched[], targetSeconds: number, warnings: string[]): Fetched[];
};

/** Target durations without a change after which a playlist has stopped, if others have changed meanwhile. */
const STOPPED = 2;

export function createSubstitutes(rungs: Rungs, now: () => Millis): Substitutes {
  const seen = new Map<number, { readonly text: string; readonly at: Millis }>();
  return {
    inPlace(fetched, targetSeconds, warnings) {
      const at = now();
      for (const [rung, each] of fetched.entries())
        if (each && 'text' in each && seen.get(rung)?.text !== each.text) seen.set(rung, { text: each.text, at });
      const changedAt = (rung: number): number => seen.get(rung)?.at ?? Number.NEGATIVE_INFINITY;
      const newest = Math.max(...rungs.map((_, rung) => changedAt(rung)));
      const faultOf = (rung: number): string | undefined => {
        const each = fetched[rung];
        if (each === undefined || 'refused' in each) return each?.refused ?? 'it is not listed';
        return newest - changedAt(rung) > STOPPED * targetSeconds * 1000 ? 'it has stopped' : undefined;
      };
      const living = [...rungs.keys()].filter((rung) => faultOf(rung) === undefined);
      return fetched.map((each, rung) => {
        const fault = rungs[rung]!.kind === 'text' ? undefined : faultOf(rung);
        const other = fault === undefined ? undefined : substituteFor(rungs, rung, living);
        if (other === undefined) return each;
        warnings.push(`rendition "${rungs[rung]!.key}" is replaced by "${rungs[other]!.key}": ${fault}`);
        return fetched[other];
      });
    },
  };
}

function substituteFor(rungs: Rungs, rung: number, living: readonly number[]): number | undefined {
  const { key, kind, language, codecs } = rungs[rung]!;
  const family = (text: string): string => text.split('.')[0]!;
  const alike = living.filter((one) => rungs[one]!.kind === kind && family(rungs[one]!.codecs) === family(codecs));
  const nearest = hasVideo(kind)
    ? variantInPlace(
        key,
        alike.map((one) => rungs[one]!.key),
      )
    : undefined;
  return (
    alike.find((one) => rungs[one]!.key === nearest) ??
    alike.find((one) => rungs[one]!.language === language) ??
    alike[0]
  );
}
