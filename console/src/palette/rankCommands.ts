// SPDX-License-Identifier: Apache-2.0
// What the command palette lists for a text.

import type { Rights } from '../api/lackingRight.ts';
import { pages, subPages, unavailable } from '../navigation/pages.ts';
import { findSessionId } from '../sessions/sessionSearch.ts';

export type Command = {
  readonly id: string;
  readonly group: 'Pages' | 'Actions' | 'Channels' | 'Playlists' | 'Sessions';
  readonly title: string;
  /** An id, next to the title. Found, too. */
  readonly detail?: string;
  /** The page that it opens. */
  readonly path: string;
};

const MAX_LISTED = 40;

/** Higher is better; undefined if the word is not in the text. */
function scoreOf(text: string, word: string): number | undefined {
  const at = text.indexOf(word);
  if (at < 0) return undefined;
  if (at === 0) return text.length === word.length ? 4 : 3;
  return /[\s\-_./]/.test(text.charAt(at - 1)) ? 2 : 1;
}

function rank({ title, detail = '' }: Command, words: readonly string[]): number | undefined {
  let sum = 0;
  for (const word of words) {
    const scores = [scoreOf(title.toLowerCase(), word), scoreOf(detail.toLowerCase(), word)];
    const best = Math.max(...scores.map((score) => score ?? 0));
    if (best === 0) return undefined;
    sum += best;
  }
  return sum;
}

/** The session that an id, or a URL of a player, leads to. */
export function sessionCommand(text: string): Command | undefined {
  const id = findSessionId(text)?.toLowerCase();
  return id === undefined
    ? undefined
    : { id: `session ${id}`, group: 'Sessions', title: 'Open session', detail: id, path: `/sessions/${id}` };
}

/** All words of the text must be found. Equal ones keep their order; without a text, pages and actions are listed. */
export function rankCommands(commands: readonly Command[], text: string): Command[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const session = sessionCommand(text);
  if (session !== undefined) return [session];
  if (words.length === 0) return commands.slice(0, MAX_LISTED);
  return commands
    .map((command) => ({ command, score: rank(command, words) }))
    .filter((each): each is { command: Command; score: number } => each.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_LISTED)
    .map(({ command }) => command);
}

type Named = { readonly id: string; readonly name?: string };
type Channel = Named & { readonly type: string; readonly state: string };

/** Everything that the palette can open. */
export function allCommands(channels: readonly Channel[], playlists: readonly Named[], rights?: Rights): Command[] {
  const listed = pages.filter((page) => unavailable(page, rights) === undefined);
  const ofAlerts = listed.some(({ path }) => path === '/alerts') ? subPages : [];
  const pathOf = (kind: string, { id }: Named) => `/${kind}/${encodeURIComponent(id)}`;
  const named = (record: Named) => record.name || record.id;
  const channelCommands = channels.flatMap((channel): Command[] => {
    const [path, name] = [pathOf('channels', channel), named(channel)];
    const of = (id: string, group: Command['group'], title: string, part = ''): Command => ({
      id: `${id} ${channel.id}`,
      group,
      title,
      detail: channel.id,
      path: path + part,
    });
    return [
      of('channel', 'Channels', name),
      of('settings', 'Channels', `${name}: settings`, '?tab=settings'),
      ...(channel.type === 'vod2live'
        ? [
            of('schedule', 'Channels', `${name}: schedule`, '?tab=schedule'),
            of('programme', 'Channels', `${name}: programme`, '/programme'),
            of('on air', 'Channels', `${name}: on air`, '/programme/on-air'),
          ]
        : []),
      of('try', 'Channels', `${name}: try ads`, '?tab=try'),
      ...(channel.type === 'vod' || channel.state === 'disabled'
        ? []
        : [of('insert', 'Actions', `Insert break: ${name}`, '?insert=ads')]),
    ];
  });
  return [
    ...[...listed, ...ofAlerts].map(
      ({ path, title }): Command => ({ id: `page ${path}`, group: 'Pages', title, path }),
    ),
    { id: 'new channel', group: 'Actions', title: 'Create channel', path: '/channels/~new' },
    { id: 'new ad source', group: 'Actions', title: 'Create ad source', path: '/ad-sources/~new' },
    { id: 'new playlist', group: 'Actions', title: 'Create playlist', path: '/playlists/~new' },
    ...channelCommands,
    ...playlists.map(
      (playlist): Command => ({
        id: `playlist ${playlist.id}`,
        group: 'Playlists',
        title: named(playlist),
        detail: playlist.id,
        path: pathOf('playlists', playlist),
      }),
    ),
  ];
}
