// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf, phasesBetween, phaseTotals } from './originPhases.ts';

const start = Date.UTC(2026, 2, 1, 20);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const source = 'source' as const;

test('what is on air counts more than the state of the origin', () => {
  expect(phaseOf({ state: 'ok', onAir: 'source' })).toBe('working');
  expect(phaseOf({ state: 'failing', onAir: 'source' })).toBe('failing');
  expect(phaseOf({ state: 'failing', onAir: 'backup' })).toBe('backup');
  expect(phaseOf({ state: 'stalled', onAir: 'slate' })).toBe('slate');
  expect(phaseOf({ state: 'idle', onAir: 'slate' })).toBe('idle');
});

test('events become phases, newest first as they are listed; equal neighbours are one', () => {
  const events = [
    { at: at(90), state: 'ok', onAir: source },
    { at: at(50), state: 'failing', onAir: 'slate' },
    { at: at(45), state: 'stalled', onAir: 'slate' },
    { at: at(40), state: 'failing', onAir: source, reason: 'It returned 503.' },
    { at: at(10), state: 'ok', onAir: source },
  ] as const;
  const spans = phasesBetween(events, start, start + 100_000);
  expect(spans.map(({ phase, from, to }) => [phase, (from - start) / 1000, (to - start) / 1000])).toEqual([
    ['unknown', 0, 10],
    ['working', 10, 40],
    ['failing', 40, 45],
    ['slate', 45, 90],
    ['working', 90, 100],
  ]);
  expect(spans[2]).toMatchObject({ reason: 'It returned 503.' });
  expect(phaseTotals(spans)).toEqual([
    ['slate', 45_000],
    ['working', 40_000],
    ['unknown', 10_000],
    ['failing', 5000],
  ]);
});

test('the last event before the range states how it begins', () => {
  const events = [{ at: at(-500), state: 'failing', onAir: 'backup' }] as const;
  expect(phasesBetween(events, start, start + 1000)).toMatchObject([
    { phase: 'backup', from: start, to: start + 1000 },
  ]);
});

test('phases fill the range without gaps', () => {
  const event = fc.record({
    at: fc.integer({ min: -50, max: 150 }).map(at),
    state: fc.constantFrom('ok', 'stalled', 'failing', 'ended', 'idle'),
    onAir: fc.constantFrom('source', 'backup', 'slate'),
  });
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const spans = phasesBetween(events, start, start + 100_000);
      expect([spans[0]!.from, spans.at(-1)!.to]).toEqual([start, start + 100_000]);
      for (const [index, { to, phase }] of spans.slice(0, -1).entries()) {
        expect(spans[index + 1]!.from).toBe(to);
        expect(spans[index + 1]!.phase).not.toBe(phase);
      }
      expect(phaseTotals(spans).reduce((sum, [, ms]) => sum + ms, 0)).toBe(100_000);
    }),
  );
});
