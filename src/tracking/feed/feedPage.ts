// SPDX-License-Identifier: Apache-2.0
// Pages of the feed. The first page contains the newest avails, which a polling player needs; its token leads to earlier ones.
// A token contains an instant, so it always leads to the same avails, even if newer ones have been added.
import type { Avail, FeedPage } from './feed.ts';

const PREFIX = 'before ';

const tokenBefore = (startsAt: number): string => Buffer.from(PREFIX + startsAt).toString('base64url');

/** @returns milliseconds since 1970; undefined if the token is invalid */
export function readToken(token: string): number | undefined {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const before = /^before (\d{1,15})$/.exec(text)?.[1];
  return before === undefined || tokenBefore(Number(before)) !== token ? undefined : Number(before);
}

/**
 * @param avails all avails, oldest first
 * @param before milliseconds since 1970: only avails that start earlier
 * @param limit the maximum number of avails
 */
export function pageOf(avails: readonly Avail[], before: number | undefined, limit: number): FeedPage {
  const startOf = ({ record }: Avail): number => Date.parse(record.startsAt);
  const earlier = before === undefined ? avails : avails.filter((one) => startOf(one) < before);
  const page = earlier.slice(-limit);
  return { avails: page, nextToken: page.length < earlier.length ? tokenBefore(startOf(page[0]!)) : null };
}
