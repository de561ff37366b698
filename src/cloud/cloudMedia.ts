// Where a viewer's ad media lie: in the container of the channel's system, once all of a creative is there and the
// container is known to answer; else undefined, which means here. It decides from memory, for every request anew, so a
// cloud that goes away costs a player one retry at most.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../channels/channel.ts';
import type { PackagedMedia } from '../ingest/package/packagedMedia.ts';
import type { Millis } from '../time/units.ts';
import { editionOf, objectName } from './cloudObjects.ts';
import type { CloudSystems } from './cloudSystems.ts';
import type { Publication, PublicationStore, ServedMedia } from './ports.ts';

export type CloudMedia = {
  /** @param path of a segment or an init section as it is listed: `/m/<mediaId>/<frames>/<rungId>/<file>`, or `../…/m/…` */
  urlOf(channel: Channel, path: string): string | undefined;
  /** What a viewer of the channel will be shown is published, if it is not yet. */
  want(channel: Channel, ads: readonly { readonly mediaId: string; readonly frames: number }[]): void;
  /** Takes in what others have published, and how containers do. */
  refresh(): Promise<void>;
};

type Deps = {
  readonly systems: CloudSystems;
  readonly store: PublicationStore;
  readonly mediaStore: ServedMedia;
  readonly now: () => Millis;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** Clocks of replicas, and writes under way: what changed so long ago is read once more. */
const OVERLAP = 10_000;
/** A container that nobody has looked at for so long is not sent to. */
const FRESH = 45_000;
/** As seen from the root, or from below a session. */
const MEDIA_PATH = /^(?:\/|(?:\.\.\/)+)m\/([0-9a-f]+)\/(\d+)\/([^/?]+)\/([^/?]+)$/;
const SAID_AGAIN_AFTER = 600_000;

export function createCloudMedia({ systems, store, mediaStore, now, warn }: Deps): CloudMedia {
  const published = new Set<string>();
  const checked = new Map<string, Millis>();
  const said = new LRUCache<string, true>({ max: 10_000, ttl: SAID_AGAIN_AFTER });
  let readUntil = 0;
  const keyOf = ({ location, edition, frames }: Publication) => `${location} ${edition} ${frames}`;

  function say(publication: Publication): void {
    const key = keyOf(publication);
    if (said.has(key)) return;
    said.set(key, true);
    store.want(publication, now()).catch((error: unknown) => {
      said.delete(key);
      warn('a creative could not be marked for publishing', { error });
    });
  }

  /** What is made here is published; what is shown as it is lies elsewhere already, and slate stays here. */
  function publishable(mediaId: string): PackagedMedia | undefined {
    const packaged = mediaStore.find(mediaId);
    return packaged?.kind === 'creative' && packaged.media.asset === undefined ? packaged : undefined;
  }

  return {
    urlOf(channel, path) {
      const system = systems.of(channel);
      if (system === undefined) return undefined;
      const [, mediaId = '', frameText, rungId = '', file = ''] = MEDIA_PATH.exec(path) ?? [];
      const packaged = publishable(mediaId);
      if (packaged === undefined) return undefined;
      const frames = Number(frameText);
      const publication = { location: system.target.location, edition: editionOf(packaged), frames };
      say(publication);
      const isFresh = now() - (checked.get(publication.location) ?? 0) < FRESH;
      if (!isFresh || !published.has(keyOf(publication))) return undefined;
      mediaStore.markUsed(mediaId);
      return system.container.urlOf(objectName(packaged, frames, rungId, file), now());
    },
    want(channel, ads) {
      const system = systems.of(channel);
      if (system === undefined) return;
      for (const { mediaId, frames } of ads) {
        const packaged = publishable(mediaId);
        if (packaged !== undefined) say({ location: system.target.location, edition: editionOf(packaged), frames });
      }
    },
    async refresh() {
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
      readUntil = Math.max(0, at - OVERLAP);
      for (const { location, reason, checkedAt } of await store.states()) {
        if (reason === undefined) checked.set(location, checkedAt);
        else checked.delete(location);
      }
    },
  };
}
