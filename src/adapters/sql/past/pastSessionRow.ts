// SPDX-License-Identifier: Apache-2.0
// A session of the history as a row.
import type { Ended, FoundSession, PastSession } from '../../../sessions/history/ports.ts';
import { millis } from '../../../time/units.ts';
import { storable } from '../schema/schema.ts';
import type { PastSessionTable } from '../schema/sessionTables.ts';

export const ID_START = 8;
/** What a row takes with its indexes beyond its texts, roughly. */
const ROW_BYTES = 400;

export const parameterLine = (name: string, value: string): string =>
  `\n${encodeURIComponent(storable(name))}=${encodeURIComponent(storable(value))}\n`;

const readParameters = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[decodeURIComponent(line.slice(0, at)), decodeURIComponent(line.slice(at + 1))]];
    }),
  );

export function toPastSessionRow({ session, seenAt, keptFrom }: Ended): PastSessionTable {
  const { id, channelId, tenant, format, openedAt, viewer, guided } = session;
  const lines = Object.entries(session.parameters).map(([name, value]) => parameterLine(name, value));
  const texts = {
    address: storable(viewer.address),
    user_agent: storable(viewer.userAgent),
    parameters: lines.join(''),
  };
  return {
    id,
    id_start: id.slice(0, ID_START),
    tenant,
    channel_id: channelId,
    format,
    opened_at: openedAt,
    seen_at: seenAt,
    kept_from: keptFrom,
    span: spanOf(openedAt, seenAt),
    guided_until: guided?.keepUntil ?? null,
    ...texts,
    bytes: ROW_BYTES + texts.address.length + texts.user_agent.length + texts.parameters.length,
  };
}

const toPastSession = (row: PastSessionTable): PastSession => ({
  id: row.id,
  channelId: row.channel_id,
  tenant: row.tenant,
  format: row.format as PastSession['format'],
  openedAt: millis(row.opened_at),
  parameters: readParameters(row.parameters),
  viewer: { address: row.address, userAgent: row.user_agent },
  ...(row.guided_until === null ? {} : { guided: { keepUntil: millis(row.guided_until) } }),
});

export const toEnded = (row: PastSessionTable): Ended => ({
  session: toPastSession(row),
  seenAt: millis(row.seen_at),
  keptFrom: millis(row.kept_from),
});

export const toFound = (row: PastSessionTable): FoundSession => ({
  session: toPastSession(row),
  seenAt: millis(row.seen_at),
  hasEnded: true,
});

// Classes of sessions by how long they lasted. Which sessions were active at a time is read from an index by when they were opened:
// within a class, only those opened shortly before that time are read, although a session may last for days.

const HOUR_MS = 3_600_000;
/** The most that a session of each class lasted. */
const LONGEST_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, Number.POSITIVE_INFINITY] as const;

export const spans: readonly number[] = LONGEST_MS.map((_, span) => span);

const spanOf = (openedAt: number, seenAt: number): number =>
  LONGEST_MS.findIndex((longest) => seenAt - openedAt <= longest);

/** @returns before which time no session of the class was opened that was seen at `from` or later */
export const openedFrom = (span: number, from: number): number =>
  Math.max(0, from - (LONGEST_MS[span] ?? Number.POSITIVE_INFINITY));
