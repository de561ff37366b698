// SPDX-License-Identifier: Apache-2.0
// Whether a session matches a search. For sessions in the session store; the history does the same in SQL.
import type { BreakFill } from './breakFill.ts';
import type { FoundSession, PastSession, SessionFilter } from './ports.ts';

export function matchesSession({ session, seenAt }: FoundSession, filter: SessionFilter): boolean {
  const { id, channelId, openedAt, parameters, viewer } = session;
  const { parameter, userAgent, address, idPrefix } = filter;
  return (
    openedAt < filter.to &&
    seenAt >= filter.from &&
    (filter.channelId === undefined || channelId === filter.channelId) &&
    (idPrefix === undefined || id.startsWith(idPrefix)) &&
    (parameter === undefined ||
      (Object.hasOwn(parameters, parameter.name) && parameters[parameter.name] === parameter.value)) &&
    (address === undefined || viewer.address === address) &&
    (userAgent === undefined || viewer.userAgent.toLowerCase().includes(userAgent.toLowerCase()))
  );
}

/** Whether the break is one that a search for breaks finds. A break without a position counts from the start of its session. */
export function matchesBreak(fill: BreakFill, { openedAt }: PastSession, filter: SessionFilter): boolean {
  const startsAt = fill.startsAt || openedAt;
  const { status, reason } = filter.breaks ?? {};
  return (
    startsAt >= filter.from &&
    startsAt < filter.to &&
    (status === undefined || fill.status === status) &&
    (reason === undefined || fill.reason === reason)
  );
}
