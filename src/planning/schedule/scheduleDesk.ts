// SPDX-License-Identifier: Apache-2.0
// Edits of schedules, and what they would change.
import type { LinearChannel } from '../../channels/channel.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import { type Edit, type Edited, editEntries } from '../../scheduling/placeEntries.ts';
import type { PlacedEntry, ScheduleBefore, ScheduleStore, StoredSchedule } from '../../scheduling/ports.ts';
import type { Entry, ScheduleSettings } from '../../scheduling/schedule.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { AssetSource, KnownAssets } from '../ports.ts';
import { measureWith } from './measureSchedule.ts';
import { type ProjectDeps, type Projection, projectSchedule } from './projectSchedule.ts';
import { lengthsOf, mediaFinder } from './scheduleWindow.ts';

export type ScheduleDeskDeps<Audit> = ProjectDeps & {
  readonly schedules: ScheduleStore<Audit>;
  readonly assets: Pick<KnownAssets, 'known'>;
  readonly ladderOf: (channel: ChannelRef) => Promise<Ladder | undefined>;
  /** Called when a schedule has changed. */
  readonly onChanged: (channel: ChannelRef) => void | Promise<void>;
};

/** An edit as an operator has sent it. */
export type ScheduleEdit = { readonly edit: Edit; readonly settings: ScheduleSettings };

export type Range = { readonly from: Millis; readonly to: Millis };

/** What an edit results in. */
export type EditedSchedule = Edited & { readonly settings: ScheduleSettings };

export type ScheduleDesk<Audit = unknown> = ReturnType<typeof createScheduleDesk<Audit>>;

export function createScheduleDesk<Audit>(deps: ScheduleDeskDeps<Audit>) {
  const { schedules, now } = deps;

  /** The lengths of entries whose sources were imported before: an edit does not wait for origins. */
  async function knownLengths(channel: LinearChannel, settings: ScheduleSettings, entries: readonly Entry[]) {
    const find = mediaFinder({ ...deps, assets: withoutImports(deps.assets) }, channel, 0);
    const measure = measureWith(await deps.ladderOf(channel), channel, settings);
    const lengths = await lengthsOf(entries, find, measure, now());
    return (entry: Entry) => lengths.get(entry);
  }

  async function edited(channel: LinearChannel, { edit, settings }: ScheduleEdit): Promise<EditedSchedule> {
    const entries = edit.kind === 'replace' ? edit.entries : edit.put.map(({ entry }) => entry);
    const lengthOf = await knownLengths(channel, settings, entries);
    const current = edit.kind === 'replace' && edit.range === undefined ? [] : await schedules.known(channel);
    const all = editEntries(current, edit, lengthOf, now());
    if (edit.kind !== 'replace' || edit.range !== undefined) return { ...all, settings };
    const kept = new Set(entries.map(({ id }) => id));
    const removed = (await schedules.known(channel)).flatMap(({ id }) => (kept.has(id) ? [] : [id]));
    return { ...all, removed, settings };
  }

  /** What undoes an edit: the entries that it replaces, moves and removes. */
  async function beforeOf(
    channel: ChannelRef,
    stored: StoredSchedule | undefined,
    { put, removed, movedFrom }: EditedSchedule,
  ) {
    const ids = put.map(({ entry }) => entry.id);
    const replaced = await schedules.byId(channel, [...ids, ...removed]);
    const known = new Set(replaced.map(({ entry }) => entry.id));
    const before: ScheduleBefore = {
      settings: stored?.settings ?? {},
      put: replaced,
      moved: movedFrom,
      removed: ids.filter((id) => !known.has(id)),
    };
    return before;
  }

  /** The entries after an edit that is not stored. */
  const entriesAfter =
    (channel: ChannelRef, { all }: EditedSchedule): ScheduleStore['entries'] =>
    async (_, from, to) => {
      const start = all.findLastIndex(({ at }) => at < from);
      const within = all.slice(Math.max(0, start)).filter(({ at }) => at < to);
      const ids = within.flatMap((one) => ('entry' in one ? [] : [one.id]));
      const stored = new Map((await schedules.byId(channel, ids)).map((one) => [one.entry.id, one.entry]));
      return within.flatMap((one): PlacedEntry[] => {
        if ('entry' in one) return [one];
        const { id, isFixed: _fixed, ...place } = one;
        const entry = stored.get(id);
        return entry === undefined ? [] : [{ ...place, entry }];
      });
    };

  return {
    find: schedules.find,
    entries: schedules.entries,
    byId: schedules.byId,
    unread: schedules.unread,
    edited,
    /** What the channel will show. */
    async project(channel: LinearChannel, range: Range): Promise<Projection | undefined> {
      const stored = await schedules.find(channel);
      return stored && projectSchedule(deps, channel, stored.settings, schedules, range);
    },
    /** What it would show after an edit. */
    projectEdited: (channel: LinearChannel, after: EditedSchedule, range: Range): Promise<Projection> =>
      projectSchedule(deps, channel, after.settings, { entries: entriesAfter(channel, after) }, range),
    /** @param stored the schedule that was read. @returns false if it has changed since */
    async store(
      channel: LinearChannel,
      stored: StoredSchedule | undefined,
      after: EditedSchedule,
      by: { readonly email: string; readonly audit?: Audit },
    ): Promise<boolean> {
      const before = await beforeOf(channel, stored, after);
      const { settings, put, moved, removed } = after;
      const at = new Date(now()).toISOString();
      const change = { settings, put, moved, removed, before, by: by.email, at };
      return schedules.change(channel, stored?.version, change, by.audit);
    },
    /** The edit that undoes the last one; undefined if it is not kept any more. */
    async undoing(channel: ChannelRef, { version }: StoredSchedule): Promise<ScheduleEdit | undefined> {
      const before = await schedules.before(channel, version);
      if (before === undefined) return undefined;
      const { settings, ...edit } = before;
      return { edit: { kind: 'restore', ...edit }, settings };
    },
    onChanged: deps.onChanged,
  };
}

const unknown = { ok: false, reason: 'it is not imported yet' } as const;

/** What was imported before. */
export const withoutImports = ({ known }: Pick<KnownAssets, 'known'>): AssetSource => ({
  find: async (url, freshAfter) => (await known(url, freshAfter)) ?? unknown,
});
