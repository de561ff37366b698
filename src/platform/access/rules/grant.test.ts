// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { withoutUndefined } from '../../../invariant.ts';
import { type Grant, grantFaults, grantOf, requireGrant } from './grant.ts';
import { scopes } from './scope.ts';

const EARLY = '2030-01-01T00:00:00.000Z';
const LATE = '2031-01-01T00:00:00.000Z';
const parts = {
  scope: scopes,
  channels: [undefined, ['a'], ['a', 'b'], ['b']],
  labels: [undefined, ['x'], ['X', 'y']],
  expiresAt: [undefined, EARLY, LATE],
} as const;
const all: Grant[] = parts.scope.flatMap((scope) =>
  parts.channels.flatMap((channels) =>
    parts.labels.flatMap((labels) =>
      parts.expiresAt.map((expiresAt) => ({ scope, ...withoutUndefined({ channels, labels, expiresAt }) })),
    ),
  ),
);
/** Channels by id, and those that will have a label. */
const everything = ['a', 'b', 'another', 'label x', 'label y', 'another label'];
const reachable = ({ channels, labels }: Grant): readonly string[] =>
  channels || labels
    ? [...(channels ?? []), ...(labels ?? []).map((label) => `label ${label.toLowerCase()}`)]
    : everything;
/** What a grant allows, one by one: a scope, for a channel, at a time. */
const allowed = ({ scope, expiresAt = 'Z', ...limits }: Grant): string[] =>
  scopes
    .slice(0, scopes.indexOf(scope) + 1)
    .flatMap((one) =>
      reachable(limits as Grant).flatMap((id) =>
        [EARLY, LATE, 'Z'].filter((end) => end <= expiresAt).map((end) => `${one} ${id} ${end}`),
      ),
    );

test('a grant is refused exactly if it allows something that the own one does not', () => {
  for (const own of all) {
    const has = new Set(allowed(own));
    for (const wanted of all) {
      const isMore = allowed(wanted).some((one) => !has.has(one));
      expect([own, wanted, grantFaults(own, wanted).length > 0]).toEqual([own, wanted, isMore]);
    }
  }
});

test('faults name their fields', () => {
  const own: Grant = { scope: 'read', channels: ['a'], expiresAt: EARLY };
  const faults = grantFaults(own, { scope: 'manage' });
  expect(faults.map(({ keyword, dataPath }) => [keyword, dataPath])).toEqual([
    ['scope', '/scope'],
    ['channels', '/channels'],
    ['expiry', '/expiresAt'],
  ]);
  expect(() => requireGrant(own, { scope: 'manage' }, 'x')).toThrow(expect.objectContaining({ kind: 'FORBIDDEN' }));
  expect(() => requireGrant(own, own, 'x')).not.toThrow();
});

test('times are compared as times, whatever their form', () => {
  const own: Grant = { scope: 'manage', expiresAt: '2030-01-01T00:00:00.000Z' };
  expect(grantFaults(own, { scope: 'manage', expiresAt: '2030-01-01T02:00:00+02:00' })).toEqual([]);
  expect(grantFaults(own, { scope: 'manage', expiresAt: '2029-12-31T23:30:00-01:00' })).toHaveLength(1);
});

test('the end of a session limits nothing, that of a key does', () => {
  const rights = { scope: 'manage', expiresAt: EARLY } as const;
  expect(grantOf({ ...rights, actor: { kind: 'user' } })).toEqual({ scope: 'manage' });
  expect(grantOf({ ...rights, actor: { kind: 'key' } })).toEqual(rights);
});
