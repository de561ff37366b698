// SPDX-License-Identifier: Apache-2.0
// The router of the live port and its documentation contain the same paths.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LiveOperation, operationAt } from '../../../live/liveOperation.ts';
import { liveRoutes, routesOf } from './liveRoutes.ts';

const partsOf = (path: string) => path.slice(1).split('/');
const documented = Object.entries(routesOf).flatMap(([operation, routes]) =>
  [routes].flat().map((route) => ({ ...route, operation: operation as LiveOperation })),
);

test('the router finds the operation of each documented path', () => {
  for (const { path, operation, example } of documented) {
    const filled = path.replace(/:(\w+)/g, (_, name) => example?.params?.[name] ?? expect.unreachable(name));
    expect([path, operationAt(partsOf(filled))]).toEqual([path, operation]);
  }
});

test('each parameter of a path is described', () => {
  for (const { path, parameters = {} } of liveRoutes)
    expect(Object.keys(parameters).sort()).toEqual([...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort());
});

/** A documented path as an expression; `view` and other fixed parts precede parameters. */
const templates = documented.map(({ path, operation }) => ({
  operation,
  expression: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  prefix: path.split(':')[0]!.length,
  fixed: path.replace(/:\w+/g, '').length,
}));
const documentedAt = (path: string) =>
  templates
    .filter(({ expression }) => expression.test(path))
    .sort((a, b) => b.prefix - a.prefix || b.fixed - a.fixed)[0]?.operation;

test('the router knows no path that is not documented', () => {
  const words =
    'hls dash view m tracking confirmations vast vast.xml a.xml a.m3u8 a.mpd patch.mpp master.m3u8 channel guided breaks pods channel.m3u8 channel.mpd guided.mpd a.json time health ready x 1 ad-aggregation-service mrss channel distributors guide xmltv.xml guide.json'.split(
      ' ',
    );
  const found = new Set<LiveOperation>();
  const prefix = fc.constantFrom(
    'hls',
    'dash',
    'm',
    'tracking',
    'time',
    'health',
    'ready',
    'ad-aggregation-service',
    'guide',
  );
  const word = fc.constantFrom(...words);
  const random = fc.tuple(prefix, fc.array(word, { maxLength: 8 })).map(([first, others]) => [first, ...others]);
  /** A documented path with one of its parts replaced. */
  const near = fc
    .tuple(fc.constantFrom(...documented), fc.nat(7), word)
    .map(([{ path }, at, other]) =>
      partsOf(path.replaceAll(':', 'x')).map((part, index) => (index === at ? other : part)),
    );
  fc.assert(
    fc.property(fc.oneof(random, near), (parts) => {
      const operation = operationAt(parts);
      expect(operation).toBe(documentedAt(`/${parts.join('/')}`));
      if (operation !== undefined) found.add(operation);
    }),
    { numRuns: 40_000, seed: 1 },
  );
  expect([...found].sort()).toEqual(Object.keys(routesOf).sort());
});
