// SPDX-License-Identifier: Apache-2.0
// Schedules as documents: importing one, and exporting what is stored.
import { Type } from 'typebox';
import { AppError } from '../../../errors.ts';
import { entityTag } from '../../../http/admin/request/entityTag.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { readOpenRange } from '../../../http/admin/request/readRange.ts';
import { type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import { oneOf, text } from '../../../http/contract/commonContract.ts';
import { inTurns } from '../../../ingest/source/inTurns.ts';
import { type ScheduleForm, scheduleForms } from '../../../scheduling/forms/readSchedule.ts';
import { writingSchedule } from '../../../scheduling/forms/writeSchedule.ts';
import { scheduleBody, scheduleImport } from '../contract/scheduleContract.ts';
import { readingImport } from '../rules/readImport.ts';
import { editQuery, rangeQuery, type ScheduleEditor, type ScheduleRouteDeps } from './scheduleEditor.ts';

const PATH = '/api/v2/channels/:id/schedule';
const MAX_DOCUMENT = 32 << 20;
const CHUNK = 64 << 10;

const types: Readonly<Record<ScheduleForm, { readonly type: string; readonly extension: string }>> = {
  csv: { type: 'text/csv', extension: 'csv' },
  xmltv: { type: 'application/xml', extension: 'xml' },
  mrss: { type: 'application/rss+xml', extension: 'rss' },
  json: { type: 'application/json', extension: 'json' },
};
const textTypes = [...Object.values(types).map(({ type }) => type), 'text/xml'];

function formOf(contentType: string | undefined): ScheduleForm {
  const type = contentType?.replace(/;.*/s, '').trim().toLowerCase();
  return scheduleForms.find((form) => types[form].type === type) ?? 'xmltv';
}

const importQuery = Type.Object({
  form: Type.Optional(
    oneOf(['csv', 'xmltv', 'mrss', 'json'], 'Form of the document. Default: that of the content type; XML is XMLTV.'),
  ),
  ...editQuery.properties,
  strict: Type.Optional(oneOf(['true', 'false'], '`true` stores nothing if there is an error.')),
  channelId: Type.Optional(
    text('XMLTV: the `id` of the channel in the document, if it has programmes of several.', { maxLength: 500 }),
  ),
});
const exportQuery = Type.Object({
  form: oneOf(['csv', 'xmltv', 'mrss', 'json'], 'Form of the document.', { default: 'json' }),
  ...rangeQuery.properties,
});

export function transferRoutes(
  { desk, baseUrl }: ScheduleRouteDeps,
  { channelOf, given, change }: ScheduleEditor,
): KeyedRoute[] {
  const facts = { tag: 'schedules', channelAccess: { param: 'id' } } as const;
  const params = { id: 'channel-one' };
  return [
    {
      ...facts,
      scope: 'operate',
      method: 'POST',
      path: `${PATH}/import`,
      operationId: 'importSchedule',
      summary: 'Import a schedule from a document',
      description:
        'Replaces entries as PUT does: with `from` and `to`, those that start within them, else all. Entries of the document that start outside the range are left out. `rules`, `fillerPlaylistId` and `breaks` stay unless a JSON document has them. An entry with an error is left out, and listed with its line; if no entry can be used, or with `strict=true` any has an error, the response is a 422 and nothing is stored. At most 32 MiB. Lengths of sources that have not been read yet are read afterwards: see `unread` of the schedule.',
      query: importQuery,
      headers: {
        'if-match': 'ETag of the expected version. The response is a 412 if the schedule has changed.',
      },
      body: { schema: scheduleBody, textTypes, limit: MAX_DOCUMENT },
      response: ok('What was imported.', scheduleImport, {
        optionalHeaders: { etag: 'The version of the schedule, for If-Match. Absent with `dryRun`.' },
      }),
      errors: [404, 409, 412],
      example: { params, body: { entries: [{ id: 'news', source: { playlistId: 'evening-loop' } }] } },
      async handle(request) {
        const { document = '', headers } = request;
        const query = readQuery(importQuery, request.query);
        const form = query.form ?? formOf(headers['content-type']);
        // Before the document is read, which may take seconds.
        await channelOf(request);
        const { range } = given(request);
        const options = { channelId: query.channelId, range, isStrict: query.strict === 'true' };
        const { entries, settings, report } = await inTurns(document.length, readingImport(document, form, options));
        const { channel, timeline, isDryRun } = await change(request, async (stored) => ({
          edit: { kind: 'replace', entries, ...(range && { range }) },
          settings: { ...stored?.settings, ...settings },
        }));
        const json = { ...report, warnings: timeline.warnings };
        if (isDryRun) return { status: 200, json: { ...json, timeline: timeline.timeline } };
        const stored = await desk.find(channel);
        return { status: 200, ...(stored && { headers: { etag: entityTag(stored) } }), json };
      },
    },
    {
      ...facts,
      method: 'GET',
      path: `${PATH}/export`,
      operationId: 'exportSchedule',
      summary: 'Export a schedule as a document',
      description:
        'The entries, which an import reads again. JSON has everything; with CSV, XMLTV and MRSS, `rules`, `fillerPlaylistId` and `breaks` are left out. XMLTV contains entries with a start, MRSS those that play an asset.',
      query: exportQuery,
      response: {
        status: 200,
        description: 'The document.',
        schema: scheduleBody,
        text: textTypes.filter((type) => type !== types.json.type && type !== 'text/xml'),
        headers: {
          'content-disposition': 'A name for the file.',
          'x-entries-left-out': 'Number of entries that the form cannot express.',
        },
      },
      errors: [404, 409],
      example: { params },
      async handle(request) {
        const channel = await channelOf(request);
        const { form, ...times } = readQuery(exportQuery, request.query);
        const { from, to } = readOpenRange(times);
        const stored = await desk.find(channel);
        if (stored === undefined) throw new AppError('NOT_FOUND', `Channel "${channel.id}" has no schedule. PUT one.`);
        const placed = (await desk.entries(channel, from, to)).filter(({ at }) => at >= from);
        const { id, name = id } = channel;
        const link = `${baseUrl(request)}${PATH.replace(':id', id)}`;
        const source = { id, name, link, settings: stored.settings };
        const writing = writingSchedule(
          placed.map(({ entry }) => entry),
          form,
          source,
        );
        const written = await inTurns(Number.POSITIVE_INFINITY, writing);
        const { type, extension } = types[form];
        return {
          status: 200,
          headers: {
            'content-disposition': `attachment; filename="${id}.${extension}"`,
            'x-entries-left-out': String(written.leftOut.length),
          },
          pages: { contentType: `${type}; charset=utf-8`, content: chunksOf(written.text) },
        };
      },
    },
  ];
}

async function* chunksOf(document: string): AsyncGenerator<string> {
  for (let at = 0; at < document.length; ) {
    // A character may be two units.
    const isWithin = /[\ud800-\udbff]/.test(document[at + CHUNK - 1] ?? '');
    const end = at + CHUNK + (isWithin ? 1 : 0);
    yield document.slice(at, end);
    at = end;
  }
}
