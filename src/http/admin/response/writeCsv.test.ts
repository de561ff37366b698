// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { writeCsv } from './writeCsv.ts';

test('writes columns in order, leaves missing values empty, quotes commas and escapes formulas', () => {
  const rows = [{ key: 'a "b", c', value: -1.5 }, { value: 0, key: '=HYPERLINK("x")' }, { key: 'two\nlines' }];
  expect(writeCsv(['key', 'value'], rows)).toBe(
    'key,value\r\n"a ""b"", c",-1.5\r\n"\'=HYPERLINK(""x"")",0\r\n"two\nlines",\r\n',
  );
});
