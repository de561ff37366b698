// SPDX-License-Identifier: Apache-2.0
// Puts the origins of a live channel on air, each as a feed. A feed continues as long as the channel has its URL: neither a
// restart nor an edit of another field analyses the origin again to derive another ladder.
import { randomUUID } from 'node:crypto';
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { Channel, LiveChannel } from '../../channels/channel.ts';
import type { Slate } from '../../channels/schedule/planSlots.ts';
import { nearestRendition, variantInPlace } from '../../ingest/live/hls/renditionKeys.ts';
import type { OriginAnalysis, PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import type { ManifestDecoder } from '../../ingest/ports.ts';
import { backupsFor, type LiveFeed } from '../../live/feed.ts';
import type { LiveFeedStore } from '../../live/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { anyFormatFault } from '../../timeline/ladder/formatFault.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { offAirText } from '../offAirText.ts';
import { joinSentences, type PlanOf } from '../preparation.ts';
import { type PrepareHouseDeps, prepareHouse } from '../prepareHouse.ts';
import { earliestRetry, slateFor } from '../slateFor.ts';
import { type ChannelStatus, retryFrom } from '../status.ts';
import { type LiveFeedLadder, liveFeedLadder } from './feedLadder.ts';
import { type LiveStatus, originStatus, withMarkerWarning } from './liveStatus.ts';

/** @param decode of several analyses that share the limits of their manifests */
export type AnalyseOrigin = (
  url: string,
  segmentationTypes?: readonly number[],
  decode?: ManifestDecoder,
) => Promise<OriginAnalysis>;

export type PlanLiveDeps = PrepareHouseDeps & {
  readonly feeds: LiveFeedStore;
  readonly analyse: AnalyseOrigin;
  readonly library: CreativeLibrary;
  readonly onSlateAwaited?: (channel: Channel) => void;
  readonly now: () => Millis;
  /** How long the life of a disabled channel continues, in milliseconds. */
  readonly grace: number;
};

/** An origin that cannot be used is analysed again after this time. */
const RETRY_AFTER_MS = 15_000;
/** An origin that is on air and could not be analysed is analysed again after this time. */
const CHECK_AGAIN_MS = 60_000;

const fields = ['sourceManifestUrl', 'sourceDashUrl'] as const;
type Field = (typeof fields)[number];
type Format = LiveFeed['format'];
type OnAirFeed = { readonly feed: LiveFeed; readonly warnings: readonly string[] };
type LivePlan = PlanOf<PlanLiveDeps, LiveChannel>;

export async function planLiveChannel(plan: LivePlan): Promise<ChannelStatus> {
  const { deps, channel, last } = plan;
  const before = await deps.feeds.current(channel);
  if (channel.sourceManifestUrl === undefined) {
    if (before.length > 0) await deps.feeds.end(channel);
    const stateReason = 'The channel has no origin, so it has nothing to show.';
    return { state: 'failed', stateReason, items: [] };
  }
  const aired = await airOrigins(plan, before);
  const { reasons, onAir, mustRetry, isUnchecked } = aired;
  // Another process put an origin on air first: continue from there.
  if (aired.isTaken) return planLiveChannel({ ...plan, fresh: false });
  const kept = new Set([...onAir.values()].map(({ feed }) => feed.life));
  const after = await deps.feeds.current(channel);
  // Until the new origin can be used, viewers keep the previous one.
  if (!mustRetry)
    await Promise.all(after.filter(({ life }) => !kept.has(life)).map(({ life }) => deps.feeds.endLife(life)));
  const shown = mustRetry ? after : after.filter(({ life }) => kept.has(life));
  const retryAt = earliestRetry([
    ...aired.retries,
    mustRetry ? millis(deps.now() + RETRY_AFTER_MS) : undefined,
    isUnchecked ? millis(deps.now() + CHECK_AGAIN_MS) : undefined,
  ]);
  const statusOf = (planned: ReadonlyMap<Format, OnAirFeed>): ChannelStatus => ({
    state: shown.length > 0 ? 'enabled' : 'failed',
    ...(reasons.length > 0 ? { stateReason: joinSentences(reasons) } : {}),
    ...retryFrom(retryAt, deps.now()),
    ...(isUnchecked && { isUnchecked }),
    items: [],
    live: liveStatus(channel, shown, planned, last?.live),
  });
  // Backups that do not respond delay neither an origin, nor an edit, nor the status.
  plan.planning.soFar = statusOf(onAir);
  return statusOf(new Map(await Promise.all([...onAir].map((one) => withBackups(plan, one)))));
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
  /** When slates are looked up again. */
  readonly retries: (Millis | undefined)[];
  /** An origin could not be put on air. */
  mustRetry?: true;
  /** An origin that is on air could not be analysed. */
  isUnchecked?: true;
  isTaken?: true;
};

async function airOrigins(plan: LivePlan, before: readonly LiveFeed[]): Promise<Aired> {
  const aired: Aired = { onAir: new Map(), reasons: [], retries: [] };
  for (const field of fields) {
    const url = plan.channel[field];
    if (url === undefined) continue;
    if (field === 'sourceDashUrl' && aired.onAir.has('dash')) {
      aired.reasons.push('The DASH origin is not used, because the first origin is an MPD, too; remove one of them.');
      continue;
    }
    const known = before.find(
      (feed) => feed.url === url && !aired.onAir.has(feed.format) && anyFormatFault(feed) === undefined,
    );
    if (known !== undefined) await continueFeed(plan, known, aired);
    else await startFeed(plan, field, url, before, aired);
    if (aired.isTaken) break;
  }
  return aired;
}

const PREFIX = 'backupManifestUrls';

const isBackupWarning = (text: string): boolean => text.startsWith(PREFIX);

/** One sentence for each backup that cannot be used as it is. */
async function backupWarnings(analyse: AnalyseOrigin, channel: LiveChannel, feed: LiveFeed): Promise<string[]> {
  const all = channel.backupManifestUrls ?? [];
  const own = backupsFor(all, feed.format);
  const found = await Promise.all(
    all.map(async (url, index) => {
      if (!own.includes(url) && channel.sourceDashUrl !== undefined) return [];
      const fault = own.includes(url)
        ? faultOf(feed, await analyse(url, channel.segmentationTypes), channel)
        : otherFormat(feed, feed.format === 'hls' ? 'dash' : 'hls');
      return fault === undefined ? [] : [`${PREFIX}[${index}] cannot replace ${feed.url}: ${fault}.`];
    }),
  );
  return found.flat();
}

const otherFormat = ({ format }: LiveFeed, found: LiveFeed['format']): string =>
  `it is ${found.toUpperCase()}, not ${format.toUpperCase()}`;

function faultOf(
  feed: LiveFeed,
  { playable, problems }: OriginAnalysis,
  { sourceDashUrl }: LiveChannel,
): string | undefined {
  if (playable === undefined) return problems.join('; ');
  const isForOther = playable.format === 'dash' && sourceDashUrl !== undefined;
  if (playable.format !== feed.format) return isForOther ? undefined : otherFormat(feed, playable.format);
  const missing = missingRungs(feed, playable.asset.renditions);
  const faults = missing.length > 0 ? [`it has no rendition ${missing.join(', ')}`] : [];
  const given = feed.ladder.targetDuration;
  if (playable.targetDuration > given)
    faults.push(`its target duration is ${playable.targetDuration} s, longer than ${given} s`);
  return faults.length === 0 ? undefined : faults.join('; ');
}

/** The rungs for which the readers of the origins on air find no rendition: they take the nearest one. */
function missingRungs({ format, rungs }: LiveFeed, renditions: Asset['renditions']): string[] {
  const keys = renditions.map(({ id }) => id);
  const free = keys.filter((key) => rungs.every((rung) => rung.key !== key));
  const inPlaceOf = (key: string) => nearestRendition(key, free) ?? variantInPlace(key, keys);
  const isFound = ({ key, kind }: LiveFeed['rungs'][number]): boolean =>
    keys.includes(key) ||
    kind === 'text' ||
    (format === 'hls' ? inPlaceOf(key) !== undefined : renditions.some((one) => one.kind === kind));
  return rungs.filter((rung) => !isFound(rung)).map(({ key }) => key);
}

/** The backups may have been edited, so they are analysed each time; without any, this costs nothing. */
async function withBackups(
  { deps, channel }: LivePlan,
  [format, { feed, warnings }]: readonly [Format, OnAirFeed],
): Promise<readonly [Format, OnAirFeed]> {
  const own = warnings.filter((text) => !isBackupWarning(text));
  return [format, { feed, warnings: [...own, ...(await backupWarnings(deps.analyse, channel, feed))] }];
}

async function findSlate(
  { deps, channel, planning }: LivePlan,
  ladder: Ladder,
  aired: Aired,
): Promise<Slate | undefined> {
  const { slate, reason, retryAt } = await slateFor(deps.library, ladder, channel, async (awaited) => {
    planning.slate = awaited;
    deps.onSlateAwaited?.(channel);
  });
  await prepareHouse(deps, channel, ladder);
  if (reason !== undefined) aired.reasons.push(reason);
  aired.retries.push(retryAt);
  return slate;
}

async function continueFeed(plan: LivePlan, feed: LiveFeed, aired: Aired): Promise<void> {
  const { deps, channel, last } = plan;
  // The media of its slate may be lost; they are made again.
  const slate = await findSlate(plan, feed.ladder, aired);
  if (slate !== undefined && slate.id !== feed.slateId)
    aired.reasons.push(
      `The channel went on air with another slate, which it keeps; to change it, ${offAirText(deps.grace)}.`,
    );
  let warnings = last?.live?.[feed.format]?.warnings ?? [];
  if (plan.fresh || last?.isUnchecked) {
    const analysis = await deps.analyse(feed.url, channel.segmentationTypes);
    const drift = originDrift(feed, analysis, deps.grace);
    if (drift !== undefined) aired.reasons.push(drift);
    const { playable } = analysis;
    if (playable === undefined) aired.isUnchecked = true;
    else warnings = warningsOf(channel, analysis, playable, liveFeedLadder(playable));
  }
  aired.onAir.set(feed.format, { feed, warnings });
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

async function startFeed(
  plan: LivePlan,
  field: Field,
  url: string,
  before: readonly LiveFeed[],
  aired: Aired,
): Promise<void> {
  const { deps, channel } = plan;
  const refuse = (fault: string): void => {
    aired.mustRetry = true;
    aired.reasons.push(`The ${field === 'sourceDashUrl' ? 'DASH origin' : 'origin'} cannot be used: ${fault}.`);
  };
  const analysis = await deps.analyse(url, channel.segmentationTypes);
  const { playable } = analysis;
  if (playable === undefined) return refuse(analysis.problems.join('; '));
  const { format, serves } = playable;
  if (field === 'sourceDashUrl' && format === 'hls') return refuse('it must lead to an MPD; got an HLS playlist');
  const derived = liveFeedLadder(playable);
  if (typeof derived === 'string') return refuse(derived);
  const { ladder, rungs } = derived;
  const slate = await findSlate(plan, ladder, aired);
  if (slate === undefined) {
    aired.mustRetry = true;
    return;
  }
  const { id: channelId, tenant } = channel;
  const start = { life: randomUUID(), startedAt: deps.now(), slateId: slate.id };
  const feed: LiveFeed = { channelId, tenant, ...start, url, format, serves, ladder, rungs };
  const replaced = before.find((one) => one.format === format);
  if (await deps.feeds.begin(feed, replaced?.life))
    aired.onAir.set(format, { feed, warnings: warningsOf(channel, analysis, playable, derived) });
  else aired.isTaken = true;
}

/** @returns how an origin differs from the feed on air, whose renditions cannot change, if viewers notice it */
function originDrift(feed: LiveFeed, { playable, problems }: OriginAnalysis, grace: number): string | undefined {
  if (playable === undefined) return `The origin at ${feed.url} has problems: ${problems.join('; ')}.`;
  const keys = new Set(playable.asset.renditions.map(({ id }) => id));
  const missing = feed.rungs.filter(({ key }) => !keys.has(key)).map(({ key }) => key);
  const faults: string[] = [];
  if (playable.format !== feed.format)
    faults.push(`its format was ${feed.format.toUpperCase()} and is ${playable.format.toUpperCase()} now`);
  else if (missing.length > 0) faults.push(`it no longer has ${missing.join(', ')}`);
  if (faults.length === 0) return undefined;
  return `The origin at ${feed.url} has changed since the channel went on air: ${faults.join('; ')}. To use it as it is now, ${offAirText(grace)}.`;
}
