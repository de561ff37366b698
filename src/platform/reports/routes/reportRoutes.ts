// SPDX-License-Identifier: Apache-2.0
// The reports of a system. Their names and fields are defined in rules/catalogue.ts.

import type { Static } from 'typebox';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { negotiate } from '../../../http/admin/request/negotiate.ts';
import { readQuery, rejectQuery } from '../../../http/admin/request/readQuery.ts';
import { unixTime } from '../../../http/admin/request/readRange.ts';
import type { AdminRequest, KeyedRoute } from '../../../http/admin/request/route.ts';
import { writeCsv } from '../../../http/admin/response/writeCsv.ts';
import { recordNotFound } from '../../../http/admin/routes/record.ts';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { REPORT_INTERVAL_MS } from '../../../time/reportInterval.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { includesScope } from '../../access/rules/scope.ts';
import { isSystemId } from '../../systems/contract/systemContract.ts';
import type { SystemStore } from '../../systems/rules/ports.ts';
import { reportNames, type System, systemKey } from '../../systems/rules/system.ts';
import { type ReportResponse, reportQuery, reportResponse } from '../contract/reportContract.ts';
import { type Dimension, type ReportName, reportDimensions } from '../contract/reportValues.ts';
import type { ReportStore } from '../rules/ports.ts';
import { makeReport, type ReportQuery, type ReportResult } from '../rules/query/report.ts';

const DAY_MS = 86_400_000;
const CSV = 'text/csv';

type Selected = Static<typeof reportQuery>;

/** Checks what the schema cannot express: the range, and the dimensions of the report. */
function faultsOf(
  report: ReportName,
  { by, channel, label }: Pick<Selected, 'by' | 'channel' | 'label'>,
  start: Millis,
  end: Millis,
) {
  const faults: FieldError[] = [];
  const known: readonly Dimension[] = reportDimensions[report];
  const expected = known.length === 0 ? 'must be omitted' : `must be one of ${known.join(', ')}`;
  if (by !== undefined && !known.includes(by)) {
    faults.push(fieldError('by', '/by', `${expected} for the report ${report}; got "${by}"`));
  }
  for (const [name, value] of Object.entries({ channel, label: label?.[0] })) {
    if (value === undefined || known.includes('channel')) continue;
    const problem = `must be omitted for the report ${report}, which is not recorded per channel; got "${value}"`;
    faults.push(fieldError('channel', `/${name}`, problem));
  }
  if (channel !== undefined && label !== undefined && label.length > 0)
    faults.push(fieldError('label', '/label', 'must not be combined with channel'));
  if (end <= start) {
    const [from, to] = [start, end].map((time) => new Date(time).toISOString());
    faults.push(fieldError('range', '/end', `must be after start (${from}); got ${to}`));
  }
  return faults;
}

async function readReportQuery(
  report: ReportName,
  { query, caller }: AdminRequest,
  channels: Deps['channels'],
  now: Millis,
): Promise<ReportQuery> {
  const { start: from, end: to, channel, label = [], ...selection } = readQuery(reportQuery, query);
  const timeOf = (value: number | undefined) => (value === undefined ? undefined : unixTime(value));
  const end = timeOf(to) ?? millis(Math.ceil(now / REPORT_INTERVAL_MS) * REPORT_INTERVAL_MS);
  const start = timeOf(from) ?? millis(Math.max(0, end - DAY_MS));
  rejectQuery(faultsOf(report, withoutUndefined({ by: selection.by, channel, label }), start, end));
  const only = channel === undefined ? undefined : [channel];
  const labelled = label.length === 0 ? undefined : await channels.labelled(caller.tenant, label);
  const showsPrices = includesScope(caller.scope, 'manage');
  return { report, start, end, showsPrices, ...selection, ...withoutUndefined({ channels: labelled ?? only }) };
}

const showReport = (
  system: System,
  report: ReportName,
  since: string | undefined,
  result: ReportResult,
): DeepReadonly<ReportResponse> => ({
  system: system.id,
  report,
  ...result,
  ...(since === undefined ? {} : { since }),
  start: new Date(result.start).toISOString(),
  end: new Date(result.end).toISOString(),
  fields: result.fields.map(({ name, unit, description }) => ({ name, unit, description })),
});

type Deps = {
  readonly systems: Pick<SystemStore, 'find'>;
  readonly channels: Pick<ChannelStore, 'labelled'>;
  /** The store of a system's reports. */
  readonly reportStore: (system: System) => ReportStore;
  /** When a tenant was created, ISO 8601. */
  readonly createdAt: (tenant: string) => Promise<string | undefined>;
  readonly now: () => Millis;
};

export function reportRoutes({ systems, channels, reportStore, createdAt, now }: Deps): KeyedRoute[] {
  async function find({ caller, params: { id = '' } }: AdminRequest): Promise<System> {
    const system = isSystemId(id) ? await systems.find(caller.tenant, id) : undefined;
    if (system) return system;
    throw recordNotFound('system', id);
  }

  function reportNamed({ type }: System, name: string): ReportName {
    const names: readonly string[] = reportNames[type];
    if (names.includes(name)) return name as ReportName;
    const message = `Report "${name.slice(0, 200)}" not found. A system of type ${type} has ${names.join(', ')}.`;
    throw new AppError('NOT_FOUND', message);
  }

  return [
    {
      tag: 'reports',
      channelAccess: { query: 'channel' },
      method: 'GET',
      path: '/api/v2/systems/:id/reports/:report',
      operationId: 'getReport',
      summary: 'Read a report',
      description:
        'Contains a row for every interval of the range, also if all values are zero. `Accept: text/csv` returns the rows as CSV. Fields of money require the scope `manage`, and are omitted without it.',
      query: reportQuery,
      headers: { accept: `\`${CSV}\` for CSV.` },
      response: { status: 200, description: 'The report.', schema: reportResponse, text: [CSV] },
      errors: [404, 503],
      example: {
        params: { id: '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11', report: 'viewers' },
        query: { start: '1767225600', end: '1767312000', interval: '3600000', by: 'channel' },
      },
      handle: async (request) => {
        const system = await find(request);
        const report = reportNamed(system, request.params.report ?? '');
        const at = now();
        const query = await readReportQuery(report, request, channels, at);
        const result = await makeReport(systemKey(system), query, reportStore(system), at);
        const since = await createdAt(system.tenant);
        const headers = { vary: 'accept' };
        if (negotiate(request.headers.accept, ['application/json', CSV]) === 'application/json')
          return { status: 200, headers, json: showReport(system, report, since, result) };
        const names = result.fields.map(({ name }) => name);
        const counted = Date.parse(since ?? '') || 0;
        const rows = result.rows.filter(({ time }) => Date.parse(time) + result.interval > counted);
        const content = writeCsv(['time', ...(request.query.by === undefined ? [] : ['key']), ...names], rows);
        return { status: 200, headers, text: { contentType: `${CSV}; charset=utf-8; header=present`, content } };
      },
    },
  ];
}
