// SPDX-License-Identifier: Apache-2.0
// Ends live entries of schedules: when an operator says so, or their origin.
import type { LinearChannel } from '../../channels/channel.ts';
import type { StoredSchedule } from '../../scheduling/ports.ts';
import type { Entry, LiveSource } from '../../scheduling/schedule.ts';
import { isLiveSource } from '../../scheduling/schedule.ts';
import { isoText, type Millis, millis } from '../../time/units.ts';
import type { ScheduleDesk, ScheduleEdit } from './scheduleDesk.ts';

/** The edit that ends a live entry. */
export function endedAt({ settings }: StoredSchedule, entry: Entry, { live }: LiveSource, at: Millis): ScheduleEdit {
  const ended = { ...entry, source: { live: { ...live, endedAt: isoText(at) } } };
  return { edit: { kind: 'patch', put: [{ entry: ended }], removed: [] }, settings };
}

/** What `modifiedBy` of a schedule states. */
const BY_ORIGIN = 'origin';
const MAX_ATTEMPTS = 3;

export type EndEntry = ReturnType<typeof createEndEntry>;

/** @returns ends an entry that the origin has ended, and returns when it was ended first; undefined for an entry that is not stored */
export const createEndEntry =
  (desk: Pick<ScheduleDesk, 'find' | 'byId' | 'edited' | 'store'>) =>
  async (channel: LinearChannel, entryId: string, at: Millis): Promise<Millis | undefined> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await desk.find(channel);
      const [placed] = await desk.byId(channel, [entryId]);
      if (stored === undefined || placed === undefined || !isLiveSource(placed.entry.source)) return undefined;
      const { entry } = placed;
      const { source } = placed.entry;
      if (source.live.endedAt !== undefined) return millis(Date.parse(source.live.endedAt));
      const after = await desk.edited(channel, endedAt(stored, entry, source, at));
      if (await desk.store(channel, stored, after, { email: BY_ORIGIN })) return at;
    }
    return undefined;
  };
