// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { MAX_PAGE_SIZE } from '../../../src/http/contract/channelValues.ts';
import { alertTitle, factsOf, groupAlerts } from '../alerts/alertGroups.ts';
import { severityStatuses } from '../alerts/severities.ts';
import { useAlerts } from '../alerts/useAlerts.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { plural } from '../format/numbers.ts';

/** Rows of a list; the page behind its title has all. */
const MAX_ROWS = 5;

/** Channels with problems, the most watched first, and alerts that fire. */
export function ProblemsNow({ label }: { readonly label: string }) {
  const problem = 'any' as const;
  const filter = { problem, limit: MAX_PAGE_SIZE, ...(label === '' ? {} : { label: [...labelsIn(label)] }) };
  const troubled = useGet('/on-air', { query: filter }, POLL.slow);
  const alerts = useAlerts();
  const groups = groupAlerts(alerts.data ?? []);
  const firing = groups.flat().length;
  const total = troubled.total ?? 0;
  if (troubled.data === undefined) return null;
  const mostWatched = [...troubled.data].sort((a, b) => b.viewers - a.viewers).slice(0, MAX_ROWS);
  if (total === 0 && firing === 0)
    return (
      <p class="all-well">
        <Icon name="check" /> No problems, no alerts
      </p>
    );
  return (
    <div class="problems-now">
      {total === 0 ? null : (
        <section class="card bad">
          <header>
            <h2>{plural(total, 'channel')} with problems</h2>
            <Link
              class="small"
              href={`/?${new URLSearchParams({ problem: 'any', ...(label === '' ? {} : { label }) })}`}
            >
              View all
            </Link>
          </header>
          <ul class="stack tight">
            {mostWatched.map(({ id, name, problems = [] }) => (
              <li key={id}>
                <Link href={`/channels/${encodeURIComponent(id)}`}>{name || id}</Link>{' '}
                <span class="small">{problems.map(({ text }) => text).join(' ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {firing === 0 ? null : (
        <section class="card bad">
          <header>
            <h2>{plural(firing, 'alert')} firing</h2>
            <Link class="small" href="/alerts">
              View all
            </Link>
          </header>
          <ul class="stack tight">
            {groups.slice(0, MAX_ROWS).map((group) => (
              <li key={group[0].id}>
                <StatusBadge status={severityStatuses[group[0].severity]} /> {alertTitle(group)}{' '}
                <span class="small">{factsOf(group[0])}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
