// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flicks } from '../time/units.ts';
import { readDuration, writeDuration } from './duration.ts';

describe('readDuration', () => {
  it.each([
    ['PT0S', 0],
    ['PT10S', 10],
    ['PT0H0M10.00S', 10],
    ['PT1H2M3.5S', 3723.5],
    ['P1DT1S', 86_401],
    ['P0Y0M0DT0H3M30.000S', 210],
    ['PT634.566S', 634.566],
    ['PT.5S', 0.5],
    ['PT2.S', 2],
    [' PT1M ', 60],
    ['P2D', 172_800],
  ])('reads %j', (text, seconds) => {
    expect(readDuration(text)).toBe(Math.round(seconds * 705_600_000));
  });

  const others = ',P,PT,P1DT,10,10S,-PT10S,P1Y,P1M,PT1.5M,PT10,pt10s,PT1S1M,P1000D';
  it.each(others.split(','))('%j is no duration, or has no fixed length', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  it('reads any number of milliseconds exactly, in days, hours, minutes and seconds', () => {
    const part = fc.nat(99);
    fc.assert(
      fc.property(part, part, part, fc.nat(59_999), (days, hours, minutes, ms) => {
        fc.pre(days < 90);
        const text = `P${days}DT${hours}H${minutes}M${(ms / 1000).toFixed(3)}S`;
        const total = ((days * 24 + hours) * 60 + minutes) * 60_000 + ms;
        expect(readDuration(text)).toBe(flicks(total * 705_600));
      }),
    );
  });
});

it('writes milliseconds as seconds', () => {
  const texts = [0, 5, 50, 500, 1000, 1001, 1010, 1100, 7_200_000, 7_323_456].map(writeDuration);
  expect(texts).toEqual([
    ...['PT0S', 'PT0.005S', 'PT0.05S', 'PT0.5S', 'PT1S', 'PT1.001S', 'PT1.01S', 'PT1.1S', 'PT7200S', 'PT7323.456S'],
  ]);
});
