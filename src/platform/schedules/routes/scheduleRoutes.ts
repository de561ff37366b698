// SPDX-License-Identifier: Apache-2.0
// The schedule of a linear channel: reading it, replacing and changing it, what it results in, and undoing a change.
import { Type } from 'typebox';
import { AppError, fieldError, validationError } from '../../../errors.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { readRange } from '../../../http/admin/request/readRange.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { MAX_FAULTS } from '../../../http/admin/request/validate.ts';
import { readBody, readFields } from '../../../http/admin/routes/record.ts';
import { timeText } from '../../../http/contract/commonContract.ts';
import type { Range } from '../../../planning/schedule/scheduleDesk.ts';
import type { Entry, ScheduleSettings } from '../../../scheduling/schedule.ts';
import { millis } from '../../../time/units.ts';
import {
  ignoredFields,
  type ScheduleBody,
  scheduleBody,
  scheduleEntry,
  schedulePatch,
  scheduleResponse,
  scheduleTimeline,
} from '../contract/scheduleContract.ts';
import { scheduleFaults } from '../rules/scheduleFaults.ts';
import { endEntryRoute } from './endEntryRoute.ts';
import {
  createScheduleEditor,
  DAY_MS,
  editQuery,
  MAX_PROJECTED_MS,
  rangeQuery,
  type ScheduleRouteDeps,
  settingsOf,
} from './scheduleEditor.ts';
import { transferRoutes } from './transferRoutes.ts';

const PATH = '/api/v2/channels/:id/schedule';

const timelineQuery = Type.Object({
  from: timeText('Start, ISO 8601 or UNIX seconds. Default: now.'),
  to: timeText('End, at most 31 days after `from`. Default: a day after `from`.'),
});

export function scheduleRoutes(deps: ScheduleRouteDeps): KeyedRoute[] {
  const { desk, now } = deps;
  const editor = createScheduleEditor(deps);
  const { channelOf, given, edit, respond, timelineJson } = editor;
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
        const rules = { noun: 'schedule', schema: scheduleBody, ignored: ignoredFields };
        const body = (await readBody(request.body, rules, scheduleFaults)) as ScheduleBody;
        const { range } = given(request);
        checkRange(body.entries, range);
        return edit(request, async (stored) => ({
          edit: { kind: 'replace', entries: body.entries as readonly Entry[], ...(range && { range }) },
          settings: { ...(range && stored ? stored.settings : {}), ...settingsOf(body as ScheduleSettings) },
        }));
      },
    },
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
          const followed = entries.flatMap(({ after }) => after ?? []);
          const there = await desk.byId(channel, followed);
          const ids = new Set([...there.map(({ entry }) => entry.id), ...entries.map(({ id }) => id)]);
          const faults = entries.flatMap(({ after }, index) => {
            const message = `must be the ID of an entry of the schedule; got "${after}"`;
            return after === undefined || ids.has(after) ? [] : [fieldError('id', `/entries/${index}/after`, message)];
          });
          if (faults.length > 0) throw validationError('Invalid change', faults);
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
    endEntryRoute({ desk, now }, edit),
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
    ...transferRoutes(deps, editor),
  ];
}

/** @throws {AppError} VALIDATION_ERROR if an entry starts outside the range that is replaced */
function checkRange(entries: ScheduleBody['entries'], range: Range | undefined): void {
  if (range === undefined) return;
  const faults = entries.flatMap(({ start }, index) => {
    const at = start === undefined ? range.from : Date.parse(start);
    if (at >= range.from && at < range.to) return [];
    return [fieldError('range', `/entries/${index}/start`, `must be from "from" on and before "to"; got ${start}`)];
  });
  if (faults.length > 0) throw validationError('Invalid schedule', faults.slice(0, MAX_FAULTS));
}

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
