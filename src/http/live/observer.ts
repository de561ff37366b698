// SPDX-License-Identifier: Apache-2.0
// What the live port reports for statistics. It is called during every request, so implementations must return at once.
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';

export type LiveObserver = {
  opened(session: Session): void;
  /** The viewer requested a manifest that lists media. */
  watched(session: Session, now: Millis): void;
  /** A request for a manifest of the channel has ended, after `ms` milliseconds. */
  served(channel: ChannelRef, format: Session['format'], ms: number, isError: boolean): void;
};
