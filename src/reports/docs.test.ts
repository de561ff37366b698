// docs/reports.md tells every report and every field as answers tell them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportNames } from '../tenants/system.ts';
import { catalogue } from './catalogue.ts';

test('the page has every report with its fields, units and meanings', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reports.md'), 'utf8');
  const sections = Object.entries(catalogue).map(([name, { about, by, fields }]) => {
    const rows = fields.map((field) => `| \`${field.name}\` | ${field.unit} | ${field.description} |`);
    const known = `Told apart by: ${by.join(', ') || 'nothing'}.`;
    return [`### ${name}`, '', about, known, '', '| field | unit | meaning |', '|---|---|---|', ...rows].join('\n');
  });
  expect(page.slice(page.indexOf('### '))).toBe(`${sections.join('\n\n')}\n`);
});

test('every name that a system offers is in the catalogue, and every field has a name of its own', () => {
  expect(new Set(Object.values(reportNames).flat())).toEqual(new Set(Object.keys(catalogue)));
  for (const { fields } of Object.values(catalogue))
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
});
