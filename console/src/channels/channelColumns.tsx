// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { TextList } from '../components/feedback/TextList.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import type { DataColumn } from '../components/table/columns.ts';
import { formatCount, formatPercent, orDash, plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { ChannelBadge } from './ChannelBadge.tsx';
import { problemsOf } from './channelHealth.ts';
import { type ChannelRow, labelsOf, typeNames } from './channelRows.ts';
import { entryName } from './entryName.ts';

const Problems = ({ row }: { readonly row: ChannelRow }) => {
  const [first, ...others] = problemsOf(row);
  if (first === undefined) return null;
  return (
    <p class={`reason ${row.state}`}>
      {first.text}
      {others.length === 0 ? null : <small>{plural(others.length, 'more problem')}</small>}
    </p>
  );
};

/** The channels as rows. Times are those of the clock, so that nothing changes between two requests. */
export const channelColumns: readonly DataColumn<ChannelRow>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    shown: 'always',
    cell: (row) => (
      <>
        <Link href={`/channels/${encodeURIComponent(row.id)}`}>{row.name || row.id}</Link>
        {row.name ? <small>{row.id}</small> : null}
        <div class="condensed">
          <small>
            {row.isEstimate ? '≈ ' : ''}
            {plural(row.viewers, 'viewer')}
            {row.fillRate === undefined ? '' : `, ${formatPercent(row.fillRate)} fill`}
          </small>
          <Problems row={row} />
        </div>
      </>
    ),
  },
  { id: 'state', label: 'State', shown: 'always', cell: (row) => <ChannelBadge channel={row} /> },
  { id: 'problem', label: 'Problem', kind: 'wide', cell: (row) => <Problems row={row} /> },
  { id: 'type', label: 'Type', kind: 'extra', sort: 'type', cell: ({ type }) => typeNames[type] },
  {
    id: 'viewers',
    label: 'Viewers',
    kind: 'wide',
    hint: 'Sessions with a request within the last minute. ≈: guided viewers are estimated',
    sort: '-viewers',
    cell: ({ viewers, isEstimate }) => (
      <span class="number">
        {isEstimate ? '≈ ' : ''}
        {formatCount(viewers)}
      </span>
    ),
  },
  {
    id: 'fill',
    label: 'Fill, 1 h',
    kind: 'wide',
    hint: 'Share of the time of breaks that ads filled in the last hour',
    sort: 'fill',
    cell: ({ fillRate }) => orDash(fillRate, formatPercent),
  },
  {
    id: 'now',
    label: 'Now',
    kind: 'extra',
    shown: 'chosen',
    cell: ({ now }) => orDash(now, entryName),
  },
  {
    id: 'break',
    label: 'Next break',
    kind: 'extra',
    sort: 'break',
    cell: ({ nextBreak }) =>
      nextBreak === undefined ? (
        '–'
      ) : (
        <>
          {formatTimeOfDay(nextBreak.startsAt)}
          <small>{formatDuration(nextBreak.duration)}</small>
        </>
      ),
  },
  {
    id: 'playlist',
    label: 'Playlist',
    kind: 'extra',
    shown: 'chosen',
    cell: ({ playlistId }) =>
      playlistId === undefined ? (
        '–'
      ) : (
        <Link href={`/playlists/${encodeURIComponent(playlistId)}`}>
          <RecordNames kind="playlists" ids={[playlistId]} />
        </Link>
      ),
  },
  { id: 'labels', label: 'Labels', kind: 'extra', cell: (row) => <TextList class="labels" texts={labelsOf(row)} /> },
];
