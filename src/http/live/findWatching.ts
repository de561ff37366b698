// Whose channel a session is of, and what is said where there is none.
import { AppError } from '../../errors.ts';
import type { Airing, Airings, EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Viewer, Viewers } from '../../playback/viewers/viewers.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Millis } from '../../time/units.ts';

export const noChannel = (id: string) => new AppError('NOT_FOUND', `There is no channel ${id} on air.`);

/** @throws {AppError} NOT_FOUND when the channel is not enabled, UNAVAILABLE while it has nothing to show */
export function airingOf(enabled: EnabledChannel | undefined, channelId: string): Airing {
  if (enabled === undefined) throw noChannel(channelId);
  if (enabled.airing === undefined)
    throw new AppError('UNAVAILABLE', enabled.reason?.() ?? 'The channel is not on air yet.');
  return enabled.airing;
}

export type Watching = { readonly viewer: Viewer; readonly airing: Airing };

/** Of the channels with this id, the one whose life the session belongs to. */
export function findWatching(
  { airings, viewers }: { readonly airings: Airings; readonly viewers: Viewers },
  channelId: string,
  sessionId: string,
  now: Millis,
  from = 0,
): Watching | undefined | Promise<Watching | undefined> {
  const named = airings.named(channelId);
  for (let place = from; place < named.length; place += 1) {
    const { airing } = named[place]!;
    const found = airing && viewers.find(sessionId, airing, now);
    if (found instanceof Promise) {
      return found.then((viewer) =>
        viewer === undefined
          ? findWatching({ airings, viewers }, channelId, sessionId, now, place + 1)
          : { viewer, airing: airing! },
      );
    }
    if (found !== undefined) return { viewer: found, airing: airing! };
  }
  return undefined;
}

/** Only the holder of a session learns that its channel is not on air yet. @throws {AppError} UNAVAILABLE, NOT_FOUND */
export async function refuse(
  { airings, sessions }: { readonly airings: Airings; readonly sessions: SessionStore },
  channelId: string,
  sessionId: string,
): Promise<never> {
  const idle = airings.named(channelId).filter(({ airing }) => airing === undefined);
  if (idle.length > 0) {
    const session = (await sessions.find(sessionId))?.session;
    const own = idle.find(({ channel }) => session?.channelId === channelId && session.tenant === channel.tenant);
    if (own !== undefined) airingOf(own, channelId);
  }
  throw new AppError('NOT_FOUND', `There is no session ${sessionId}; open a new one at the channel's own address.`);
}
