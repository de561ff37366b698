// SPDX-License-Identifier: Apache-2.0
// Whether ad media are served from a cloud container: if the whole creative is published to the container of the channel's
// system and the container has been reachable recently. Otherwise Midroll serves them. Each request is decided from memory,
// so an outage of the cloud costs a player at most one retry.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../../../channels/channel.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { Millis } from '../../../time/units.ts';
import { editionOf, isListed, objectName } from './cloudObjects.ts';
import type { CloudDeps } from './cloudSystems.ts';
import type { Publication } from './ports.ts';

type Deps = CloudDeps & { readonly warn: (message: string, facts: Record<string, unknown>) => void };

/** Milliseconds for which changes are read again, because clocks of replicas differ and writes may be in progress. */
const OVERLAP_MS = 10_000;
/** Milliseconds after its last successful check in which a container is used. */
const CHECK_VALID_MS = 45_000;
/** The path of media, from the root or relative to a session. */
const MEDIA_PATH = /^(?:\/|(?:\.\.\/)+)m\/([0-9a-f]+)\/(\d+)\/([^/?]+)\/([^/?]+)$/;
/** Milliseconds after which the same publication is requested again, which updates its time of use. */
const REQUEST_AGAIN_MS = 600_000;

export function createCloudMedia({ systems, store, mediaStore, now, warn }: Deps) {
  const published = new Set<string>();
  const checked = new Map<string, Millis>();
  const requested = new LRUCache<string, true>({ max: 10_000, ttl: REQUEST_AGAIN_MS });
  let readUntil = 0;
  const keyOf = ({ location, edition, frames }: Publication) => `${location} ${edition} ${frames}`;

  function request(publication: Publication): void {
    const key = keyOf(publication);
    if (requested.has(key)) return;
    requested.set(key, true);
    store.want(publication, now()).catch((error: unknown) => {
      requested.delete(key);
      warn('the publication of a creative could not be requested', { error });
    });
  }

  /** Only conditioned creatives are published: those used as is are at their own host, and slate is always served by Midroll. */
  function publishable(mediaId: string): PackagedMedia | undefined {
    const packaged = mediaStore.find(mediaId);
    return packaged?.kind === 'creative' && packaged.media.asset === undefined ? packaged : undefined;
  }

  return {
    /**
     * @param path of a segment or initialization section in a manifest: `/m/<mediaId>/<frames>/<rungId>/<file>`, or `../…/m/…`
     * @returns undefined if Midroll serves it
     */
    async urlOf(channel: Channel, path: string): Promise<string | undefined> {
      const system = systems.of(channel);
      if (system === undefined) return undefined;
      const [, mediaId = '', frameText, rungId = '', file = ''] = MEDIA_PATH.exec(path) ?? [];
      const packaged = publishable(mediaId);
      if (packaged === undefined || !isListed(packaged, rungId)) return undefined;
      const frames = Number(frameText);
      const publication = { location: system.target.location, edition: editionOf(packaged), frames };
      request(publication);
      const isReachable = now() - (checked.get(publication.location) ?? 0) < CHECK_VALID_MS;
      if (!isReachable || !published.has(keyOf(publication))) return undefined;
      mediaStore.markUsed(mediaId);
      // Midroll serves it while there are no credentials to sign a URL with.
      return system.container.urlOf(objectName(packaged, frames, rungId, file), now()).catch(() => undefined);
    },
    /** Requests the publication of ads that viewers of the channel will be shown. */
    want(channel: Channel, ads: readonly { readonly mediaId: string; readonly frames: number }[]): void {
      const system = systems.of(channel);
      if (system === undefined) return;
      for (const { mediaId, frames } of ads) {
        const packaged = publishable(mediaId);
        if (packaged !== undefined) request({ location: system.target.location, edition: editionOf(packaged), frames });
      }
    },
    /** Reads the publications and container states that other processes stored. */
    async refresh(): Promise<void> {
      await systems.refresh();
      if (systems.all().length === 0) {
        checked.clear();
        return;
      }
      const at = now();
      for (const row of await store.changedSince(readUntil as Millis)) {
        if (row.state === 'published') published.add(keyOf(row));
        else published.delete(keyOf(row));
      }
      readUntil = Math.max(0, at - OVERLAP_MS);
      for (const { location, reason, checkedAt } of await store.states()) {
        if (reason === undefined) checked.set(location, checkedAt);
        else checked.delete(location);
      }
    },
  };
}
