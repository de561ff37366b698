// SPDX-License-Identifier: Apache-2.0
// docs/reports.md lists every report and field exactly as the API describes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportNames } from '../../systems/rules/system.ts';
import { type ReportName, reportDimensions } from '../contract/reportValues.ts';
import { catalogue, skipReasons } from './catalogue.ts';

test('docs/reports.md contains every report with its fields, units and descriptions', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reports.md'), 'utf8');
  const sections = Object.entries(catalogue).map(([name, { about, fields }]) => {
    const by: readonly string[] = reportDimensions[name as ReportName];
    const isListed = (field: string) => name === 'skips' || !Object.hasOwn(skipReasons, field);
    const listed = fields.filter((field) => isListed(field.name));
    const rows = listed.map((field) => `| \`${field.name}\` | ${field.unit} | ${field.description} |`);
    if (listed.length < fields.length) rows.push('| the codes in [`skips`](#skips) | ads | ads skipped, by reason |');
    const groupBy = by.length === 0 ? 'Cannot be grouped.' : `Group by: ${by.join(', ')}.`;
    return [`### ${name}`, '', about, groupBy, '', '| field | unit | meaning |', '|---|---|---|', ...rows].join('\n');
  });
  expect(page.slice(page.indexOf('### '))).toBe(`${sections.join('\n\n')}\n`);
});

test('every report of a system type is in the catalogue, and field names are unique within a report', () => {
  expect(new Set(Object.values(reportNames).flat())).toEqual(new Set(Object.keys(catalogue)));
  for (const { fields } of Object.values(catalogue))
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
});
