// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { formOf } from './transferForms.ts';

test.each([
  ['week.csv', 'id,start\n', 'csv'],
  ['week.txt', 'id\tstart\n', 'csv'],
  ['guide.xml', '\uFEFF<?xml version="1.0"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>', 'xmltv'],
  ['feed.xml', '<?xml version="1.0"?>\n<rss version="2.0">', 'mrss'],
  ['feed.rss', '<rss>', 'mrss'],
  ['week', ' {"entries": []}', 'json'],
  ['week.json', '', 'json'],
] as const)('%s that begins with %j is %s', (name, text, form) => expect(formOf(name, text)).toBe(form));
