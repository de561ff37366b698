// SPDX-License-Identifier: Apache-2.0
// The tone and the label of every status that the API reports.
import type { TimelineEntry, TracedBreak } from '../../../../src/http/contract/airContract.ts';
import type { AssetResponse } from '../../../../src/http/contract/assetContract.ts';
import type { BeaconResponse } from '../../../../src/http/contract/beaconContract.ts';
import type { PlaylistResponse } from '../../../../src/http/contract/playlistContract.ts';
import type { ItemStatus, TitleImport } from '../../../../src/http/contract/statusContract.ts';
import type { SystemResponse } from '../../../../src/platform/access/contract/tenantContract.ts';
import type { BreakReplay } from '../../../../src/platform/tries/contract/tryContract.ts';
import type { ChannelHealth } from '../../logic/channels/channelHealth.ts';
import type { BreakState } from '../../logic/live/breakState.ts';
import type { LiveBreak, OriginState } from '../../logic/live/liveTypes.ts';
import type { OriginPhase } from '../../logic/live/originPhases.ts';
import type { OriginVerdict } from '../../logic/live/originVerdict.ts';
import type { AdStatus } from '../../logic/sessions/breakSummary.ts';
import type { AdVerdict } from '../../logic/tries/verdicts.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'ad' | 'info' | 'calm';
export type Status = readonly [tone: Tone, label: string];
type Statuses<Code extends string> = Readonly<Record<Code, Status>>;

export const channelStatuses: Statuses<ChannelHealth> = {
  failed: ['bad', 'Failed'],
  degraded: ['warn', 'Degraded'],
  preparing: ['info', 'Preparing'],
  healthy: ['good', 'On air'],
  offAir: ['calm', 'Off air'],
};

/** VoD channels are not on air: players open them at any time. */
export const vodStatuses: Statuses<ChannelHealth> = {
  ...channelStatuses,
  healthy: ['good', 'Enabled'],
  offAir: ['calm', 'Disabled'],
};

export const itemStatuses: Statuses<ItemStatus['state']> = {
  ready: ['good', 'Ready'],
  importing: ['info', 'Importing'],
  failed: ['bad', 'Failed'],
  leftOut: ['warn', 'Excluded'],
};

export const titleStatuses: Statuses<TitleImport['state']> = {
  importing: ['info', 'Importing'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
};

export const playlistStatuses: Statuses<NonNullable<PlaylistResponse['status']>> = {
  enabled: ['good', 'Enabled'],
  disabled: ['calm', 'Disabled'],
};

export const entryKinds: Statuses<TimelineEntry['kind']> = {
  content: ['info', 'Content'],
  break: ['ad', 'Break'],
  slate: ['calm', 'Slate'],
};

export const creativeStatuses: Statuses<AssetResponse['state']> = {
  failed: ['bad', 'Failed'],
  preparing: ['info', 'Preparing'],
  waiting: ['calm', 'Queued'],
  ready: ['good', 'Ready'],
};

export const breakStatuses: Statuses<TracedBreak['status']> = {
  filled: ['good', 'Filled'],
  partial: ['warn', 'Partly filled'],
  empty: ['bad', 'Empty'],
};

/** Of an ad in a try. */
export const verdictStatuses: Statuses<AdVerdict> = {
  plays: ['good', 'Would play'],
  making: ['info', 'Being made'],
  absent: ['warn', 'Not made yet'],
  failed: ['bad', 'Creative failed'],
  skipped: ['calm', 'Skipped'],
};

/** Of an ad in a replay. */
export const changeStatuses: Statuses<BreakReplay['differences'][number]['change']> = {
  playsNow: ['good', 'Plays now'],
  skippedNow: ['bad', 'Skipped now'],
  otherReason: ['warn', 'Other reason'],
  same: ['calm', 'Unchanged'],
  notReplayed: ['info', 'Not stored'],
  added: ['info', 'Added'],
};

export const adStatuses: Statuses<AdStatus> = {
  delivered: ['good', 'Delivered'],
  scheduled: ['info', 'Scheduled'],
  notFetched: ['warn', 'Not fetched'],
  skipped: ['bad', 'Skipped'],
};

export const beaconTones: Readonly<Record<BeaconResponse['outcome'], Tone>> = {
  pending: 'calm',
  sent: 'good',
  failed: 'bad',
};

export const systemStatuses: Statuses<NonNullable<SystemResponse['state']>> = {
  working: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unused: ['calm', 'Unused'],
};

export const originVerdicts: Statuses<OriginVerdict> = {
  playable: ['good', 'Playable'],
  limited: ['warn', 'Playable, with warnings'],
  unplayable: ['bad', 'Not playable'],
};

export const liveBreakStatuses: Statuses<BreakState> = {
  announced: ['info', 'Announced'],
  onAir: ['ad', 'On air'],
  ended: ['calm', 'Ended'],
  cancelled: ['calm', 'Cancelled'],
};

/** Until the asset is ready, viewers see slate. */
export const blackoutAssetStatuses: Statuses<NonNullable<LiveBreak['assetState']>> = {
  preparing: ['info', 'Preparing, slate until then'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed, slate instead'],
};

export const originPhases: Statuses<OriginPhase> = {
  working: ['good', 'Working'],
  backup: ['info', 'Backup'],
  slate: ['ad', 'Slate'],
  stalled: ['warn', 'Stalled'],
  failing: ['bad', 'Failing'],
  ended: ['calm', 'Ended'],
  idle: ['calm', 'Idle'],
  unknown: ['calm', 'Unknown'],
};

export const originStates: Readonly<Record<OriginState, string>> = {
  ok: 'Working',
  stalled: 'Stalled',
  failing: 'Failing',
  ended: 'Ended',
  idle: 'Idle: no viewers',
};

export const backupStatuses: Statuses<'ok' | 'failing' | 'unknown'> = {
  ok: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unknown: ['calm', 'Standby'],
};
