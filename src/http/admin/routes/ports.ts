// SPDX-License-Identifier: Apache-2.0
// The ports of the administrative API. The composition root supplies the implementations.
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { AuditStore } from '../../../platform/audit/rules/ports.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { InsertedBreak } from '../../../channels/inserted/breakOrder.ts';
import type { Listed } from '../../../channels/listing.ts';
import type { ChannelStore, Page, PlaylistStore } from '../../../channels/ports.ts';
import type { InsertedOnAir } from '../../../channels/schedule/insertedOnAir.ts';
import type { FieldError } from '../../../errors.ts';
import type { CreativeFilter, CreativePage } from '../../../ingest/creatives/creativeJobs.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginEventStore } from '../../../live/originEvent.ts';
import type { BreakDesk } from '../../../planning/breaks/breakDesk.ts';
import type { SourceChecker } from '../../../planning/checkSource.ts';
import type { ChannelAnalyser } from '../../../planning/live/analyseChannel.ts';
import type { AssetState } from '../../../planning/live/blackoutMedia.ts';
import type { OriginBreaks } from '../../../planning/live/readBreaks.ts';
import type { SearchedSessions, SessionSearch } from '../../../platform/history/rules/searchSessions.ts';
import type { AdTries } from '../../../platform/tries/rules/adTries.ts';
import type { PreviewTokens } from '../../../playback/view/previewTokens.ts';
import type { ReportStore } from '../../../platform/reports/rules/ports.ts';
import type { BreakViewers } from '../../../sessions/ports.ts';
import type { SessionLimits } from '../../../platform/access/rules/consoleSession.ts';
import type { DeletedStore } from '../../../platform/deleted/rules/deletedRecord.ts';
import type { IdempotencyStore } from '../../../platform/access/rules/idempotency.ts';
import type { IdentityRules } from '../../../platform/access/rules/identity.ts';
import type {
  ApiKeyStore,
  ConsoleSessionStore,
  IdentityProvider,
  RequestWindowStore,
  SystemStore,
} from '../../../platform/access/rules/ports.ts';
import type { System, SystemState } from '../../../platform/systems/rules/system.ts';
import type { Millis } from '../../../time/units.ts';
import type { Tracer } from '../../../tracing/tracer.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import type { SessionSummary, SessionTrace, TimelineResponse } from '../../contract/airContract.ts';
import type { AssetBody, AssetResponse, AssetsAdded } from '../../contract/assetContract.ts';

import type { DeepReadonly } from '../../contract/matching.ts';
import type { ChannelStatus } from '../../contract/statusContract.ts';
import type { RequestSource } from '../../proxies.ts';
import type { AlertDeps } from '../../../platform/alerts/routes/alertPorts.ts';

/** Channels on air. */
export type OnAir = {
  /** @param withItems whether to read the status of each item of the playlist */
  channelStatus(channel: Channel, withItems: boolean): Promise<ChannelStatus>;
  /** @param limit the most entries */
  channelTimeline(channel: Channel, from: Millis, to: Millis, limit?: number): Promise<DeepReadonly<TimelineResponse>>;
  /** Newest first. */
  channelSessions(channel: Channel, page: Page): Promise<{ total: number; items: readonly SessionSummary[] }>;
  /** Living and ended sessions, newest first. */
  searchSessions(search: SessionSearch): Promise<SearchedSessions>;
  /** undefined if the tenant has no such session. */
  sessionTrace(id: string, tenant: string): Promise<DeepReadonly<SessionTrace> | undefined>;
  /** Called after the change was stored. The response does not wait for it. */
  onChannelChanged(channel: ChannelRef): void | Promise<void>;
  onPlaylistChanged(id: string, tenant: string): void | Promise<void>;
  /** Viewers of each of these channels now; channels without viewers can be absent. */
  viewerCounts(tenant: string, channelIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

export type ConsoleFile = { readonly content: Buffer; readonly gzipped: Buffer; readonly contentType: string };
/** By path relative to the console's root, such as `index.html`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** The creatives and slates of a tenant's channels. */
export type Creatives = {
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

export type ScheduledBreaks = {
  readonly life: string;
  /** By the ids of the inserted breaks. */
  readonly inserted: ReadonlyMap<string, InsertedOnAir>;
};

/** Signing in to the console with OpenID Connect. */
export type SignIn = {
  readonly provider: IdentityProvider;
  /** Name of the provider. */
  readonly name: string;
  readonly rules: IdentityRules;
  readonly limits: SessionLimits;
  readonly hasTenant: (name: string) => Promise<boolean>;
  /** Encrypts what the browser keeps during a sign-in; every node can decrypt it. */
  readonly seal: (text: string) => string;
  /** @throws if the text was not encrypted here */
  readonly open: (sealed: string) => string;
};

export type AdminDeps = {
  readonly playlists: PlaylistStore;
  readonly channels: ChannelStore;
  readonly systems: SystemStore;
  readonly deleted: DeletedStore;
  /** undefined for a system without external services. */
  readonly systemState: (system: System) => Promise<SystemState | undefined>;
  readonly keys: ApiKeyStore;
  readonly consoleSessions: ConsoleSessionStore;
  /** Undefined without OpenID Connect. */
  readonly signIn?: SignIn;
  readonly requestWindows: RequestWindowStore;
  readonly audit: AuditStore;
  readonly idempotency: IdempotencyStore;
  /** The client's address; empty if its connection is closed. */
  readonly clientOf: (request: RequestSource) => string;
  readonly beacons: Pick<BeaconStore, 'list' | 'hosts'>;
  readonly onAir: OnAir;
  readonly alerts: AlertDeps;
  /** The store of a system's reports. */
  readonly reportStore: (system: System) => ReportStore;
  readonly checkSource: SourceChecker;
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
  /** Tries of ad requests, and replays of breaks. */
  readonly adTries: AdTries;
  readonly previewTokens: Pick<PreviewTokens, 'create'>;
  /** Undefined for a blackout without an asset, and on channels without a feed. */
  readonly blackoutAssetOf: (order: InsertedBreak) => Promise<AssetState | undefined>;
  /** Empty if the console has not been built. */
  readonly consoleFiles: ConsoleFiles;
  readonly version: string;
  readonly creatives: Creatives;
  readonly now: () => Millis;
  readonly log: FastifyBaseLogger;
  readonly metrics: Registry;
  readonly tracer?: Tracer;
  /** The metrics as text; default: those of this process. */
  readonly readMetrics?: (own: Registry) => Promise<string>;
  /** Public URL of this API without a trailing slash: as configured, or as in the request. */
  readonly baseUrl: (request: RequestSource) => string;
  /** Public URL of the live port, likewise. */
  readonly liveUrl: (request: RequestSource) => string;
  /** Requests per minute and tenant; 0 disables the limit. */
  readonly rateLimit: number;
  /** Why the process should not receive requests, such as an unavailable dependency or a shutdown; undefined if it is ready. */
  readonly notReady: () => Promise<string | undefined>;
  /** What does not work although the process can serve requests; undefined if everything works. */
  readonly degraded?: () => string | undefined;
};
