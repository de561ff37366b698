// SPDX-License-Identifier: Apache-2.0
// Random messages in binary and in XML are read as they were meant. Damaged ones are read or refused; nothing is thrown.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { anySection } from '../../test/scte35/anySection.ts';
import { writeSpliceXml } from '../../test/scte35/writeSpliceXml.ts';
import { readXml } from '../xml/read.ts';
import { readSection } from './readSection.ts';
import { readSpliceXml } from './readSpliceXml.ts';
import { spliceActions } from './spliceActions.ts';
import type { SpliceRefusal, SpliceSection } from './spliceSection.ts';

function fromXml(text: string): SpliceSection | SpliceRefusal {
  const read = readXml(`<Event>${text}</Event>`);
  if (!('root' in read)) throw new Error(JSON.stringify(read));
  return readSpliceXml(read.root);
}

const isQuiet = (read: SpliceSection | SpliceRefusal): boolean => !('refused' in read) && read.warnings.length === 0;

describe('random messages', () => {
  test('are read as they were meant', () => {
    fc.assert(
      fc.property(anySection, ({ meant, section }) => {
        expect(readSection(section)).toEqual(meant);
      }),
    );
  });

  test('mean the same in XML', () => {
    fc.assert(
      fc.property(anySection, ({ meant }) => {
        const read = fromXml(writeSpliceXml(meant));
        expect(read).toEqual(meant);
        expect(spliceActions(read as SpliceSection)).toEqual(spliceActions(meant));
      }),
    );
  });

  test('have a warning or are refused if a bit is wrong or the end is missing', () => {
    fc.assert(
      fc.property(anySection, fc.nat(), ({ section }, place) => {
        const at = place % (section.length * 8);
        const flipped = section.map((byte, i) => (i === at >> 3 ? byte ^ (0x80 >> (at & 7)) : byte));
        // CRC_32 finds each wrong bit, also in section_length.
        expect(isQuiet(readSection(flipped))).toBe(false);
        expect(isQuiet(readSection(section.subarray(0, place % section.length)))).toBe(false);
      }),
      lawRuns(200),
    );
  });
});
