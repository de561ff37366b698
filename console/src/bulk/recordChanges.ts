// SPDX-License-Identifier: Apache-2.0
// What an action changes of each selected record. Records that already are as wanted are left alone.
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { tagOf } from '../../../src/http/contract/entityTagValues.ts';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { hasLabel } from '../components/pickers/labelRules.ts';
import type { Left, Plan, Planned } from './bulkPlan.ts';

export type LabelChange = { readonly added: readonly string[]; readonly removed: readonly string[] };
export type ChannelAction =
  | { readonly kind: 'state'; readonly state: 'enabled' | 'disabled' }
  /** Without a URL, there is no ad server. */
  | { readonly kind: 'ad-server'; readonly url: string }
  /** Without an id, there is no playlist. */
  | { readonly kind: 'playlist'; readonly playlistId: string }
  | ({ readonly kind: 'labels' } & LabelChange)
  | { readonly kind: 'delete'; readonly isForced: boolean };

export type PlaylistAction =
  | { readonly kind: 'status'; readonly status: 'enabled' | 'disabled' }
  | ({ readonly kind: 'labels' } & LabelChange)
  | { readonly kind: 'delete'; readonly isForced: boolean };

export function changeLabels(labels: readonly string[], { added, removed }: LabelChange): readonly string[] {
  const kept = labels.filter((label) => !hasLabel(removed, label));
  return [...kept, ...added.filter((label) => !hasLabel(kept, label))];
}

/** `null` removes a field. */
type Patch = { readonly [Name in keyof ChannelBody | 'status']?: unknown };
/** The patch and the one that undoes it; a text states why the record is left alone; nothing if it is as wanted. */
type Change = { readonly patch: Patch; readonly before: Patch } | string | undefined;

function labelChange({ labels = [] }: { readonly labels?: readonly string[] }, change: LabelChange): Change {
  const next = changeLabels(labels, change);
  return next.join() === labels.join() ? undefined : { patch: { labels: next }, before: { labels } };
}

function changeOf(channel: ChannelResponse, action: Exclude<ChannelAction, { kind: 'delete' }>): Change {
  const { type = 'vod2live', adSource, playlistId } = channel;
  switch (action.kind) {
    case 'state': {
      const state = channel.state === 'disabled' ? 'disabled' : 'enabled';
      return state === action.state ? undefined : { patch: { state: action.state }, before: { state } };
    }
    case 'ad-server': {
      const { url } = action;
      if ((adSource?.url ?? '') === url) return undefined;
      // Its other options, such as headers, are kept.
      const patch = { adSource: url === '' ? null : { url } };
      if (adSource === undefined) return { patch, before: { adSource: null } };
      return { patch, before: { adSource: url === '' ? adSource : { url: adSource.url } } };
    }
    case 'playlist': {
      if (type === 'live') return 'A live channel has no playlist.';
      const wanted = action.playlistId === '' ? null : action.playlistId;
      if ((playlistId ?? null) === wanted) return undefined;
      return { patch: { playlistId: wanted }, before: { playlistId: playlistId ?? null } };
    }
    case 'labels':
      return labelChange(channel, action);
  }
}

type Kind = 'channels' | 'playlists';
type Listed = { readonly id: string; readonly name?: string; readonly createdAt: string; readonly __v: number };

const subjectOf = (kind: Kind, { id, name }: Listed) =>
  ({ id, name: name || id, href: `/${kind}/${encodeURIComponent(id)}` }) as const;
const pathOf = (kind: Kind | 'assets', id: string): string => `/api/v2/${kind}/${encodeURIComponent(id)}`;

function planPatches<Row extends Listed>(kind: Kind, rows: readonly Row[], changeOfRow: (row: Row) => Change): Plan {
  const changes: Planned[] = [];
  const left: Left[] = [];
  for (const row of rows) {
    const subject = subjectOf(kind, row);
    const change = changeOfRow(row);
    if (typeof change === 'string') left.push({ ...subject, reason: change });
    else if (change !== undefined) {
      const { patch: body, before } = change;
      const ifMatch = tagOf(row.createdAt, row.__v);
      changes.push({ ...subject, change: { method: 'PATCH', path: pathOf(kind, row.id), body, ifMatch }, before });
    }
  }
  return { changes, left };
}

const planDeletions = (kind: Kind, rows: readonly Listed[], isForced: boolean): Plan => ({
  changes: rows.map((row) => {
    const path = pathOf(kind, row.id) + (isForced ? '?force=true' : '');
    return { ...subjectOf(kind, row), change: { method: 'DELETE', path } };
  }),
  left: [],
});

export const planChannels = (channels: readonly ChannelResponse[], action: ChannelAction): Plan =>
  action.kind === 'delete'
    ? planDeletions('channels', channels, action.isForced)
    : planPatches('channels', channels, (channel) => changeOf(channel, action));

type ListedPlaylist = Listed & Pick<PlaylistResponse, 'status' | 'labels'>;

export const planPlaylists = (playlists: readonly ListedPlaylist[], action: PlaylistAction): Plan =>
  action.kind === 'delete'
    ? planDeletions('playlists', playlists, action.isForced)
    : planPatches('playlists', playlists, (playlist) => {
        if (action.kind === 'labels') return labelChange(playlist, action);
        const { status = 'disabled' } = playlist;
        return status === action.status ? undefined : { patch: { status: action.status }, before: { status } };
      });

/** Neither can be undone: a deleted creative is prepared again when an ad server returns it. */
export const planCreatives = (
  creatives: readonly { readonly id: string; readonly name: string }[],
  action: 'retry' | 'delete',
): Plan => ({
  changes: creatives.map(({ id, name }) => {
    const path = pathOf('assets', id);
    return {
      id,
      name,
      change: action === 'retry' ? { method: 'POST', path: `${path}/retry` } : { method: 'DELETE', path },
    };
  }),
  left: [],
});
