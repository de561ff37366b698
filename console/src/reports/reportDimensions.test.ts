// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/platform/reports/rules/catalogue.ts';
import { reportDimensions } from './reportRange.ts';

test('every report can be grouped by what the server supports', () => {
  const supported = Object.entries(catalogue).map(([name, { by }]) => [name, by]);
  expect(reportDimensions).toEqual(Object.fromEntries(supported));
});
