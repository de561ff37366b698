// SPDX-License-Identifier: Apache-2.0

import type { TitleImport } from '../../../src/http/contract/statusContract.ts';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { sourceName } from '../format/sourceName.ts';
import { formatDateTime, formatTimecode } from '../format/time.ts';

const titleStatuses: Statuses<TitleImport['state']> = {
  importing: ['info', 'Importing'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
};

const columns: readonly Column[] = [
  { label: 'Title' },
  { label: 'Status' },
  { label: 'Duration' },
  { label: 'Requested', kind: 'wide' },
];

/** The contents that playback URLs have named, and the progress of their imports. */
export const TitleImports = ({ titles }: { readonly titles: readonly TitleImport[] }) => (
  <section class="stack tight">
    <h2>Title imports</h2>
    {titles.length === 0 ? (
      <p class="muted">None. Content that playback URLs name is listed here if its import takes long or fails.</p>
    ) : (
      <Table columns={columns} isFocusable>
        {titles.map(({ url, state, reason, duration, startedAt }) => (
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
            <td>{duration === undefined ? '–' : formatTimecode(duration)}</td>
            <td class="wide">{formatDateTime(startedAt)}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);
