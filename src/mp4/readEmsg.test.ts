// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { joinBytes, writeBox, writeFields } from './boxes.ts';
import { readEmsg } from './readEmsg.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);
const data = Uint8Array.of(0xfc, 0x30);

it('reads event messages of both versions, up to the media', () => {
  const old = writeBox(
    'emsg',
    writeFields(0),
    text('urn:a'),
    text('1'),
    writeFields(90_000, 180_000, 0xffffffff, 7),
    data,
  );
  const current = writeBox(
    'emsg',
    writeFields(0x01000000, 90_000, 0x23, 5, 2_700_000, 8),
    text('urn:b'),
    text(''),
    data,
  );
  const other = [writeBox('styp', text('msdh')), writeBox('prft', writeFields(1))];
  const bytes = joinBytes([...other, old, current, writeBox('moof'), old]);
  expect(readEmsg(bytes)).toEqual([
    { scheme: 'urn:a', value: '1', id: 7, timescale: 90_000, time: 180_000n, isMediaTime: false, data },
    {
      scheme: 'urn:b',
      value: '',
      id: 8,
      timescale: 90_000,
      time: 0x2300000005n,
      isMediaTime: true,
      duration: 2_700_000,
      data,
    },
  ]);
});

it('leaves out what is malformed or cut off', () => {
  const whole = writeBox('emsg', writeFields(0), text('urn:a'), text('1'), writeFields(90_000, 0, 0, 7), data);
  expect(readEmsg(whole)).toHaveLength(1);
  for (let length = 0; length < whole.length; length += 1) expect(readEmsg(whole.subarray(0, length))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0x02000000), new Uint8Array(40)))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0), new Uint8Array(40).fill(65)))).toEqual([]);
  expect(readEmsg(writeBox('emsg', writeFields(0), text('a'), text(''), new Uint8Array(18)))).toEqual([]);
});
