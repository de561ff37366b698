// SPDX-License-Identifier: Apache-2.0
// The search on the sessions page: kept in the URL of the page, sent to the API. Pure: the time is an argument.

import type { ApiQuery } from '../api/call.ts';
import { givenOnly } from '../format/givenOnly.ts';
import { presetRange, presets } from '../format/presetRange.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/gi;

/** A channel may have a UUID too; it precedes the session in all paths. */
const lastUuid = (text: string): string | undefined => text.match(UUID)?.at(-1);

/** The session id in a playback URL, or in another text such as a line of a player's log. */
export function findSessionId(text: string): string | undefined {
  if (!URL.canParse(text)) return lastUuid(text);
  const { searchParams, pathname } = new URL(text);
  return searchParams.get('sid') ?? lastUuid(pathname);
}

const { quarter: _, ...longer } = presets;
export const ranges = { any: 'Any time', ...longer, around: 'Around a time', custom: 'Custom' } as const;

export const outcomes = { any: 'Any', filled: 'Filled', partial: 'Partly filled', empty: 'Empty' } as const;
export const states = { any: 'All', active: 'Active', ended: 'Ended' } as const;

export type SessionSearch = {
  readonly channel: string;
  readonly range: keyof typeof ranges;
  /** Milliseconds; only for `around` (`from`) and `custom`. */
  readonly from?: number;
  readonly to?: number;
  readonly outcome: keyof typeof outcomes;
  readonly state: keyof typeof states;
  /** An id, an address, `name=value`, or a part of a user agent. */
  readonly text: string;
};

export const noSearch: SessionSearch = { channel: '', range: 'any', outcome: 'any', state: 'any', text: '' };

const HOUR_MS = 3_600_000;

const oneOf = <Name extends string>(names: Readonly<Record<Name, string>>, text: string | null): Name =>
  (text !== null && Object.hasOwn(names, text) ? text : 'any') as Name;

function timeOf(text: string | null): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** @param query the query of the page, without the question mark. Invalid values are ignored. */
export function readSearch(query: string): SessionSearch {
  const given = new URLSearchParams(query);
  const [from, to] = [timeOf(given.get('from')), timeOf(given.get('to'))];
  return {
    channel: given.get('channel') ?? '',
    // Links from elsewhere, such as those of alerts, state times without a range.
    range: given.has('range') || from === undefined ? oneOf(ranges, given.get('range')) : 'custom',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    outcome: oneOf(outcomes, given.get('outcome')),
    state: oneOf(states, given.get('state')),
    text: given.get('text') ?? '',
  };
}

/** The path of the page with this search. */
export function searchPath({ channel, range, from, to, outcome, state, text }: SessionSearch): string {
  const query = new URLSearchParams();
  if (channel !== '') query.set('channel', channel);
  if (range !== 'any') query.set('range', range);
  const hasTimes = range === 'custom' || range === 'around';
  if (hasTimes && from !== undefined) query.set('from', new Date(from).toISOString());
  if (range === 'custom' && to !== undefined) query.set('to', new Date(to).toISOString());
  if (outcome !== 'any') query.set('outcome', outcome);
  if (state !== 'any') query.set('state', state);
  if (text !== '') query.set('text', text);
  const written = query.toString();
  return written === '' ? '/sessions' : `/sessions?${written}`;
}

/** The times of a search: a range, an instant, or neither. */
export function timesOf({ range, from, to }: SessionSearch, now: number): { from?: number; to?: number; at?: number } {
  if (range === 'any') return {};
  if (range === 'around') return { at: from ?? now };
  if (range === 'custom') return { from: from ?? now - HOUR_MS, to: Math.max(to ?? now, (from ?? 0) + 60_000) };
  const { start, end } = presetRange(range, now);
  return range === 'yesterday' ? { from: start, to: end } : { from: start };
}

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|(?=.*:.*:)[\da-f:.]+)$/i;
const ID = /^(?=.*\d)[\da-f]{4,8}(-[\da-f-]*)?$/i;

/** What a text is compared with. */
export function textFilter(text: string): Readonly<Record<string, string>> {
  const given = text.trim();
  if (given === '') return {};
  if (ADDRESS.test(given)) return { address: given };
  if (ID.test(given)) return { id: given.toLowerCase() };
  return /^[^=\s]+=/.test(given) ? { parameter: given } : { userAgent: given };
}

/** The query of the request for matching sessions. */
export function searchQuery(search: SessionSearch, now: number): ApiQuery<'/sessions'> {
  const { from, to, at } = timesOf(search, now);
  const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  return givenOnly({
    ...textFilter(search.text),
    channel: search.channel,
    from: iso(from),
    to: iso(to),
    at: iso(at),
    outcome: search.outcome === 'any' ? undefined : search.outcome,
    state: search.state === 'any' ? undefined : search.state,
  });
}

export const isSearching = (search: SessionSearch): boolean => searchPath(search) !== '/sessions';
