// SPDX-License-Identifier: Apache-2.0
// The overview of a tenant, or of the channels that a caller may access.
import { fieldError } from '../../../errors.ts';
import { readQuery, rejectQuery } from '../../../http/admin/request/readQuery.ts';
import { type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import { isoText, millis } from '../../../time/units.ts';
import { isTimeZone } from '../../../time/zone.ts';
import type { TenantStore } from '../../access/rules/ports.ts';
import { mayAccess } from '../../access/rules/scope.ts';
import type { SystemStore } from '../../systems/rules/ports.ts';
import { type OverviewResponse, overviewQuery, overviewResponse } from '../contract/overviewContract.ts';
import { overviewTimes, type Span } from '../rules/overviewTimes.ts';
import { type OverviewDeps, readOverview } from '../rules/readOverview.ts';

type Deps = OverviewDeps & {
  readonly systems: Pick<SystemStore, 'list'>;
  readonly tenants: Pick<TenantStore, 'find'>;
};

const shown = ({ start, end }: Span) => ({ start: isoText(start), end: isoText(end) });

export const overviewRoute = (deps: Deps): KeyedRoute => ({
  tag: 'reports',
  channelAccess: 'filtered',
  method: 'GET',
  path: '/api/v2/overview',
  operationId: 'getOverview',
  summary: 'Compare fill, viewers and ads with the day before, and list the worst channels, ad servers and creatives',
  description:
    'Computed from the reports of all systems of type `ssai`. What a system that does not respond has counted is missing, and named in `missing`.',
  query: overviewQuery,
  response: ok('The overview.', overviewResponse),
  errors: [503],
  example: { query: { range: 'today', timeZone: 'Europe/Berlin' } },
  handle: async ({ caller, query }) => {
    const { range, timeZone, label = [] } = readQuery(overviewQuery, query);
    if (!isTimeZone(timeZone)) {
      const problem = `must be the name of an IANA time zone, such as Europe/Berlin; got ${JSON.stringify(timeZone)}`;
      rejectQuery([fieldError('timeZone', '/timeZone', problem)]);
    }
    const [systems, tenant, labelled] = await Promise.all([
      deps.systems.list(caller.tenant),
      deps.tenants.find(caller.tenant),
      label.length === 0 ? undefined : deps.channels.labelled(caller.tenant, label),
    ]);
    const only = labelled?.filter((id) => mayAccess(caller, id)) ?? caller.channels;
    const times = overviewTimes(range, deps.now(), timeZone);
    // A tenant without a record is being deleted.
    const since = millis(Date.parse(tenant?.createdAt ?? '') || deps.now());
    const { channels, ...overview } = await readOverview(deps, {
      systems,
      times,
      since,
      ...(only && { channels: only }),
    });
    const json: Sent<OverviewResponse> = {
      range,
      timeZone,
      ...shown(times.range),
      before: shown(times.before),
      since: isoText(since),
      ...overview,
      channels: channels.map(({ tenant: _, ...channel }) => channel),
    };
    return { status: 200, json };
  },
});
