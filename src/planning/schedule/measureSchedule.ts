// SPDX-License-Identifier: Apache-2.0
// Reads the sources of entries whose length is not known yet, in the order of time, and places the entries after them. An entry
// whose source cannot be read is tried again by the next planning.
import type { LinearChannel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import { createTaskQueue } from '../../ingest/taskQueue.ts';
import { type Edit, editEntries } from '../../scheduling/placeEntries.ts';
import type { KnownEntry } from '../../scheduling/ports.ts';
import type { ScheduleSettings } from '../../scheduling/schedule.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import {
  lengthsOf,
  type Measure,
  type Measured,
  mediaFinder,
  slotsOfEntry,
  type WindowDeps,
} from './scheduleWindow.ts';

export type MeasureDeps = WindowDeps & {
  readonly ladderOf: (channel: ChannelRef) => Promise<Ladder | undefined>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Entries that are read and placed at once; fewer where a planning waits for them. */
const BATCH = { until: 100, inBackground: 500 };
/** A source that does not respond delays its channel for long. */
const CHANNELS_AT_ONCE = 8;
const NO_EDIT: Edit = { kind: 'patch', put: [], removed: [] };

/** The length of what an entry plays on a channel with this ladder, or on one of its own. */
export const measureWith =
  (ladder: Ladder | undefined, { breakDuration }: LinearChannel, { breaks }: ScheduleSettings): Measure =>
  (entry, media) => {
    const assets =
      media.kind === 'asset' ? [media.found] : media.kind === 'playlist' ? media.items.map(({ found }) => found) : [];
    const [first, ...others] = assets.flatMap((found) => (found.ok ? [found.asset] : []));
    if (first === undefined) return undefined;
    const own = ladder ?? ladderOf([first, ...others]);
    const maker = { ladder: own, rate: own.frameRate, slate: undefined, breakDuration, breaks };
    const outcome = slotsOfEntry(entry, media, maker);
    return outcome.ok ? outcome.length : undefined;
  };

export type MeasureSchedule = ReturnType<typeof createMeasuring>;

export function createMeasuring(deps: MeasureDeps) {
  const { schedules, now } = deps;
  /** What could not be read of a version, so that no planning waits for it twice. */
  const failed = new Map<string, { readonly version: number; readonly ids: Set<string> }>();
  const waiting = new Set<string>();
  const queue = createTaskQueue(CHANNELS_AT_ONCE);

  /** @param until entries that start later are left out */
  async function measure(channel: LinearChannel, until: number, tried: Set<string>): Promise<void> {
    const most = until === Number.POSITIVE_INFINITY ? BATCH.inBackground : BATCH.until;
    let known: { readonly version: number; readonly lengths: Measured } | undefined;
    while ((await schedules.unread(channel)) > 0) {
      const stored = await schedules.find(channel);
      if (stored === undefined) return;
      const current = await schedules.known(channel);
      const unread = current.filter(({ length }) => length === undefined);
      const due = unread.filter(({ id, at }) => at < until && !tried.has(id));
      const ids = due.slice(0, most).map(({ id }) => id);
      if (ids.length === 0) return;
      const entries = (await schedules.byId(channel, ids)).map(({ entry }) => entry);
      const measureEntry = measureWith(await deps.ladderOf(channel), channel, stored.settings);
      if (known?.version !== stored.version) known = { version: stored.version, lengths: new Map() };
      const lengths = await lengthsOf(entries, mediaFinder(deps, channel, 0), measureEntry, now(), known.lengths);
      const found = new Map([...lengths].map(([{ id }, length]) => [id, length]));
      const moved = placedAgain(current, found, now());
      const read = { version: stored.version, unread: unread.length };
      // Otherwise the schedule was changed, or measured by another node, meanwhile.
      if (moved.length > 0 && !(await schedules.place(channel, read, moved))) continue;
      for (const id of ids) if (!found.has(id)) tried.add(id);
    }
  }

  return {
    /** Before a planning: what starts until then. */
    async until(channel: LinearChannel, { version }: { readonly version: number }, until: Millis): Promise<void> {
      const key = channelKey(channel);
      const known = failed.get(key);
      const tried = known?.version === version ? known.ids : new Set<string>();
      failed.set(key, { version, ids: tried });
      await measure(channel, until, tried);
    },
    /** The rest. */
    async inBackground(channel: LinearChannel): Promise<void> {
      const key = channelKey(channel);
      if (waiting.has(key)) return;
      waiting.add(key);
      await queue.run(async () => {
        waiting.delete(key);
        const { tenant, id: channelId } = channel;
        await measure(channel, Number.POSITIVE_INFINITY, new Set()).catch((error: unknown) =>
          deps.log('reading the lengths of a schedule failed', { tenant, channelId, error }),
        );
      }, false);
    },
  };
}

/** The entries whose place or length follows from lengths that were found. */
function placedAgain(current: readonly KnownEntry[], found: ReadonlyMap<string, Millis>, now: Millis): KnownEntry[] {
  if (found.size === 0) return [];
  const measured = current.map((one): KnownEntry => {
    const length = one.length ?? found.get(one.id);
    return length === undefined ? one : { ...one, length };
  });
  const before = new Map(current.map((one) => [one.id, one]));
  return editEntries(measured, NO_EDIT, () => undefined, now).all.flatMap((one) => {
    if ('entry' in one) return [];
    const { at, order, length } = before.get(one.id) ?? {};
    return at === one.at && order === one.order && length === one.length ? [] : [one];
  });
}
