// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { environment } from '../../src/settings/environment.ts';
import { readText } from '../repositoryFiles.ts';

test('docs/operating.md lists every setting with its default and description', () => {
  const text = readText('docs/operating.md');
  const documented = text.split('\n').filter((line) => /^\| `[A-Z_]+`/.test(line));
  const rows = Object.entries(environment.properties).map(([name, property]) => {
    const { default: fallback = '', description } = property as unknown as {
      default?: string | number;
      description: string;
    };
    return `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`;
  });
  expect(documented).toEqual(rows);
});
