// SPDX-License-Identifier: Apache-2.0
// Plans a channel that has a schedule: its next hours are laid out, again and again.
import type { LinearChannel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { Slate } from '../../channels/schedule/planSlots.ts';
import { nextTurn } from '../../ingest/source/inTurns.ts';
import { hashOf } from '../../scheduling/hashOf.ts';
import type { StoredSchedule } from '../../scheduling/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type AirDeps, airChannel } from '../airChannel.ts';
import type { Change } from '../insertBreaks.ts';
import { itemFaults, joinSentences, type PlanOf } from '../preparation.ts';
import { type ChannelStatus, retryFrom } from '../status.ts';
import { type MeasureSchedule, measureWith } from './measureSchedule.ts';
import { prepareBumpers } from './prepareBumpers.ts';
import { findFiller, scheduleContent } from './scheduleContent.ts';
import { type MediaFinder, mediaFinder, readWindow, type WindowDeps } from './scheduleWindow.ts';

const STEP_MS = 3_600_000;
/** Steps that are laid out: a process that plans nothing for two hours is not noticed. */
const STEPS = 3;

/** Until when a channel is laid out, and when it is planned again. Channels are spread over the hour. */
export function horizonOf(key: string, now: Millis): { readonly until: Millis; readonly planAt: Millis } {
  const offset = hashOf(key) % STEP_MS;
  const step = Math.floor((now - offset) / STEP_MS);
  return { until: millis((step + STEPS) * STEP_MS + offset), planAt: millis((step + 1) * STEP_MS + offset) };
}

export type PlanScheduleDeps = Omit<AirDeps, 'onSlateAwaited'> &
  ContentDeps & {
    /** Reads the lengths of the entries of schedules. */
    readonly measuring?: MeasureSchedule;
  };
type ContentDeps = WindowDeps & { readonly now: () => Millis };

async function readContent(
  deps: ContentDeps,
  channel: LinearChannel,
  { settings }: StoredSchedule,
  ladder: Ladder | undefined,
  find: MediaFinder = mediaFinder(deps, channel, 0),
) {
  // After a start, all channels are planned, and reads of SQLite do not wait: other work gets a turn in between.
  await nextTurn();
  const now = deps.now();
  const { until, planAt } = horizonOf(channelKey(channel), now);
  const measure = measureWith(ladder, channel, settings);
  const window = await readWindow(
    deps.schedules.entries,
    channel,
    settings,
    { now, from: now, until },
    { find, measure },
  );
  const filler = await findFiller(find, channel, settings);
  const content = scheduleContent(channel, { settings, window, filler: filler.items, until });
  const warnings = [...window.warnings, ...filler.warnings];
  return { content, entries: window.entries, planAt, hasFiller: filler.items.length > 0, warnings };
}

/** The schedule of a channel on air, for what operators insert; undefined if it has none. */
export const scheduledChange =
  (deps: ContentDeps) =>
  async (channel: LinearChannel, ladder: Ladder, slate: Slate): Promise<Change | undefined> => {
    const stored = await deps.schedules.find(channel);
    if (stored === undefined) return undefined;
    const { schedule, leave } = await (await readContent(deps, channel, stored, ladder)).content.compose(ladder, slate);
    return schedule && leave && { schedule, leave };
  };

export async function planScheduledChannel(
  { deps, channel, freshAfter, planning }: PlanOf<PlanScheduleDeps, LinearChannel>,
  schedule: StoredSchedule,
  onSlateAwaited: AirDeps['onSlateAwaited'],
): Promise<ChannelStatus> {
  const ofChannel = mediaFinder(deps, channel, freshAfter, planning.results);
  const find: MediaFinder = (entry) => {
    const { source } = entry;
    if ('url' in source) planning.contents = [...planning.contents, { sourceType: 'url', url: source.url }];
    return ofChannel(entry);
  };
  const ladder = (await deps.airings.airing(channel))?.ladder;
  await deps.measuring?.until(channel, schedule, horizonOf(channelKey(channel), deps.now()).until);
  const { content, entries, planAt, hasFiller, warnings } = await readContent(deps, channel, schedule, ladder, find);
  const { statuses, reasons, retryAt, isPlaying } = await airChannel({ ...deps, onSlateAwaited }, channel, content);
  void deps.measuring?.inBackground(channel);
  const bumpers = prepareBumpers(deps, channel, (await deps.airings.airing(channel))?.ladder, entries);
  const faults = [...reasons, ...warnings, ...itemFaults(statuses), ...bumpers.faults];
  const isEmpty = statuses.length === 0;
  if (!isPlaying && !hasFiller)
    faults.push(
      isEmpty
        ? 'The schedule has nothing for now, and there is no filler, so the channel shows slate.'
        : 'No entry of the schedule can be played now, and there is no filler, so the channel shows slate.',
    );
  const state = isPlaying || hasFiller || isEmpty ? 'enabled' : 'failed';
  const stateReason = faults.length === 0 ? {} : { stateReason: joinSentences(faults) };
  const again = millis(Math.min(planAt, bumpers.planAt));
  return { state, ...stateReason, planAt: again, ...retryFrom(retryAt, deps.now()), items: statuses };
}
