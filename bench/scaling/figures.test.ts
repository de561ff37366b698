// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { between, type Figures, scaled, sumOf, withoutIdle } from './figures.ts';

const table = (inserted: number) => ({ inserted, updated: 0, deleted: 0, walBytes: 10 * inserted });

function figures(at: number, amount: number, tables: Readonly<Record<string, number>> = {}): Figures {
  return {
    ...{ at, cpuMs: amount },
    postgres: {
      ...{ walBytes: amount, cpuMs: amount },
      tables: Object.fromEntries(Object.entries(tables).map(([name, inserted]) => [name, table(inserted)])),
    },
    ads: { requests: amount, bytes: 0, beacons: 0, distinctBeacons: 0, repeated: 0 },
    players: { opened: 0, manifests: amount, manifestBytes: 0, adSegments: 0, failed: 0 },
  };
}

test('what was used between two figures is their difference, in tables too', () => {
  const used = between(figures(1000, 5, { beacons: 2 }), figures(4000, 8, { beacons: 9, deliveries: 4 }));
  expect(used).toMatchObject({ at: 3000, cpuMs: 3, players: { manifests: 3 } });
  expect(used.postgres.tables).toEqual({ beacons: table(7), deliveries: table(4) });
});

test('what an installation uses without viewers is subtracted for the same time', () => {
  const net = withoutIdle(figures(30_000, 100, { beacons: 8 }), figures(10_000, 20, { facts: 3 }));
  expect(net).toMatchObject({ at: 30_000, cpuMs: 40, postgres: { walBytes: 40 } });
  expect(net.postgres.tables.beacons).toEqual(table(8));
  expect(net.postgres.tables.facts!.inserted).toBe(-9);
});

test('figures are added, and scaled to a share', () => {
  const sum = sumOf([figures(1000, 1), figures(3000, 5)]);
  expect(sum).toMatchObject({ at: 4000, cpuMs: 6 });
  expect(scaled(sum, 0.5)).toMatchObject({ at: 2000, cpuMs: 3 });
});
