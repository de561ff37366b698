// SPDX-License-Identifier: Apache-2.0
// What an action changes of each selected channel. Channels that already are as wanted are left alone.
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { tagOf } from '../../../src/http/contract/entityTagValues.ts';
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

export const pathOf = (kind: 'channels' | 'playlists' | 'assets', id: string): string =>
  `/api/v2/${kind}/${encodeURIComponent(id)}`;

export function changeLabels(labels: readonly string[], { added, removed }: LabelChange): readonly string[] {
  const kept = labels.filter((label) => !hasLabel(removed, label));
  return [...kept, ...added.filter((label) => !hasLabel(kept, label))];
}

/** `null` removes a field. */
type Patch = { readonly [Name in keyof ChannelBody]?: ChannelBody[Name] | null };
/** The patch and the one that undoes it; a text states why the channel is left alone. */
type Change = { readonly patch: Patch; readonly before: Patch } | string;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function changeOf(channel: ChannelResponse, action: Exclude<ChannelAction, { kind: 'delete' }>): Change | undefined {
  const { type = 'vod2live', adSource, playlistId, labels = [] } = channel;
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
    case 'labels': {
      const next = changeLabels(labels, action);
      return isSame(next, labels) ? undefined : { patch: { labels: [...next] }, before: { labels: [...labels] } };
    }
  }
}

export function planChannels(channels: readonly ChannelResponse[], action: ChannelAction): Plan {
  const changes: Planned[] = [];
  const left: Left[] = [];
  for (const channel of channels) {
    const { id } = channel;
    const subject = { id, name: channel.name || id, href: `/channels/${encodeURIComponent(id)}` };
    const path = pathOf('channels', id);
    if (action.kind === 'delete') {
      const change = { method: 'DELETE', path: action.isForced ? `${path}?force=true` : path } as const;
      changes.push({ ...subject, change });
      continue;
    }
    const change = changeOf(channel, action);
    if (typeof change === 'string') left.push({ ...subject, reason: change });
    else if (change !== undefined)
      changes.push({
        ...subject,
        change: { method: 'PATCH', path, body: change.patch, ifMatch: tagOf(channel.createdAt, channel.__v) },
        before: change.before,
      });
  }
  return { changes, left };
}
