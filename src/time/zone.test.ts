// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { isoText } from './units.ts';
import { DAY_MS, instantIn, isTimeZone, offsetIn } from './zone.ts';

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['Etc/GMT+12', true],
  ['Mars/Olympus', false],
  ['', false],
])('whether %j is a time zone: %j', (name, is) => expect(isTimeZone(name)).toBe(is));

test.each([
  ['in winter', 'Europe/Berlin', '2026-01-15T12:00', '2026-01-15T11:00:00.000Z'],
  ['that is skipped', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['after the clocks went forward', 'Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['that occurs twice', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['after the clocks went back', 'Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ['skipped by half an hour', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
  ['at a midnight that is skipped', 'Africa/Cairo', '2026-04-24T00:00', '2026-04-23T22:00:00.000Z'],
  ['on a day that is skipped', 'Pacific/Apia', '2011-12-30T20:00', '2011-12-31T06:00:00.000Z'],
  ['of an unknown zone', 'Mars/Olympus', '2026-01-15T12:00', '2026-01-15T12:00:00.000Z'],
])('the instant of a local time %s', (_, zone, local, expected) =>
  expect(isoText(instantIn(zone, Date.parse(`${local}Z`)))).toBe(expected),
);

test('the clocks show the local time of an instant, unless they skip it, and not earlier', () => {
  const zones = [
    'UTC',
    'Europe/Dublin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Africa/Casablanca',
  ];
  const quarter = 900_000;
  const quarters = fc.integer({ min: 0, max: (100 * 365 * DAY_MS) / quarter });
  fc.assert(
    fc.property(fc.constantFrom(...zones), quarters, (zone, count) => {
      const local = count * quarter;
      const shownAt = (at: number) => at + offsetIn(zone, at)!;
      const at = instantIn(zone, local);
      if (shownAt(at) === local) expect(shownAt(at - 3_600_000)).not.toBe(local);
      else
        for (let tried = local - DAY_MS; tried <= local + DAY_MS; tried += quarter)
          expect(shownAt(tried)).not.toBe(local);
    }),
    lawRuns(300),
  );
});
