// SPDX-License-Identifier: Apache-2.0
// The ports of the administrative API. The composition root supplies the implementations.
import type { FastifyBaseLogger } from 'fastify';
import type { AdNames } from '../../../ads/creative/creative.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { InsertedBreak } from '../../../channels/inserted/breakOrder.ts';
import type {
  ChannelStore,
  FindAdSources,
  LabelCount,
  Listed,
  Page,
  PlaylistStore,
  RecordNames,
} from '../../../channels/ports.ts';
import type { InsertedOnAir } from '../../../channels/schedule/insertedOnAir.ts';
import type { FieldError } from '../../../errors.ts';
import type { CreativeFilter, CreativePage } from '../../../ingest/creatives/creativeJobs.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginEventStore } from '../../../live/originHealth.ts';
import type { BreakDesk } from '../../../planning/breaks/breakDesk.ts';
import type { MixChecker } from '../../../planning/checkMix.ts';
import type { SourceChecker } from '../../../planning/checkSource.ts';
import type { ChannelAnalyser } from '../../../planning/live/analyseChannel.ts';
import type { AssetState } from '../../../planning/live/blackoutMedia.ts';
import type { OriginBreaks } from '../../../planning/live/readBreaks.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { PreviewTokens } from '../../../playback/view/previewTokens.ts';
import type { BreakViewers } from '../../../sessions/ports.ts';
import type { Millis } from '../../../time/units.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import type { SessionSummary, SessionTrace, TimelineResponse } from '../../contract/airContract.ts';
import type { AssetBody, AssetResponse, AssetsAdded } from '../../contract/assetContract.ts';
import type { DeepReadonly } from '../../contract/matching.ts';
import type { ChannelProblem, ChannelStatus } from '../../contract/statusContract.ts';
import type { RequestSource } from '../../proxies.ts';
import type { DiscardRecord } from './record.ts';

/** Channels on air. */
export type OnAir = {
  /** @param withItems whether to read the status of each item of the playlist */
  channelStatus(channel: Channel, withItems: boolean): Promise<ChannelStatus>;
  /** @param limit the most entries */
  channelTimeline(channel: Channel, from: Millis, to: Millis, limit?: number): Promise<DeepReadonly<TimelineResponse>>;
  /** Newest first. */
  channelSessions(channel: Channel, page: Page): Promise<{ total: number; items: readonly SessionSummary[] }>;
  /** undefined if the tenant has no such session. */
  sessionTrace(id: string, tenant: string): Promise<DeepReadonly<SessionTrace> | undefined>;
  /** Called after the change was stored. The response does not wait for it. */
  onChannelChanged(channel: ChannelRef): void | Promise<void>;
  onPlaylistChanged(id: string, tenant: string): void | Promise<void>;
  /** Viewers of each of these channels now; channels without viewers can be absent. */
  viewerCounts(tenant: string, channelIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** The creatives and slates of a tenant's channels. */
type Creatives = {
  /**
   * Queues creatives that no viewer needs yet; stored when it resolves.
   * @returns the assets, or the invalid fields
   * @throws {AppError} CONFLICT if a channel has no ladder yet
   */
  add(tenant: string, body: AssetBody): Promise<AssetsAdded | { faults: readonly FieldError[] }>;
  /** Newest first. */
  list(tenant: string, filter: CreativeFilter, page: CreativePage): Promise<Listed<AssetResponse>>;
  find(tenant: string, id: string): Promise<AssetResponse | undefined>;
  /** Retries a failed asset now. */
  retry(tenant: string, id: string): Promise<void>;
  /** @returns false if the tenant has no such asset */
  remove(tenant: string, id: string): Promise<boolean>;
  /** A JPEG image; undefined for audio, or if the asset is not ready. */
  thumbnail(tenant: string, id: string): Promise<Uint8Array | undefined>;
};

/** What is wrong on the channels of a tenant. */
export type Problems = {
  /** On each of its enabled channels, by id; channels without problems are absent. At most a second old. */
  ofTenant(tenant: string): Promise<ReadonlyMap<string, readonly ChannelProblem[]>>;
  /** Ads of the last hour that were not shown because their creative was not ready; undefined if it is not known. */
  adsLost(tenant: string, ad: AdNames): Promise<number | undefined>;
};

type ScheduledBreaks = {
  readonly life: string;
  /** The inserted breaks on air, by id. */
  readonly inserted: ReadonlyMap<string, InsertedOnAir>;
};

/** The systems of a tenant, which channels refer to. */
export type SystemNames = {
  has(tenant: string, id: string): Promise<boolean>;
  list(tenant: string): Promise<readonly { readonly id: string; readonly name?: string }[]>;
};

/** The ad sources of a tenant, which channels refer to. */
export type AdSources = {
  /** As the store has them now. */
  readonly findAll: FindAdSources;
  names(tenant: string, ids: readonly string[]): Promise<RecordNames>;
  labels(tenant: string): Promise<LabelCount[]>;
};

/** What the routes of channels, playlists, sessions and creatives need. */
export type CoreApi = {
  readonly playlists: PlaylistStore<AuditEntry>;
  readonly channels: ChannelStore<AuditEntry>;
  /** Deletes a record so that it can be restored. */
  readonly discard: DiscardRecord;
  readonly systems: SystemNames;
  readonly adSources: AdSources;
  readonly beacons: Pick<BeaconStore, 'list' | 'hosts'>;
  readonly onAir: OnAir;
  readonly checkSource: SourceChecker;
  readonly checkMix: MixChecker;
  /**
   * A still frame of a source that the tenant has checked or plays, as JPEG.
   * @returns undefined without a frame there; `unknown` for any other source; `busy` if too many are waiting
   */
  readonly sourceFrame: (
    tenant: string,
    url: string,
    seconds: number,
  ) => Promise<Uint8Array | undefined | 'unknown' | 'busy'>;
  readonly analyseSources: ChannelAnalyser;
  /** What was found in the origins of a live channel that are on air. */
  readonly liveBreaksOf: (channel: ChannelRef) => Promise<readonly (OriginBreaks & { readonly feed?: LiveFeed })[]>;
  /** Changes of the origins of live channels. */
  readonly originEventsOf: OriginEventStore['list'];
  /** Breaks that operators insert, end and cancel by hand. */
  readonly breakDesk: BreakDesk;
  /** Where inserted breaks are on the schedule of a vod2live channel; undefined while it has none. */
  readonly scheduledBreaksOf: (channel: ChannelRef) => Promise<ScheduledBreaks | undefined>;
  readonly breakViewers: BreakViewers;
  readonly previewTokens: Pick<PreviewTokens, 'create'>;
  /** Undefined for a blackout without an asset, and on channels without a feed. */
  readonly blackoutAssetOf: (order: InsertedBreak) => Promise<AssetState | undefined>;
  readonly version: string;
  readonly creatives: Creatives;
  readonly problems: Problems;
  readonly now: () => Millis;
  readonly log: FastifyBaseLogger;
  /** Public URL of this API without a trailing slash: as configured, or as in the request. */
  readonly baseUrl: (request: RequestSource) => string;
  /** Public URL of the live port, likewise. */
  readonly liveUrl: (request: RequestSource) => string;
  /** What does not work although the process can serve requests; undefined if everything works. */
  readonly degraded?: () => string | undefined;
  /** Seconds after disabling a channel within which enabling it continues its sessions. */
  readonly offAirGrace: number;
};
