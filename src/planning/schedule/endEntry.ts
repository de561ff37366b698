// SPDX-License-Identifier: Apache-2.0
// Ends live entries of schedules: when an operator says so, or their origin.
import type { LinearChannel } from '../../channels/channel.ts';
import type { StoredSchedule } from '../../scheduling/ports.ts';
import { type Entry, isLiveSource, type LiveSource, MAX_ENDED, type Rule } from '../../scheduling/schedule.ts';
import { isoText, type Millis, millis } from '../../time/units.ts';
import type { ScheduleDesk, ScheduleEdit } from './scheduleDesk.ts';

/** The edit that ends a live entry. */
export function entryEnded({ settings }: StoredSchedule, entry: Entry, { live }: LiveSource, at: Millis): ScheduleEdit {
  const ended = { ...entry, source: { live: { ...live, endedAt: isoText(at) } } };
  return { edit: { kind: 'patch', put: [{ entry: ended }], removed: [] }, settings };
}

const ruleOf = ({ settings: { rules = [] } }: StoredSchedule, entryId: string): Rule | undefined =>
  rules.find(({ id }) => entryId.startsWith(`${id}@`));

/** The edit that ends a live entry of one occurrence of a rule. */
export function occurrenceEnded(stored: StoredSchedule, entryId: string, at: Millis): ScheduleEdit {
  const { settings } = stored;
  const own = ruleOf(stored, entryId);
  const withEnd = (rule: Rule): Rule => ({
    ...rule,
    ended: [...(rule.ended ?? []).slice(1 - MAX_ENDED), { entryId, at: isoText(at) }],
  });
  const rules = settings.rules?.map((rule) => (rule === own ? withEnd(rule) : rule));
  return { edit: { kind: 'patch', put: [], removed: [] }, settings: { ...settings, ...(rules && { rules }) } };
}

/** What `modifiedBy` of a schedule states. */
const BY_ORIGIN = 'origin';
const MAX_ATTEMPTS = 3;

export type EndEntry = ReturnType<typeof createEndEntry>;

/** @returns ends an entry that the origin has ended, and returns when it was ended first; undefined for one that is not scheduled */
export const createEndEntry =
  (desk: Pick<ScheduleDesk, 'find' | 'byId' | 'edited' | 'store'>) =>
  async (channel: LinearChannel, entryId: string, at: Millis): Promise<Millis | undefined> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await desk.find(channel);
      if (stored === undefined) return undefined;
      const [placed] = await desk.byId(channel, [entryId]);
      const source = placed?.entry.source;
      const rule = placed === undefined ? ruleOf(stored, entryId) : undefined;
      const isLive = source !== undefined && isLiveSource(source);
      if (!isLive && rule === undefined) return undefined;
      const before = isLive ? source.live.endedAt : rule?.ended?.find((one) => one.entryId === entryId)?.at;
      if (before !== undefined) return millis(Date.parse(before));
      const edit =
        placed !== undefined && isLive
          ? entryEnded(stored, placed.entry, source, at)
          : occurrenceEnded(stored, entryId, at);
      if (await desk.store(channel, stored, await desk.edited(channel, edit), { email: BY_ORIGIN })) return at;
    }
    return undefined;
  };
