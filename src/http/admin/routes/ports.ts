// What the administrative interface needs: stores, and what the air knows of a channel. Supplied by the composition root.
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { ChannelStore, Page, PlaylistStore } from '../../../channels/ports.ts';
import type { FieldError } from '../../../errors.ts';
import type { CreativeFilter } from '../../../ingest/creatives/creativeJobs.ts';
import type { SourceChecker } from '../../../planning/checkSource.ts';
import type { ReportStore } from '../../../reports/ports.ts';
import type { ApiKeyStore, RequestWindowStore, SystemStore } from '../../../tenants/ports.ts';
import type { System, SystemState } from '../../../tenants/system.ts';
import type { Millis } from '../../../time/units.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import type { SessionSummary, TimelineAnswer } from '../../airContract.ts';
import type { AssetAnswer, AssetBody, AssetsAdded } from '../../assetContract.ts';
import type { ItemStatus, Preparation } from '../../contract.ts';
import type { RequestSource } from '../../proxies.ts';

export type ChannelStatus = {
  readonly state: 'enabled' | 'disabled' | 'failed';
  /** Why it cannot play as asked, in a plain sentence. */
  readonly stateReason?: string;
  /** How far its preparation is, while it is being prepared. */
  readonly preparation?: Preparation;
  /** What became of each item of its playlist. */
  readonly items?: readonly ItemStatus[];
};

/** What is known of a channel on air. */
export type OnAir = {
  channelStatus(channel: Channel, withItems: boolean): Promise<ChannelStatus>;
  channelTimeline(channel: Channel, from: Millis, to: Millis): Promise<TimelineAnswer>;
  /** Newest first. */
  channelSessions(channel: Channel, page: Page): Promise<{ total: number; items: readonly SessionSummary[] }>;
  /** undefined when the tenant has no such session. */
  sessionTrace(id: string, tenant: string): Promise<object | undefined>;
  /** Called after the write is on disk; not waited for. */
  onChannelChanged(channel: ChannelRef): void | Promise<void>;
  onPlaylistChanged(id: string, tenant: string): void | Promise<void>;
  /** How many watch each of these channels now; a channel that nobody watches may be missing. */
  viewerCounts(tenant: string, channelIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

export type ConsoleFile = { readonly content: Buffer; readonly gzipped: Buffer; readonly contentType: string };
/** By path below the console's root, e.g. `index.html`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** Creatives and slate of a tenant's channels. */
export type Creatives = {
  /**
   * Has creatives made that nobody waits for; on disk when it resolves.
   * @returns what is wrong with what was wanted, by its fields
   * @throws {AppError} CONFLICT while a channel has no ladder
   */
  add(tenant: string, wanted: AssetBody): Promise<AssetsAdded | { faults: readonly FieldError[] }>;
  /** Newest first. */
  list(tenant: string, filter: CreativeFilter, page: Page): Promise<{ total: number; items: readonly AssetAnswer[] }>;
  find(tenant: string, id: string): Promise<AssetAnswer | undefined>;
  /** Tries again now what failed. */
  retry(tenant: string, id: string): Promise<void>;
  /** @returns false when the tenant has none of that id */
  remove(tenant: string, id: string): Promise<boolean>;
  /** A JPEG; undefined where there is nothing to see. */
  thumbnail(tenant: string, id: string): Promise<Uint8Array | undefined>;
};

export type AdminDeps = {
  readonly playlists: PlaylistStore;
  readonly channels: ChannelStore;
  readonly systems: SystemStore;
  /** undefined for a system that needs nothing of anybody. */
  readonly systemState: (system: System) => Promise<SystemState | undefined>;
  readonly keys: ApiKeyStore;
  readonly requestWindows: RequestWindowStore;
  readonly beacons: Pick<BeaconStore, 'list' | 'hosts'>;
  readonly onAir: OnAir;
  /** Where a system keeps what was counted. */
  readonly reportStore: (system: System) => ReportStore;
  readonly checkSource: SourceChecker;
  /** The console's files by path; empty when it has not been built. */
  readonly consoleFiles: ConsoleFiles;
  readonly version: string;
  readonly creatives: Creatives;
  readonly now: () => Millis;
  readonly log: FastifyBaseLogger;
  readonly metrics: Registry;
  /** Where this interface is, without a slash at the end: as configured, else as the request has it. */
  readonly baseUrl: (request: RequestSource) => string;
  /** Where players go, without a slash at the end; likewise. */
  readonly liveUrl: (request: RequestSource) => string;
  /** Requests a minute and tenant; 0 is off. */
  readonly rateLimit: number;
  /** Why requests should go elsewhere just now: a dependency that is down, a process that drains. */
  readonly notReady: () => Promise<string | undefined>;
};
