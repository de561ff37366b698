// SPDX-License-Identifier: Apache-2.0
// The schedule of a linear channel: reading it, replacing and changing it, what it results in, and undoing a change.
import { Type } from 'typebox';
import type { LinearChannel } from '../../../channels/channel.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError, fieldError, validationError } from '../../../errors.ts';
import { checkIfMatch, entityTag } from '../../../http/admin/request/entityTag.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { readOpenRange, readRange } from '../../../http/admin/request/readRange.ts';
import type { AdminRequest, KeyedRoute, RouteResponse } from '../../../http/admin/request/route.ts';
import { auditedChange, idIn, readFields, recordNotFound } from '../../../http/admin/routes/record.ts';
import { isRecordId, oneOf, timeText } from '../../../http/contract/commonContract.ts';
import type { Projection } from '../../../planning/schedule/projectSchedule.ts';
import type { EditedSchedule, Range, ScheduleDesk, ScheduleEdit } from '../../../planning/schedule/scheduleDesk.ts';
import type { StoredSchedule } from '../../../scheduling/ports.ts';
import type { Entry, ScheduleSettings } from '../../../scheduling/schedule.ts';
import { isoText, millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import {
  MAX_ENTRIES,
  type ScheduleTimeline,
  scheduleBody,
  scheduleEntry,
  schedulePatch,
  scheduleResponse,
  scheduleTimeline,
} from '../contract/scheduleContract.ts';
import { scheduleFaults } from '../rules/scheduleFaults.ts';
import { scheduleWarnings } from '../rules/scheduleWarnings.ts';

export type ScheduleRouteDeps = {
  readonly desk: ScheduleDesk<AuditEntry>;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly now: () => number;
};

const PATH = '/api/v2/channels/:id/schedule';
const DAY_MS = 86_400_000;
/** The longest time whose timeline is returned. */
const MAX_PROJECTED_MS = 31 * DAY_MS;
/** An attempt fails only if another request's succeeded, so this many concurrent requests all succeed. */
const MAX_ATTEMPTS = 50;

const rangeQuery = Type.Object({
  from: timeText('Entries that start from this time on, ISO 8601 or UNIX seconds. Default: all.'),
  to: timeText('Entries that start before this time. Default: all.'),
});
const editQuery = Type.Object({
  ...rangeQuery.properties,
  dryRun: Type.Optional(oneOf(['true', 'false'], '`true` stores nothing, and returns the timeline that would result.')),
});
const timelineQuery = Type.Object({
  from: timeText('Start, ISO 8601 or UNIX seconds. Default: now.'),
  to: timeText('End, at most 31 days after `from`. Default: a day after `from`.'),
});

const settingsOf = ({ rules, fillerPlaylistId, breaks }: ScheduleSettings): ScheduleSettings => ({
  ...(rules === undefined ? {} : { rules }),
  ...(fillerPlaylistId === undefined ? {} : { fillerPlaylistId }),
  ...(breaks === undefined ? {} : { breaks }),
});

export function scheduleRoutes({ desk, channels, now }: ScheduleRouteDeps): KeyedRoute[] {
  async function channelOf(request: AdminRequest): Promise<LinearChannel> {
    const id = idIn(request);
    const channel = isRecordId(id) ? await channels.find(request.caller.tenant, id) : undefined;
    if (channel === undefined) throw recordNotFound('channel', id);
    if (channel.type === 'vod2live') return channel;
    const message = `Channel "${id}" must have type "vod2live" to have a schedule; its type is "${channel.type}".`;
    throw new AppError('CONFLICT', message);
  }

  function given({ query }: AdminRequest): { range?: Range; isDryRun: boolean } {
    const { dryRun, ...times } = readQuery(editQuery, query);
    const { from, to } = readOpenRange(times);
    const isDryRun = dryRun === 'true';
    if (times.from === undefined && times.to === undefined) return { isDryRun };
    return { isDryRun, range: { from: from ?? millis(0), to: to ?? millis(8.64e15) } };
  }

  /** What is shown from the range on that an edit concerns, at most for 31 days. */
  function projectedRange(range: Range | undefined): Range {
    const from = millis(Math.max(range?.from ?? 0, now()));
    return { from, to: millis(Math.min(Math.max(range?.to ?? 0, from + DAY_MS), from + MAX_PROJECTED_MS)) };
  }

  async function show(stored: StoredSchedule, entries: readonly Entry[], warnings?: readonly string[]) {
    const { settings, version, createdAt, modifiedAt, modifiedBy } = stored;
    const written = { createdAt, modifiedAt, ...(modifiedBy === undefined ? {} : { modifiedBy }), __v: version };
    return { entries, ...settingsOf(settings), ...(warnings && { warnings }), ...written };
  }

  function timelineJson(projection: Projection, { from, to }: Range): ScheduleTimeline {
    const known = new Map(projection.entries.map((one) => [one.entry.id, one]));
    return {
      from: isoText(from),
      to: isoText(to),
      timeline: projection.rows.map((row) => {
        const one = row.kind === 'entry' ? known.get(row.entryId) : undefined;
        const { entry, isOfRule } = one ?? {};
        return {
          kind: row.kind,
          startsAt: isoText(row.startsAt),
          endsAt: isoText(row.endsAt),
          ...(row.kind === 'entry' ? { entryId: row.entryId } : {}),
          ...(row.kind === 'inserted' ? { insertedId: row.insertedId } : {}),
          ...(entry?.title === undefined ? {} : { title: entry.title }),
          ...(isOfRule && row.kind === 'entry' ? { ruleId: row.entryId.slice(0, row.entryId.indexOf('@')) } : {}),
          ...(entry?.start === undefined ? {} : { plannedStart: entry.start }),
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
  async function edit(
    request: AdminRequest,
    make: (stored: StoredSchedule | undefined, channel: LinearChannel) => Promise<ScheduleEdit>,
  ): Promise<RouteResponse> {
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
      if (isDryRun) return { status: 200, json: timelineJson(await desk.projectEdited(channel, after, shown), shown) };
      const audit = request.audit.entry(auditedChange('schedule', auditOf(channel, stored), auditOf(channel, after)));
      if (!(await desk.store(channel, stored, after, { email: request.caller.email, audit }))) continue;
      request.afterwards(() => void desk.onChanged(channel));
      const warnings = scheduleWarnings(await desk.projectEdited(channel, after, shown));
      return respond(channel, range, warnings);
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
    const { from, to } = range ?? { from: millis(0), to: millis(8.64e15) };
    const entries = (await desk.entries(channel, from, to)).filter(({ at }) => at >= from);
    const json = await show(
      stored,
      entries.map(({ entry }) => entry),
      warnings,
    );
    return { status: 200, headers: { etag: entityTag(stored) }, json };
  }

  const facts = { tag: 'schedules', channelAccess: { param: 'id' } } as const;
  const etag = { etag: 'The version of the schedule, for If-Match.' };
  const ifMatch = { 'if-match': 'ETag of the expected version. The response is a 412 if the schedule has changed.' };
  const params = { id: 'channel-one' };
  const example = {
    entries: [
      {
        id: 'film-1800',
        title: 'The Harbour',
        start: '2026-12-01T18:00:00Z',
        source: { url: 'https://media.example.com/film/master.m3u8' },
        breaks: [{ spliceTime: 600, maxDuration: 60 }],
      },
      { id: 'trailers', title: 'Trailers', source: { playlistId: 'evening-loop' } },
    ],
  };

  return [
    {
      ...facts,
      method: 'GET',
      path: PATH,
      operationId: 'getSchedule',
      summary: 'Read the schedule of a channel',
      query: rangeQuery,
      response: { status: 200, description: 'The schedule.', schema: scheduleResponse, headers: etag },
      errors: [404, 409],
      example: { params },
      handle: async (request) => {
        const channel = await channelOf(request);
        return respond(channel, given(request).range);
      },
    },
    {
      ...facts,
      scope: 'operate',
      method: 'PUT',
      path: PATH,
      operationId: 'replaceSchedule',
      summary: 'Replace the schedule of a channel, or a range of it',
      description:
        'With `from` and `to`, replaces the entries that start within them, at once; `rules`, `fillerPlaylistId` and `breaks` stay unless they are given. Without them, replaces everything. What viewers have been shown stays; a change takes effect 8 seconds later, at a border of what is on air. With `dryRun=true`, nothing is stored, and the response is the timeline that would result, with every warning.',
      query: editQuery,
      headers: ifMatch,
      body: { schema: scheduleBody },
      response: {
        status: 200,
        description: 'The schedule. With `dryRun`, a `ScheduleTimeline`.',
        schema: scheduleResponse,
        headers: etag,
      },
      errors: [404, 409, 412],
      example: { params, body: example },
      handle: async (request) => {
        const body = await readFields(request.body, 'schedule', scheduleBody, scheduleFaults);
        const { range } = given(request);
        return edit(request, async (stored) => ({
          edit: { kind: 'replace', entries: body.entries as readonly Entry[], ...(range && { range }) },
          settings: { ...(range && stored ? stored.settings : {}), ...settingsOf(body as ScheduleSettings) },
        }));
      },
    },
    {
      ...facts,
      scope: 'operate',
      method: 'PATCH',
      path: PATH,
      operationId: 'changeSchedule',
      summary: 'Add, change and remove entries of a schedule',
      description:
        'An entry with a known `id` is changed: its fields are merged, and `null` removes one. Others are added, after the entry that `after` names, else at their `start`, else at the end. All changes are stored at once, or none. `dryRun` as for PUT.',
      query: editQuery,
      headers: ifMatch,
      body: { schema: schedulePatch },
      response: {
        status: 200,
        description: 'The schedule. With `dryRun`, a `ScheduleTimeline`.',
        schema: scheduleResponse,
        headers: etag,
      },
      errors: [404, 409, 412],
      example: {
        params,
        body: { entries: [{ id: 'film-1800', start: '2026-12-01T18:30:00Z' }], remove: ['trailers'] },
      },
      handle: async (request) => {
        const body = await readFields(request.body, 'change', schedulePatch, scheduleFaults);
        return edit(request, async (stored, channel) => {
          const { entries = [], remove = [], ...settings } = body;
          const known = await desk.byId(
            channel,
            entries.map(({ id }) => id),
          );
          const before = new Map(known.map(({ entry }) => [entry.id, entry]));
          const put = await Promise.all(entries.map((one, index) => merged(one, before.get(one.id), index)));
          return {
            edit: { kind: 'patch', put, removed: remove },
            settings: settingsOf(mergedFields(stored?.settings ?? {}, settings) as ScheduleSettings),
          };
        });
      },
    },
    {
      ...facts,
      scope: 'operate',
      method: 'POST',
      path: `${PATH}/undo`,
      operationId: 'undoSchedule',
      summary: 'Undo the last change of a schedule',
      description:
        'Another request undoes that again. The last 50 changes are kept. If the schedule has changed since the version that `If-Match` names, the response is a 412.',
      headers: ifMatch,
      response: { status: 200, description: 'The schedule.', schema: scheduleResponse, headers: etag },
      errors: [404, 409, 412],
      example: { params },
      handle: (request) =>
        edit(request, async (stored, channel) => {
          const undoing = stored && (await desk.undoing(channel, stored));
          if (undoing === undefined) throw new AppError('CONFLICT', 'There is no change of the schedule to undo.');
          return undoing;
        }),
    },
    {
      ...facts,
      method: 'GET',
      path: `${PATH}/timeline`,
      operationId: 'getScheduleTimeline',
      summary: 'Read what a schedule results in',
      description:
        'What is published, then what will be: entries of rules included, with gaps, filler and breaks where they land.',
      query: timelineQuery,
      response: { status: 200, description: 'The timeline.', schema: scheduleTimeline },
      errors: [404, 409],
      example: { params },
      handle: async (request) => {
        const channel = await channelOf(request);
        const range = readRange(
          readQuery(timelineQuery, request.query),
          ({ from = millis(now()), to }) => ({ from, to: to ?? millis(from + DAY_MS) }),
          MAX_PROJECTED_MS,
        );
        const projection = await desk.project(channel, range);
        if (projection === undefined)
          throw new AppError('NOT_FOUND', `Channel "${channel.id}" has no schedule. PUT one.`);
        return { status: 200, json: timelineJson(projection, range) };
      },
    },
  ];
}

const tooMany = (count: number): AppError =>
  validationError('Invalid schedule', [
    fieldError(
      'maxItems',
      '/entries',
      `must result in at most ${MAX_ENTRIES} entries; the schedule would have ${count}`,
      {
        limit: MAX_ENTRIES,
      },
    ),
  ]);

/** The fields of one object over those of another; null removes one. */
function mergedFields(before: object, changes: object): object {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(all);
}

async function merged(
  { after, ...fields }: Record<string, unknown> & { id: string; after?: string },
  before: Entry | undefined,
  index: number,
) {
  const entry = mergedFields(before ?? {}, fields);
  const checked = await readFields(entry, 'entry', scheduleEntry, (value) =>
    scheduleFaults({ entries: [value] }),
  ).catch((error: unknown) => {
    throw namingEntry(error, index);
  });
  return { entry: checked as unknown as Entry, ...(after === undefined ? {} : { after }) };
}

/** Faults of a merged entry, by its place in the request. */
function namingEntry(error: unknown, index: number): unknown {
  if (!(error instanceof AppError) || error.data === undefined) return error;
  const faults = error.data.map((fault) => ({
    ...fault,
    dataPath: `/entries/${index}${fault.dataPath.replace(/^\/entries\/0/, '')}`,
  }));
  return validationError('Invalid change', faults);
}

/** A schedule may be very long: the audit log has its size, and what else has changed. */
function auditOf(channel: LinearChannel, schedule: StoredSchedule | EditedSchedule | undefined) {
  if (schedule === undefined) return undefined;
  const changes = 'put' in schedule ? { changed: schedule.put.length, removed: schedule.removed.length } : {};
  return {
    id: channel.id,
    ...(channel.name === undefined ? {} : { name: channel.name }),
    ...settingsOf(schedule.settings),
    ...changes,
  };
}
