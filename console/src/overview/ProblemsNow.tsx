// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { useAlerts } from '../alerts/useAlerts.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Icon } from '../components/icons/Icon.tsx';
import { labelsIn } from '../components/pickers/labelRules.ts';
import { plural } from '../format/numbers.ts';

/** Rows of a list; the page behind its title has all. */
const MAX_ROWS = 5;

/** Channels with problems and alerts that fire, the newest first. Nothing while there are none. */
export function ProblemsNow({ label }: { readonly label: string }) {
  const problem = 'any' as const;
  const filter = { problem, limit: MAX_ROWS, ...(label === '' ? {} : { label: [...labelsIn(label)] }) };
  const troubled = useGet('/on-air', { query: filter }, POLL.slow);
  const alerts = useAlerts();
  const firing = alerts.data?.flatMap(({ state, event }) => (state === 'firing' && event ? [event] : [])) ?? [];
  const total = troubled.total ?? 0;
  if (troubled.data === undefined) return null;
  if (total === 0 && firing.length === 0)
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
            {troubled.data.map(({ id, name, problems = [] }) => (
              <li key={id}>
                <Link href={`/channels/${encodeURIComponent(id)}`}>{name || id}</Link>{' '}
                <span class="small">{problems.map(({ text }) => text).join(' ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {firing.length === 0 ? null : (
        <section class="card bad">
          <header>
            <h2>{plural(firing.length, 'alert')} firing</h2>
            <Link class="small" href="/alerts">
              View all
            </Link>
          </header>
          <ul class="stack tight">
            {firing.slice(0, MAX_ROWS).map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
