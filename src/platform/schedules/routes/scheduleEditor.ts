// SPDX-License-Identifier: Apache-2.0
// What the routes of schedules share: finding the channel, making a change, and showing a schedule or what it results in.
import { Type } from 'typebox';
import type { LinearChannel } from '../../../channels/channel.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError, fieldError, validationError } from '../../../errors.ts';
import type { PublicUrls } from '../../../http/admin/documentation/documentationRoutes.ts';
import { checkIfMatch, entityTag } from '../../../http/admin/request/entityTag.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { readOpenRange } from '../../../http/admin/request/readRange.ts';
import type { AdminRequest, RouteResponse } from '../../../http/admin/request/route.ts';
import { findLinearChannel } from '../../../http/admin/routes/findChannel.ts';
import { auditedChange } from '../../../http/admin/routes/record.ts';
import { oneOf, timeText } from '../../../http/contract/commonContract.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { Projection } from '../../../planning/schedule/projectSchedule.ts';
import type { EditedSchedule, Range, ScheduleDesk, ScheduleEdit } from '../../../planning/schedule/scheduleDesk.ts';
import type { StoredSchedule } from '../../../scheduling/ports.ts';
import type { Entry, ScheduleSettings } from '../../../scheduling/schedule.ts';
import { isoText, millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import { MAX_ENTRIES, type ScheduleTimeline } from '../contract/scheduleContract.ts';
import { cutSeconds, scheduleWarnings } from '../rules/scheduleWarnings.ts';

export type ScheduleRouteDeps = {
  readonly desk: ScheduleDesk<AuditEntry>;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly now: () => number;
  readonly baseUrl: PublicUrls['baseUrl'];
};

export const DAY_MS = 86_400_000;
/** The latest time that a date can hold. */
const FOREVER = millis(8.64e15);
/** The longest time whose timeline is returned. */
export const MAX_PROJECTED_MS = 31 * DAY_MS;
/** An attempt fails only if another request's succeeded, so this many concurrent requests all succeed. */
const MAX_ATTEMPTS = 50;

export const rangeQuery = Type.Object({
  from: timeText('Entries that start from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Entries that start before this time. Default: all.'),
});
export const editQuery = Type.Object({
  ...rangeQuery.properties,
  dryRun: Type.Optional(oneOf(['true', 'false'], '`true` stores nothing, and returns the timeline that would result.')),
});
export const settingsOf = ({ rules, fillerPlaylistId, breaks }: ScheduleSettings): ScheduleSettings =>
  withoutUndefined({ rules, fillerPlaylistId, breaks });

export type ScheduleEditor = ReturnType<typeof createScheduleEditor>;

export type ScheduleChanged = {
  readonly channel: LinearChannel;
  readonly range: Range | undefined;
  /** What it results in. */
  readonly timeline: ScheduleTimeline;
  readonly isDryRun: boolean;
};

export function createScheduleEditor({ desk, channels, now }: ScheduleRouteDeps) {
  const channelOf = (request: AdminRequest) => findLinearChannel(request, channels, 'a schedule');

  function given({ query }: AdminRequest): { range?: Range; isDryRun: boolean } {
    const { dryRun, ...times } = readQuery(editQuery, query);
    const { from, to } = readOpenRange(times);
    const isDryRun = dryRun === 'true';
    if (times.from === undefined && times.to === undefined) return { isDryRun };
    return { isDryRun, range: { from: from ?? millis(0), to: to ?? FOREVER } };
  }

  /** What is shown from the range on that an edit concerns, at most for 31 days. */
  function projectedRange(range: Range | undefined): Range {
    const from = millis(Math.max(range?.from ?? 0, now()));
    const to = range !== undefined && range.to > from && range.to < FOREVER ? range.to : from + DAY_MS;
    return { from, to: millis(Math.min(to, from + MAX_PROJECTED_MS)) };
  }

  async function show(stored: StoredSchedule, entries: readonly Entry[], unread: number, warnings?: readonly string[]) {
    const { settings, version, createdAt, modifiedAt, modifiedBy } = stored;
    const more = { unread: unread > 0 ? unread : undefined, warnings, createdAt, modifiedAt, modifiedBy };
    return { entries, ...settingsOf(settings), ...withoutUndefined(more), __v: version };
  }

  function timelineJson(projection: Projection, { from, to }: Range): ScheduleTimeline {
    const known = new Map(projection.entries.map((one) => [one.entry.id, one]));
    return {
      from: isoText(from),
      to: isoText(to),
      timeline: projection.rows.map((row) => {
        const one = row.kind === 'entry' ? known.get(row.entryId) : undefined;
        const { entry, isOfRule } = one ?? {};
        const cut = one === undefined ? 0 : cutSeconds(one);
        return {
          kind: row.kind,
          startsAt: isoText(row.startsAt),
          endsAt: isoText(row.endsAt),
          ...(row.kind === 'entry' && { entryId: row.entryId }),
          ...(row.kind === 'inserted' && { insertedId: row.insertedId }),
          ...(isOfRule && row.kind === 'entry' && { ruleId: row.entryId.slice(0, row.entryId.indexOf('@')) }),
          ...withoutUndefined({ title: entry?.title, plannedStart: entry?.start }),
          ...(cut > 0 && { cut: Math.round(cut * 1000) / 1000 }),
          breaks: row.breaks.map(({ startsAt, duration }) => ({
            startsAt: isoText(startsAt),
            duration: Math.round(duration) / 1000,
          })),
        };
      }),
      warnings: scheduleWarnings(projection),
    };
  }

  /** Edits until no other request has changed the schedule in between. With If-Match, such a change is a 412. */
  async function change(
    request: AdminRequest,
    make: (stored: StoredSchedule | undefined, channel: LinearChannel) => Promise<ScheduleEdit>,
  ): Promise<ScheduleChanged> {
    const channel = await channelOf(request);
    const { range, isDryRun } = given(request);
    const ifMatch = request.headers['if-match'];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await desk.find(channel);
      if (stored !== undefined) checkIfMatch(ifMatch, stored);
      else if (ifMatch !== undefined)
        throw new AppError('PRECONDITION_FAILED', 'The channel has no schedule yet. Omit If-Match.');
      const after = await desk.edited(channel, await make(stored, channel));
      if (after.all.length > MAX_ENTRIES) throw tooMany(after.all.length);
      const shown = projectedRange(range);
      if (isDryRun) request.audit.nothing();
      else {
        const audit = request.audit.entry(auditedChange('schedule', auditOf(channel, stored), auditOf(channel, after)));
        if (!(await desk.store(channel, stored, after, { email: request.caller.email, audit }))) continue;
        request.afterwards(() => void desk.onChanged(channel));
      }
      const projection = await desk.projectEdited(channel, after, shown);
      return { channel, range, timeline: timelineJson(projection, shown), isDryRun };
    }
    throw new AppError('CONFLICT', 'Too many concurrent changes of the schedule. Retry.');
  }

  async function respond(
    channel: LinearChannel,
    range: Range | undefined,
    warnings?: readonly string[],
  ): Promise<RouteResponse> {
    const stored = await desk.find(channel);
    if (stored === undefined) throw new AppError('NOT_FOUND', `Channel "${channel.id}" has no schedule. PUT one.`);
    const { from, to } = range ?? { from: millis(0), to: FOREVER };
    const entries = (await desk.entries(channel, from, to)).filter(({ at }) => at >= from);
    const json = await show(
      stored,
      entries.map(({ entry }) => entry),
      await desk.unread(channel),
      warnings,
    );
    return { status: 200, headers: { etag: entityTag(stored) }, json };
  }

  return {
    channelOf,
    given,
    change,
    respond,
    timelineJson,
    /** The timeline of a dry run, else the schedule. */
    async edit(request: AdminRequest, make: Parameters<typeof change>[1]): Promise<RouteResponse> {
      const { channel, range, timeline, isDryRun } = await change(request, make);
      return isDryRun ? { status: 200, json: timeline } : respond(channel, range, timeline.warnings);
    },
  };
}

function tooMany(count: number): AppError {
  const message = `must result in at most ${MAX_ENTRIES} entries; the schedule would have ${count}`;
  return validationError('Invalid schedule', [fieldError('maxItems', '/entries', message, { limit: MAX_ENTRIES })]);
}

/** A schedule may be very long: the audit log has its size, and what else has changed. */
function auditOf(channel: LinearChannel, schedule: StoredSchedule | EditedSchedule | undefined) {
  if (schedule === undefined) return undefined;
  const changes = 'put' in schedule ? { changed: schedule.put.length, removed: schedule.removed.length } : {};
  return {
    id: channel.id,
    ...withoutUndefined({ name: channel.name }),
    ...settingsOf(schedule.settings),
    ...changes,
  };
}
