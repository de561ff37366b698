// SPDX-License-Identifier: Apache-2.0
// Which of several BaseURLs of an MPD work: they are tried in order, each with a byte of a segment.
import type { MpdRepresentation } from '../../dash/mpd.ts';
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { Origin } from '../ports.ts';
import { shortUrl } from './mediaReader.ts';

type Based = Pick<MpdRepresentation<unknown>, 'bases' | 'where'>;

const TIMEOUT_MS = 5000;

export function createDeadBases(origin: Origin) {
  const dead = new Map<string, string>();

  async function failureOf({ url, range }: MediaRef, signal: AbortSignal | undefined): Promise<string | undefined> {
    const first = { start: range?.start ?? 0, length: 1 };
    const read = await origin.read(url, { range: first, maxBytes: 1, timeoutMs: TIMEOUT_MS, signal });
    return read.ok ? undefined : `${shortUrl(url)} ${read.reason}`;
  }

  return {
    isDead: (base: string): boolean => dead.has(base),
    /**
     * Tries the BaseURLs that these Representations use, each once.
     * @param sampleOf a segment under the BaseURL that is in use; undefined if it has none
     * @returns `again`: one does not work, and another one may; the MPD has to be read again for it. `hopeless`: those of which
     * none works
     */
    async check<Media extends Based>(
      media: readonly Media[],
      sampleOf: (one: Media) => MediaRef | undefined,
      signal?: AbortSignal,
    ) {
      const tried = new Map<string, Media>();
      for (const one of media)
        if (one.bases !== undefined && !tried.has(one.bases.used)) tried.set(one.bases.used, one);
      const failed = await Promise.all(
        [...tried].map(async ([base, one]) => {
          const sample = sampleOf(one);
          const failure = sample && (await failureOf(sample, signal));
          if (failure === undefined) dead.delete(base);
          else dead.set(base, failure);
          return failure === undefined ? [] : [one];
        }),
      );
      const without = failed.flat();
      if (without.some(({ bases }) => bases?.all.some((base) => !dead.has(base)))) return 'again' as const;
      return {
        hopeless: without.map((one) => {
          const reasons = one.bases?.all.flatMap((base) => dead.get(base) ?? []) ?? [];
          return { one, refused: `${one.where}: none of its BaseURLs works: ${reasons.join('; ')}` };
        }),
      };
    },
    /** One sentence for each BaseURL that would be used if it worked. */
    warnings(media: readonly Based[]): string[] {
      const before = media.flatMap(({ bases }) => bases?.all.slice(0, bases.all.indexOf(bases.used)) ?? []);
      return [...new Set(before)].map((base) => `the BaseURL ${shortUrl(base)} is not used: ${dead.get(base)}`);
    },
    /** Forgets which BaseURLs have failed: all are tried again, in order. */
    forget: () => dead.clear(),
  };
}
