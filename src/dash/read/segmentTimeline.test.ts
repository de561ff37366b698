// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { finish } from '../../time/sliced.ts';
import { readXml } from '../../xml/read.ts';
import { element } from '../../xml/write.ts';
import { MpdFault } from '../mpdFault.ts';
import { expandTimeline } from './segmentTimeline.ts';

function expand(segments: string, end?: number, firstNumber = 1) {
  const xml = readXml(`<SegmentTimeline>\n${segments}</SegmentTimeline>`);
  if (!('root' in xml)) throw new Error(xml.reason);
  return finish(expandTimeline(xml.root, end, firstNumber));
}

function fault(segments: string): MpdFault {
  try {
    expand(segments);
  } catch (error) {
    if (error instanceof MpdFault) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('expandTimeline', () => {
  it('expands repeats', () => {
    const { borders, timesAreBorders, jumps } = expand('<S t="10" d="5" r="2"/><S d="3"/>');
    expect([...borders]).toEqual([10, 15, 20, 25, 28]);
    expect(timesAreBorders).toBe(true);
    expect(jumps).toEqual([]);
  });

  it('begins at 0 by default', () => {
    expect([...expand('<S d="5"/><S d="5"/>').borders]).toEqual([0, 5, 10]);
  });

  it('repeats an open S up to the next @t or the end of the Period', () => {
    expect([...expand('<S d="5" r="-1"/><S t="15" d="4"/>').borders]).toEqual([0, 5, 10, 15, 19]);
    expect([...expand('<S t="3" d="5" r="-1"/>', 13).borders]).toEqual([3, 8, 13]);
    expect([...expand('<S t="3" d="5" r="-1"/>', 14).borders]).toEqual([3, 8, 13, 18]);
    expect([...expand('<S t="0" d="500" r="-1"/>', 1001).borders]).toEqual([0, 500, 1000]);
    expect([...expand('<S d="5" r="-1"/><S d="2"/>', 10).borders]).toEqual([0, 5, 10, 12]);
    expect(fault('<S d="5" r="-1"/>')).toMatchObject({ line: 2, code: 'PERIOD_END' });
  });

  it('reports gaps and overlaps, and lets a segment last until the next one begins', () => {
    const { borders, jumps } = expand('<S d="10"/>\n<S t="12" d="10"/>\n<S t="21" d="10"/>');
    expect([...borders]).toEqual([0, 12, 21, 31]);
    expect(jumps).toEqual([
      { line: 3, ticks: 2 },
      { line: 4, ticks: -1 },
    ]);
  });

  it('keeps times exact beyond 2^53', () => {
    const { time, timesAreBorders, borders } = expand('<S t="16000000000000001" d="20000000" r="1"/><S d="3"/>');
    expect([0, 1, 2].map(time)).toEqual([16000000000000001n, 16000000020000001n, 16000000040000001n]);
    expect(timesAreBorders).toBe(false);
    expect(borders[1]! - borders[0]!).toBeCloseTo(20_000_000, -1);
  });

  it('follows S@n', () => {
    expect(expand('<S d="5"/><S n="9" d="5" r="1"/>', undefined, 4).numbers).toEqual([4, 9, 10]);
    expect(expand('<S n="4" d="5"/><S d="5"/>', undefined, 4).numbers).toBeUndefined();
  });

  it('reports errors with their line', () => {
    const wrong = { line: 2, code: 'ATTRIBUTE', attribute: 'S@d' };
    expect(fault('<S t="0"/>')).toMatchObject(wrong);
    expect(fault('<S t="0"/>').message).not.toContain('"');
    expect(fault('<S d="x"/>')).toMatchObject({ ...wrong, message: naming('"x"') });
    expect(fault('<S d="0"/>')).toMatchObject({ ...wrong, message: naming('"0"') });
    expect(fault('<S t="-1" d="2"/>')).toMatchObject({ ...wrong, attribute: 'S@t', message: naming('"-1"') });
    expect(fault('')).toMatchObject({ line: 1, code: 'NO_SEGMENT' });
    expect(fault('<S d="1" k="3"/>')).toMatchObject({ line: 2, code: 'SEGMENT_SEQUENCES' });
    const behind = { line: 1, code: 'SEGMENT_ORDER', message: naming(1, 3, 10) };
    expect(fault('<S t="10" d="5"/><S t="3" d="5"/>')).toMatchObject(behind);
    const tooMany = { line: 2, code: 'TOO_MANY_SEGMENTS', message: naming(50_000) };
    expect(fault('<S d="1" r="999999999"/>')).toMatchObject(tooMany);
  });

  it('reads the borders that were written, with and without repeats', () => {
    const durations = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(durations, fc.nat(1e9), fc.boolean(), (runs, start, hasTimes) => {
        let at = start;
        const expected = [start];
        const text = runs.map(([d, r], index) => {
          const t = index === 0 || hasTimes ? at : undefined;
          for (let repeat = 0; repeat <= r; repeat += 1) {
            at += d;
            expected.push(at);
          }
          return element('S', { t, d, r: r || undefined });
        });
        expect([...expand(text.join('')).borders]).toEqual(expected);
      }),
    );
  });
});
