// Everything that a test of the whole needs, started and ended together: Midroll, an origin, an ad server.
import { type AdHost, startAdHost } from './adHost.ts';
import { type MediaOrigin, startMediaOrigin } from './mediaOrigin.ts';
import { type Midroll, startMidroll } from './midroll.ts';
import { type Viewer, type Watching, watch } from './viewer.ts';

export type Cue = { readonly spliceTime: number; readonly maxDuration: number; readonly maxAds?: number };
export type Item = { readonly sourceType: 'url'; readonly url: string; readonly cuePoints: readonly Cue[] };

export type Stage = {
  readonly midroll: Midroll;
  readonly origin: MediaOrigin;
  readonly adHost: AdHost;
  /** A playlist and an enabled channel of the same id, whose key is `key`. */
  air(id: string, contents: readonly Item[], channel?: object): Promise<void>;
  /** Watches a channel until everything ends. */
  watch(channel: string, how?: Partial<Watching>): Promise<Viewer>;
  close(): Promise<void>;
};

export const item = (url: string, ...cuePoints: readonly Cue[]): Item => ({ sourceType: 'url', url, cuePoints });

/** The adSource of a channel: a path of the ad host, asked with the viewer's name. */
export const adSource = (adHost: AdHost, path: string) => ({
  url: `${adHost.url}${path}?viewer=[PLAYER.viewer]&break=[BREAK_ID]`,
});

export async function openStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const [midroll, origin, adHost] = await Promise.all([startMidroll(settings), startMediaOrigin(), startAdHost()]);
  const viewers: Viewer[] = [];
  return {
    midroll,
    origin,
    adHost,
    async air(id, contents, channel = {}) {
      await midroll.create('playlists', { id, status: 'enabled', contents });
      await midroll.create('channels', { id, state: 'enabled', apiKey: 'key', playlistId: id, ...channel });
    },
    async watch(channel, how = {}) {
      const viewer = await watch({ liveUrl: midroll.liveUrl, channel, apiKey: 'key', ...how });
      viewers.push(viewer);
      return viewer;
    },
    async close() {
      await Promise.all(viewers.map((viewer) => viewer.leave()));
      await Promise.all([midroll.close(), origin.close(), adHost.close()]);
    },
  };
}
