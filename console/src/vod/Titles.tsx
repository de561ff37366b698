// SPDX-License-Identifier: Apache-2.0
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { titleStatuses } from '../components/feedback/statuses.ts';
import { type Column, Table } from '../components/layout/Table.tsx';
import { sourceName } from '../logic/format/sourceName.ts';
import { formatDateTime } from '../logic/format/time.ts';
import type { TitleStatus } from '../logic/vod/openedVod.ts';

const columns: readonly Column[] = [{ label: 'Title' }, { label: 'Status' }, { label: 'Requested', kind: 'wide' }];

/** The contents that playback URLs have named, and the progress of their imports. */
export const Titles = ({ titles }: { readonly titles: readonly TitleStatus[] }) => (
  <section class="stack tight">
    <h2>Titles</h2>
    {titles.length === 0 ? (
      <p class="muted">No titles yet. A title is imported when a playback URL first names it.</p>
    ) : (
      <Table columns={columns}>
        {titles.map(({ url, state, reason, startedAt }) => (
          <tr key={url}>
            <td class="name">
              <strong>{sourceName(url)}</strong>
              <div class="wide">
                <small class="url">{url}</small>
              </div>
              {reason ? <p class="small">{reason}</p> : null}
            </td>
            <td>
              <StatusBadge status={titleStatuses[state]} />
            </td>
            <td class="wide">{startedAt === undefined ? '–' : formatDateTime(startedAt)}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);
