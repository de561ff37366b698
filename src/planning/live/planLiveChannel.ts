// SPDX-License-Identifier: Apache-2.0
// Puts the origins of a live channel on air, each as a feed. A feed continues as long as the channel has its URL: neither a
// restart nor an edit of another field analyses the origin again to derive another ladder.
import { randomUUID } from 'node:crypto';
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { LiveChannel } from '../../channels/channel.ts';
import type { OriginAnalysis, PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import type { ManifestDecoder } from '../../ingest/ports.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveFeedStore } from '../../live/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import { anyFormatFault } from '../../timeline/ladder/formatFault.ts';
import { joinSentences, type Planning } from '../preparation.ts';
import { earliestRetry, slateFor } from '../slateFor.ts';
import { type ChannelStatus, retryFrom } from '../status.ts';
import { backupWarnings, isBackupWarning } from './backupWarnings.ts';
import { type LiveFeedLadder, liveFeedLadder } from './feedLadder.ts';
import { type LiveStatus, originStatus, withMarkerWarning } from './liveStatus.ts';

/** @param decode of several analyses that share the limits of their manifests */
export type AnalyseOrigin = (
  url: string,
  segmentationTypes?: readonly number[],
  decode?: ManifestDecoder,
) => Promise<OriginAnalysis>;

export type PlanLiveDeps = {
  readonly feeds: LiveFeedStore;
  readonly analyse: AnalyseOrigin;
  readonly library: CreativeLibrary;
  readonly onSlateAwaited?: (channel: LiveChannel) => void;
  readonly now: () => Millis;
};

/** An origin that cannot be used is analysed again after this time. */
const RETRY_AFTER_MS = 15_000;
/** And one that is on air and could not be analysed, after this. */
const CHECK_AGAIN_MS = 60_000;

const fields = ['sourceManifestUrl', 'sourceDashUrl'] as const;
type Field = (typeof fields)[number];
type Format = LiveFeed['format'];
type OnAirFeed = { readonly feed: LiveFeed; readonly warnings: readonly string[] };

/** @param isFresh whether to check the origins of feeds on air, too */
export async function planLiveChannel(
  deps: PlanLiveDeps,
  channel: LiveChannel,
  isFresh: boolean,
  planning: Planning,
  last: ChannelStatus | undefined,
): Promise<ChannelStatus> {
  const before = await deps.feeds.current(channel);
  if (channel.sourceManifestUrl === undefined) {
    if (before.length > 0) await deps.feeds.end(channel);
    return {
      state: 'failed',
      stateReason: 'The channel has no sourceManifestUrl, so it has nothing to show.',
      items: [],
    };
  }
  const isChecked = isFresh || last?.isUnchecked === true;
  const aired = await airOrigins(deps, channel, before, isChecked, planning, last?.live);
  const { reasons, onAir, mustRetry, isTaken } = aired;
  // Another process put an origin on air first: continue from there.
  if (isTaken) return planLiveChannel(deps, channel, false, planning, last);
  const kept = new Set([...onAir.values()].map(({ feed }) => feed.life));
  const after = await deps.feeds.current(channel);
  // Until the new origin can be used, viewers keep the previous one.
  if (!mustRetry)
    await Promise.all(after.filter(({ life }) => !kept.has(life)).map(({ life }) => deps.feeds.endLife(life)));
  const shown = mustRetry ? after : after.filter(({ life }) => kept.has(life));
  const retryAt = earliestRetry([
    ...aired.retries,
    mustRetry ? millis(deps.now() + RETRY_AFTER_MS) : undefined,
    aired.isUnchecked ? millis(deps.now() + CHECK_AGAIN_MS) : undefined,
  ]);
  const statusOf = (planned: ReadonlyMap<Format, OnAirFeed>): ChannelStatus => ({
    state: shown.length > 0 ? 'enabled' : 'failed',
    ...(reasons.length > 0 ? { stateReason: joinSentences(reasons) } : {}),
    ...retryFrom(retryAt, deps.now()),
    ...(aired.isUnchecked && { isUnchecked: true }),
    items: [],
    live: liveStatus(channel, shown, planned, last?.live),
  });
  // Backups that do not respond delay neither an origin, nor an edit, nor the status.
  planning.soFar = statusOf(onAir);
  return statusOf(new Map(await Promise.all([...onAir].map((one) => withBackups(deps, channel, one)))));
}

function liveStatus(
  channel: LiveChannel,
  shown: readonly LiveFeed[],
  onAir: ReadonlyMap<Format, OnAirFeed>,
  last: LiveStatus | undefined,
): LiveStatus {
  const entries = shown.map((feed) => {
    const planned = onAir.get(feed.format);
    const warnings = planned?.feed.life === feed.life ? planned.warnings : (last?.[feed.format]?.warnings ?? []);
    return [feed.format, originStatus(feed, withMarkerWarning(channel, feed, warnings))] as const;
  });
  return Object.fromEntries(entries);
}

type Aired = {
  readonly onAir: Map<Format, OnAirFeed>;
  readonly reasons: string[];
  /** An origin could not be put on air. */
  mustRetry: boolean;
  /** An origin that is on air could not be analysed. */
  isUnchecked: boolean;
  /** When slates are looked up again. */
  readonly retries: (Millis | undefined)[];
  isTaken: boolean;
};

async function airOrigins(
  deps: PlanLiveDeps,
  channel: LiveChannel,
  before: readonly LiveFeed[],
  isFresh: boolean,
  planning: Planning,
  last: LiveStatus | undefined,
): Promise<Aired> {
  const aired: Aired = {
    ...{ onAir: new Map(), reasons: [], retries: [], mustRetry: false, isUnchecked: false, isTaken: false },
  };
  const { onAir, reasons, retries } = aired;
  for (const field of fields) {
    const url = channel[field];
    if (url === undefined) continue;
    if (field === 'sourceDashUrl' && onAir.has('dash')) {
      reasons.push('sourceDashUrl is not used, because sourceManifestUrl is an MPD; remove one of them.');
      continue;
    }
    const known = before.find(
      (feed) => feed.url === url && !onAir.has(feed.format) && anyFormatFault(feed) === undefined,
    );
    if (known !== undefined) {
      const checked = await continueFeed(deps, channel, known, isFresh, planning, last?.[known.format]?.warnings);
      reasons.push(...checked.reasons);
      retries.push(checked.retryAt);
      aired.isUnchecked ||= checked.isUnchecked;
      onAir.set(known.format, checked);
      continue;
    }
    const started = await startFeed(deps, channel, field, url, before, planning);
    if ('isTaken' in started) return { ...aired, isTaken: true };
    reasons.push(...started.reasons);
    retries.push(started.retryAt);
    if ('feed' in started) onAir.set(started.feed.format, { feed: started.feed, warnings: started.warnings });
    else aired.mustRetry = true;
  }
  return aired;
}

/** The backups may have been edited, so they are analysed each time; without any, this costs nothing. */
async function withBackups(
  deps: PlanLiveDeps,
  channel: LiveChannel,
  [format, { feed, warnings }]: readonly [Format, OnAirFeed],
): Promise<readonly [Format, OnAirFeed]> {
  const own = warnings.filter((text) => !isBackupWarning(text));
  return [format, { feed, warnings: [...own, ...(await backupWarnings(deps.analyse, channel, feed))] }];
}

const awaitedFor =
  (deps: PlanLiveDeps, channel: LiveChannel, planning: Planning) => async (slate: Planning['slate']) => {
    Object.assign(planning, { slate });
    deps.onSlateAwaited?.(channel);
  };

async function continueFeed(
  deps: PlanLiveDeps,
  channel: LiveChannel,
  feed: LiveFeed,
  isFresh: boolean,
  planning: Planning,
  warnings: readonly string[] = [],
): Promise<OnAirFeed & { reasons: readonly string[]; retryAt: Millis | undefined; isUnchecked: boolean }> {
  const reasons: string[] = [];
  // The media of its slate may be lost; they are made again.
  const made = await slateFor(deps.library, feed.ladder, channel, awaitedFor(deps, channel, planning));
  const { slate, reason, retryAt } = made;
  if (reason !== undefined) reasons.push(reason);
  if (slate !== undefined && slate.id !== feed.slateId)
    reasons.push(
      'The channel went on air with another slate, which it keeps; to change it, disable the channel for longer than OFF_AIR_GRACE.',
    );
  if (!isFresh) return { feed, reasons, warnings, retryAt, isUnchecked: false };
  const analysis = await deps.analyse(feed.url, channel.segmentationTypes);
  const drift = originDrift(feed, analysis);
  if (drift !== undefined) reasons.push(drift);
  const { playable } = analysis;
  const found = playable && warningsOf(channel, analysis, playable, liveFeedLadder(playable));
  return { feed, reasons, warnings: found ?? warnings, retryAt, isUnchecked: found === undefined };
}

function warningsOf(
  { sourceDashUrl }: LiveChannel,
  { warnings }: OriginAnalysis,
  { noDash }: PlayableOrigin,
  derived: LiveFeedLadder | string,
): string[] {
  const found = warnings.map(({ text, line }) => (line === undefined ? text : `line ${line}: ${text}`));
  if (typeof derived === 'object') found.push(...derived.warnings);
  if (noDash !== undefined && sourceDashUrl === undefined) found.push(`DASH sessions are not possible: ${noDash}`);
  return found;
}

type Started = (OnAirFeed | Record<never, never>) & {
  readonly reasons: readonly string[];
  readonly retryAt?: Millis;
};

async function startFeed(
  deps: PlanLiveDeps,
  channel: LiveChannel,
  field: Field,
  url: string,
  before: readonly LiveFeed[],
  planning: Planning,
): Promise<Started | { readonly isTaken: true }> {
  const analysis = await deps.analyse(url, channel.segmentationTypes);
  const { playable } = analysis;
  const fault = playable === undefined ? analysis.problems.join('; ') : faultOf(field, playable);
  if (playable === undefined || fault !== undefined) return { reasons: [`${field} cannot be used: ${fault}.`] };
  const derived = liveFeedLadder(playable);
  if (typeof derived === 'string') return { reasons: [`${field} cannot be used: ${derived}.`] };
  const made = await slateFor(deps.library, derived.ladder, channel, awaitedFor(deps, channel, planning));
  const { slate, reason, ...retry } = made;
  const reasons = reason === undefined ? [] : [reason];
  if (slate === undefined) return { reasons, ...retry };
  const feed: LiveFeed = {
    ...{ channelId: channel.id, tenant: channel.tenant, life: randomUUID(), url, startedAt: deps.now() },
    ...{ format: playable.format, serves: playable.serves, slateId: slate.id },
    ...{ ladder: derived.ladder, rungs: derived.rungs },
  };
  const replaced = before.find(({ format }) => format === feed.format);
  if (!(await deps.feeds.begin(feed, replaced?.life))) return { isTaken: true };
  return { feed, warnings: warningsOf(channel, analysis, playable, derived), reasons, ...retry };
}

const faultOf = (field: Field, { format }: PlayableOrigin): string | undefined =>
  field === 'sourceDashUrl' && format === 'hls' ? 'it must lead to an MPD; got an HLS playlist' : undefined;

// Compares an origin with the feed that it is on air as: renditions cannot change on air.

/** @returns what differs, in one or more sentences; undefined if nothing that viewers notice differs */
function originDrift(feed: LiveFeed, { playable, problems }: OriginAnalysis): string | undefined {
  if (playable === undefined) return `The origin at ${feed.url} has problems: ${problems.join('; ')}.`;
  const keys = new Set(playable.asset.renditions.map(({ id }) => id));
  const missing = feed.rungs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
  const faults: string[] = [];
  if (playable.format !== feed.format)
    faults.push(`its format was ${feed.format.toUpperCase()} and is ${playable.format.toUpperCase()} now`);
  else if (missing.length > 0) faults.push(`it no longer has ${missing.join(', ')}`);
  if (faults.length === 0) return undefined;
  return `The origin at ${feed.url} has changed since the channel went on air: ${faults.join('; ')}. To use it as it is now, disable the channel for longer than OFF_AIR_GRACE.`;
}
