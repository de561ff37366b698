// SPDX-License-Identifier: Apache-2.0
// Which channels, and how many viewers, an action affects.
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { plural } from '../format/numbers.ts';

/** What an operator is about to delete, disable or revoke. */
export type ConfirmationTarget =
  | { readonly kind: 'channel' | 'playlist' | 'system' | 'ad source'; readonly id: string }
  | { readonly kind: 'channels' | 'playlists'; readonly ids: readonly string[] }
  | { readonly kind: 'creative'; readonly channelIds: readonly string[] }
  | { readonly kind: 'key' };

export type AffectedChannel = { readonly id: string; readonly name: string; readonly viewers: number };

/**
 * The channels that a target is, or that use it, those with the most viewers first.
 * @param users the channels that use it, where that is known from what is stored
 * @returns undefined if the channel itself is not listed, so that its viewers are unknown
 */
export function affectedChannels(
  channels: readonly Pick<OnAirChannel, 'id' | 'name' | 'viewers' | 'playlistId'>[],
  target: ConfirmationTarget,
  users: ReadonlySet<string> = new Set(),
): AffectedChannel[] | undefined {
  const ids = new Set('ids' in target ? target.ids : []);
  const uses = ({ id, playlistId }: Pick<OnAirChannel, 'id' | 'playlistId'>): boolean => {
    switch (target.kind) {
      case 'channel':
        return id === target.id;
      case 'playlist':
        return playlistId === target.id;
      case 'channels':
        return ids.has(id);
      case 'playlists':
        return playlistId !== undefined && ids.has(playlistId);
      case 'system':
      case 'ad source':
        return users.has(id);
      case 'creative':
        return target.channelIds.includes(id);
      case 'key':
        return false;
    }
  };
  const found = channels.filter(uses);
  if (target.kind === 'channel' && found.length === 0) return undefined;
  return found
    .map(({ id, name, viewers }) => ({ id, name: name || id, viewers }))
    .sort((a, b) => b.viewers - a.viewers || a.name.localeCompare(b.name));
}

export const viewersOf = (channels: readonly Pick<AffectedChannel, 'viewers'>[]): number =>
  channels.reduce((sum, { viewers }) => sum + viewers, 0);

/** `No viewers are watching now.`, `1 viewer is watching now.` */
export function watchingText(viewers: number): string {
  if (viewers === 0) return 'No viewers are watching now.';
  return `${plural(viewers, 'viewer')} ${viewers === 1 ? 'is' : 'are'} watching now.`;
}

/** Whether the name was typed, whatever its case and the spaces around it. */
export const isTyped = (typed: string, name: string): boolean =>
  typed.trim().toLocaleLowerCase() === name.trim().toLocaleLowerCase();
