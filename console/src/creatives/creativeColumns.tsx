// SPDX-License-Identifier: Apache-2.0
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import type { DataColumn } from '../components/table/columns.ts';
import { asSentence } from '../format/asSentence.ts';
import { formatBytes, formatCount, orDash, plural } from '../format/numbers.ts';
import { formatDateTime, formatDuration, formatRelativeTime } from '../format/time.ts';
import { creativeStatuses } from './CreativeCard.tsx';
import { creativeName } from './creativeGroups.ts';

const Reason = ({ asset: { reason, nextAttemptAt, attempts } }: { readonly asset: AssetResponse }) =>
  reason === undefined ? null : (
    <p class="reason">
      {asSentence(reason)}
      {nextAttemptAt === undefined ? null : (
        <small>
          {plural(attempts, 'attempt')}, next {formatRelativeTime(Date.parse(nextAttemptAt) - serverNow())}
        </small>
      )}
    </p>
  );

/** Creatives and slate as rows. */
export const creativeColumns: readonly DataColumn<AssetResponse>[] = [
  {
    id: 'name',
    label: 'Name',
    shown: 'always',
    cell: (asset) => (
      <>
        <strong>{creativeName(asset)}</strong>
        {asset.creativeId === undefined ? null : <small>{asset.creativeId}</small>}
        {asset.source === undefined ? null : <small class="source ellipsis">{asset.source}</small>}
        <div class="condensed">
          <Reason asset={asset} />
        </div>
      </>
    ),
  },
  {
    id: 'state',
    label: 'Status',
    shown: 'always',
    cell: ({ state }) => <StatusBadge status={creativeStatuses[state]} />,
  },
  { id: 'reason', label: 'Reason', kind: 'wide', cell: (asset) => <Reason asset={asset} /> },
  {
    id: 'lost',
    label: 'Ads lost, 1 h',
    kind: 'wide',
    hint: 'Ads of the last hour that were not shown because of it',
    cell: ({ adsLost = 0 }) => (adsLost === 0 ? '–' : formatCount(adsLost)),
  },
  {
    id: 'channels',
    label: 'Channels',
    kind: 'wide',
    cell: ({ channels }) => (channels.length === 0 ? '–' : <RecordNames kind="channels" ids={channels} />),
  },
  {
    id: 'duration',
    label: 'Duration',
    kind: 'extra',
    cell: ({ duration }) => orDash(duration, formatDuration),
  },
  {
    id: 'size',
    label: 'Size',
    kind: 'extra',
    shown: 'chosen',
    cell: ({ bytes }) => orDash(bytes, formatBytes),
  },
  {
    id: 'used',
    label: 'Last used',
    kind: 'extra',
    cell: ({ lastUsedAt }) => orDash(lastUsedAt, formatDateTime),
  },
  {
    id: 'added',
    label: 'Added',
    kind: 'extra',
    sort: '-createdAt',
    shown: 'chosen',
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];
