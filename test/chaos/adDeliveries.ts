// SPDX-License-Identifier: Apache-2.0
// Which ads a follower has requested completely, so that all of their beacons have to arrive, computed from manifests and
// responses alone.

/** `AD/MEDIA/FRAMES/RUNG/NUMBER.m4s` */
const TRACKED = /^(\d+-\d+-\d+)\/[^/]+\/\d+\/\d+\/(\d+)\./;

/** @param uri as in a manifest, relative to the session */
export function readTracked(uri: string): { readonly adId: string; readonly index: number } | undefined {
  const [, adId, index] = TRACKED.exec(uri) ?? [];
  return adId === undefined ? undefined : { adId, index: Number(index) };
}

type SeenAd = {
  readonly listed: string[];
  readonly requested: Set<string>;
  /** Whether its first segment was listed. */
  readonly isFromStart: boolean;
  isEnded: boolean;
};

export type AdDeliveries = {
  /**
   * Notes the segments of the first video rung of a manifest, in order.
   * @returns the URIs that are new, which a player requests
   */
  list(uris: readonly string[]): string[];
  /** A response has confirmed the delivery. */
  confirm(uri: string): void;
  /** Ids of the ads of which every segment was listed, requested and confirmed. */
  complete(): string[];
  /** How many breaks were listed with ads. */
  breaks(): number;
  /** The manifest is finite: everything is listed. */
  end(): void;
};

const isComplete = ({ isFromStart, isEnded, listed, requested }: SeenAd): boolean =>
  isFromStart && isEnded && listed.every((uri) => requested.has(uri));

export function createAdDeliveries(): AdDeliveries {
  const ads = new Map<string, SeenAd>();
  const seen = new Set<string>();
  let last: string | undefined;
  return {
    list(uris) {
      const news: string[] = [];
      for (const uri of uris) {
        if (seen.has(uri)) continue;
        const tracked = readTracked(uri);
        if (last !== undefined && last !== tracked?.adId) {
          const before = ads.get(last);
          if (before !== undefined) before.isEnded = true;
        }
        last = tracked?.adId;
        seen.add(uri);
        if (tracked === undefined) continue;
        news.push(uri);
        const known = ads.get(tracked.adId);
        const isFromStart = tracked.index === 0;
        const ad = known ?? { listed: [], requested: new Set<string>(), isFromStart, isEnded: false };
        ad.listed.push(uri);
        ads.set(tracked.adId, ad);
      }
      return news;
    },
    confirm(uri) {
      ads.get(readTracked(uri)?.adId ?? '')?.requested.add(uri);
    },
    complete: () => [...ads].flatMap(([id, ad]) => (isComplete(ad) ? [id] : [])),
    breaks: () => new Set([...ads.keys()].map((id) => id.slice(0, id.lastIndexOf('-')))).size,
    end() {
      for (const ad of ads.values()) ad.isEnded = true;
    },
  };
}
