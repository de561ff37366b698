// The reports of a system. Which there are, and what their fields mean, is the catalogue's.
import type { Static } from 'typebox';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { catalogue, type ReportName } from '../../../reports/catalogue.ts';
import { STRETCH } from '../../../reports/event.ts';
import { type Asked, makeReport, type ReportAnswer } from '../../../reports/report.ts';
import { systemKey } from '../../../reports/systemKey.ts';
import { reportNames, type System } from '../../../tenants/system.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { reportAnswer, reportQuery } from '../../reportContract.ts';
import { isSystemId } from '../../tenantContract.ts';
import { negotiate } from '../request/negotiate.ts';
import { parseQuery, refuse } from '../request/readQuery.ts';
import type { AdminRequest, KeyedRoute } from '../request/route.ts';
import { writeCsv } from '../response/writeCsv.ts';
import type { AdminDeps } from './ports.ts';

const DAY = 86_400_000;
const SECONDS_END = 1e11;
const CSV = 'text/csv';

const readTime = (value: number | undefined): Millis | undefined =>
  value === undefined ? undefined : millis(Math.round(value > SECONDS_END ? value : value * 1000));

/** What the schema cannot say: of the range, and of what the report knows. */
function faultsOf(report: ReportName, { by, channel }: Static<typeof reportQuery>, start: Millis, end: Millis) {
  const faults: FieldError[] = [];
  const known = catalogue[report].by;
  const knows = known.length === 0 ? 'it cannot be told apart' : `known are ${known.join(', ')}`;
  if (by !== undefined && !known.includes(by)) {
    faults.push(fieldError('by', '/by', `"${by}" is nothing that the report ${report} can be told apart by; ${knows}`));
  }
  if (channel !== undefined && !known.includes('channel')) {
    faults.push(fieldError('channel', '/channel', `cannot be asked for: the report ${report} is of no channel`));
  }
  if (end <= start) {
    const [from, to] = [start, end].map((time) => new Date(time).toISOString());
    faults.push(fieldError('range', '/end', `must be after start; start is ${from}, end is ${to}`));
  }
  return faults;
}

function readAsked(report: ReportName, { query }: AdminRequest, now: Millis): Asked {
  const { values, faults } = parseQuery(reportQuery, query);
  refuse(faults, 'The query is not valid.');
  const asked = values as Static<typeof reportQuery>;
  const end = readTime(asked.end) ?? millis(Math.ceil(now / STRETCH) * STRETCH);
  const start = readTime(asked.start) ?? millis(Math.max(0, end - DAY));
  refuse(faultsOf(report, asked, start, end), 'The query is not valid.');
  const { interval, channel, by } = asked;
  return {
    ...{ report, start, end },
    ...(interval === undefined ? {} : { interval }),
    ...(channel === undefined ? {} : { channel }),
    ...(by === undefined ? {} : { by }),
  };
}

const shown = (system: System, report: ReportName, answer: ReportAnswer) => ({
  system: system.id,
  report,
  start: new Date(answer.start).toISOString(),
  end: new Date(answer.end).toISOString(),
  interval: answer.interval,
  fields: answer.fields.map(({ name, unit, description }) => ({ name, unit, description })),
  rows: answer.rows,
  totals: answer.totals,
});

export function reportRoutes({ systems, reportStore, now }: AdminDeps): KeyedRoute[] {
  const example = { id: '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11' };

  async function find({ caller, params }: AdminRequest): Promise<System> {
    const id = params.id!;
    const system = isSystemId(id) ? await systems.find(caller.tenant, id) : undefined;
    if (system) return system;
    throw new AppError('NOT_FOUND', `There is no system with the id "${id.slice(0, 200)}".`);
  }

  function named({ type }: System, name: string): ReportName {
    const names: readonly string[] = reportNames[type];
    if (names.includes(name)) return name as ReportName;
    const message = `There is no report "${name.slice(0, 200)}" of a system of type ${type}; there are ${names.join(', ')}.`;
    throw new AppError('NOT_FOUND', message);
  }

  return [
    {
      tag: 'reports',
      method: 'GET',
      path: '/api/v2/systems/:id/reports/:report',
      operationId: 'getReport',
      summary: 'Read a report',
      description: 'Every row of the range is there, zeros included. `Accept: text/csv` gives the rows as CSV.',
      query: reportQuery,
      headers: { accept: `${CSV} for CSV` },
      answer: { status: 200, description: 'the report', schema: reportAnswer, text: [CSV] },
      errors: [404, 503],
      example: {
        params: { ...example, report: 'viewers' },
        query: { start: '1767225600', end: '1767312000', interval: '3600000', by: 'channel' },
      },
      handle: async (request) => {
        const system = await find(request);
        const report = named(system, request.params.report!);
        const at = now();
        const answer = await makeReport(systemKey(system), readAsked(report, request, at), reportStore(system), at);
        const headers = { vary: 'accept' };
        if (negotiate(request.headers.accept, ['application/json', CSV]) === 'application/json')
          return { status: 200, headers, json: shown(system, report, answer) };
        const names = answer.fields.map(({ name }) => name);
        const content = writeCsv(['time', ...(request.query.by === undefined ? [] : ['key']), ...names], answer.rows);
        return { status: 200, headers, text: { contentType: `${CSV}; charset=utf-8; header=present`, content } };
      },
    },
  ];
}
