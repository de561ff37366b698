// SPDX-License-Identifier: Apache-2.0
// What an action changes of each selected playlist, and of each selected creative.
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { tagOf } from '../../../src/http/contract/entityTagValues.ts';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { Plan, Planned } from './bulkPlan.ts';
import { changeLabels, type LabelChange, pathOf } from './channelChanges.ts';

export type PlaylistAction =
  | { readonly kind: 'status'; readonly status: 'enabled' | 'disabled' }
  | ({ readonly kind: 'labels' } & LabelChange)
  | { readonly kind: 'delete'; readonly isForced: boolean };

type Listed = Pick<PlaylistResponse, 'id' | 'name' | 'status' | 'labels' | 'createdAt' | '__v'>;

function patchesOf({ status = 'disabled', labels = [] }: Listed, action: Exclude<PlaylistAction, { kind: 'delete' }>) {
  if (action.kind === 'status')
    return status === action.status ? undefined : { body: { status: action.status }, before: { status } };
  const next = changeLabels(labels, action);
  const isSame = JSON.stringify(next) === JSON.stringify(labels);
  return isSame ? undefined : { body: { labels: next }, before: { labels } };
}

export function planPlaylists(playlists: readonly Listed[], action: PlaylistAction): Plan {
  const changes = playlists.flatMap((playlist): Planned[] => {
    const { id } = playlist;
    const subject = { id, name: playlist.name || id, href: `/playlists/${encodeURIComponent(id)}` };
    const path = pathOf('playlists', id);
    if (action.kind === 'delete') {
      const change = { method: 'DELETE', path: action.isForced ? `${path}?force=true` : path } as const;
      return [{ ...subject, change }];
    }
    const patches = patchesOf(playlist, action);
    if (patches === undefined) return [];
    const ifMatch = tagOf(playlist.createdAt, playlist.__v);
    return [{ ...subject, change: { method: 'PATCH', path, body: patches.body, ifMatch }, before: patches.before }];
  });
  return { changes, left: [] };
}

/** Neither can be undone: a deleted creative is prepared again when an ad server returns it. */
export const planCreatives = (
  creatives: readonly (Pick<AssetResponse, 'id'> & { readonly name: string })[],
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
