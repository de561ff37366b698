// Pages of the feed. The first holds the newest avails, because that is what a player that asks again and again needs; its
// token leads to those before them. A token names an instant: the same one always leads to the same avails, whatever
// has come since.
import type { Avail, FeedPage } from './feed.ts';

const PREFIX = 'before ';

const tokenBefore = (startsAt: number): string => Buffer.from(PREFIX + startsAt).toString('base64url');

/** @returns milliseconds since 1970, or undefined for what is no token of ours */
export function readToken(token: string): number | undefined {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const before = /^before (\d{1,15})$/.exec(text)?.[1];
  return before === undefined || tokenBefore(Number(before)) !== token ? undefined : Number(before);
}

/**
 * @param avails all that there are, oldest first
 * @param before only those that start before it
 * @param limit how many at most
 */
export function pageOf(avails: readonly Avail[], before: number | undefined, limit: number): FeedPage {
  const startOf = ({ record }: Avail): number => Date.parse(record.startsAt);
  const earlier = before === undefined ? avails : avails.filter((one) => startOf(one) < before);
  const page = earlier.slice(-limit);
  return { avails: page, nextToken: page.length < earlier.length ? tokenBefore(startOf(page[0]!)) : null };
}
