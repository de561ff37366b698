// SPDX-License-Identifier: Apache-2.0
// What docs/operating.md states about outages of each store.
import { expect } from 'vitest';
import { type OutageCase, type OutageStore, observeOutage } from './outageCase.ts';

type Expected = {
  /** Whether sessions can be opened and the administrative API responds during the outage. */
  readonly opens: boolean;
  readonly administers: boolean;
  /** `/ready` stays 200, because all nodes have the same store and can serve. */
  readonly staysReady?: true;
  /** Why breaks that become due have no ads; absent if they have ads. */
  readonly reason?: string;
};

const expected: Readonly<Record<OutageStore, Expected>> = {
  Redis: { opens: false, administers: true, reason: 'STORE_AWAY' },
  PostgreSQL: { opens: true, administers: false },
  'the object store': { opens: true, administers: true, staysReady: true },
};

/** Lines of one kind in an outage: its begin, its end, and repetitions at growing intervals. */
const MAX_LINES = 8;

export async function expectOutage(one: OutageCase): Promise<void> {
  const { opened, listed, ready, breaks, lines } = await observeOutage(one);
  console.log(JSON.stringify({ ...one, breaks, lines }));
  const { opens, administers, staysReady, reason } = expected[one.store];
  // The first and the last request may be sent before the outage and after it.
  if (opens) expect(new Set(opened)).toEqual(new Set([200]));
  else expect(opened).toContain(503);
  if (administers) expect(new Set(listed)).toEqual(new Set([200]));
  else expect(listed).toContain(503);
  if (staysReady) expect(new Set(ready)).toEqual(new Set([200]));
  else if (one.seconds >= 60) expect(ready).toContain(503);
  // A break that begins with the outage may have been decided before.
  const empty = Object.keys(breaks).filter((text) => text.startsWith('empty'));
  expect(empty, JSON.stringify(breaks)).toEqual(reason !== undefined && one.seconds >= 60 ? [`empty ${reason}`] : []);
  // A request that fails has a line of its own; the others are written when something changes.
  const repeated = Object.entries(lines).filter(([text, count]) => !text.startsWith('request') && count > MAX_LINES);
  expect(repeated).toEqual([]);
}
