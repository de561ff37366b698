// What the rooms need of the records that an operator writes. Reads never wait for anything but the store.
import type { Channel } from './channel.ts';
import type { Playlist } from './playlist.ts';

export type Page = { readonly offset: number; readonly limit: number };

export type PlaylistStore = {
  /** false when the id is taken, by any tenant. */
  insert(playlist: Playlist): Promise<boolean>;
  find(id: string): Promise<Playlist | undefined>;
  /** Newest first. */
  list(tenant: string, page: Page): Promise<{ total: number; items: Playlist[] }>;
  replace(playlist: Playlist): Promise<boolean>;
  remove(tenant: string, id: string): Promise<boolean>;
};

export type ChannelStore = {
  insert(channel: Channel): Promise<boolean>;
  find(id: string): Promise<Channel | undefined>;
  list(tenant: string, page: Page): Promise<{ total: number; items: Channel[] }>;
  /** Every tenant's, for the planner. */
  enabled(): Promise<Channel[]>;
  replace(channel: Channel): Promise<boolean>;
  remove(tenant: string, id: string): Promise<boolean>;
};
