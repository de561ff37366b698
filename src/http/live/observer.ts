// Who is told of what the live port answers. It is called on the way of every request: it counts, and never waits.
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';

export type LiveObserver = {
  opened(session: Session): void;
  /** The viewer asked for a manifest that lists media. */
  watched(session: Session, now: Millis): void;
  /** A manifest of the channel was answered after so many milliseconds, or refused. */
  served(channel: ChannelRef, format: Session['format'], ms: number, isError: boolean): void;
};
