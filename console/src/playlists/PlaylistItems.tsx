// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { ItemStatus } from '../../../src/http/contract/statusContract.ts';
import { Badge, type Statuses } from '../components/feedback/Badge.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { orDash, plural } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import { itemName } from './playlistDraft.ts';

const itemStatuses: Statuses<ItemStatus['state']> = {
  ready: ['good', 'Ready'],
  importing: ['info', 'Importing'],
  failed: ['bad', 'Failed'],
  leftOut: ['warn', 'Excluded'],
};

const columns: readonly Column[] = [
  { label: '#', kind: 'right' },
  { label: 'Item' },
  { label: 'Status' },
  { label: 'Duration' },
  { label: 'Breaks at' },
];

function Item({ item }: { readonly item: ItemStatus }) {
  const { index, url, state, reason, duration, warnings = [], cuePoints = [] } = item;
  const [tone, label] = itemStatuses[state];
  const hasWarning = warnings.length > 0 || cuePoints.some(({ warning }) => warning !== undefined);
  return (
    <tr>
      <td class="right">{index + 1}</td>
      <td class="name">
        <strong>{itemName(item)}</strong>
        <div class="wide">
          <small class="url">{url}</small>
        </div>
        {reason ? <p class="small">{reason}</p> : null}
        {warnings.length > 0 ? (
          <details class="small">
            <summary>{plural(warnings.length, 'warning')}</summary>
            <TextList texts={warnings} />
          </details>
        ) : null}
      </td>
      <td>
        <Badge tone={state === 'ready' && hasWarning ? 'warn' : tone}>{label}</Badge>
      </td>
      <td>{orDash(duration, formatTimecode)}</td>
      <td>
        {cuePoints.length === 0 ? <span class="muted">None</span> : null}
        {cuePoints.map(({ landsAt, reason: cueReason, warning }, at) => (
          <div key={at}>
            {landsAt === undefined ? <small>{cueReason}</small> : formatTimecode(landsAt, true)}
            {warning ? <p class="small">{warning}</p> : null}
          </div>
        ))}
      </td>
    </tr>
  );
}

/** The status of each item of the playlist, and where its breaks fall. */
export function PlaylistItems({ channel }: { readonly channel: ChannelResponse }) {
  const { items = [], playlistId } = channel;
  return (
    <section class="stack tight">
      <div class="row between">
        <h2>Playlist items</h2>
        {playlistId ? (
          <Link class="small" href={`/playlists/${encodeURIComponent(playlistId)}`}>
            Edit playlist
          </Link>
        ) : null}
      </div>
      {items.length === 0 ? (
        <p class="muted">
          {playlistId ? 'Items appear after the playlist is imported.' : 'No playlist. Select one under Settings.'}
        </p>
      ) : (
        <Table columns={columns} isFocusable>
          {items.map((item) => (
            <Item key={item.index} item={item} />
          ))}
        </Table>
      )}
    </section>
  );
}
