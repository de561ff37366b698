// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isPreview, PREVIEW_MARK, PREVIEW_PARAMETER } from './preview.ts';

test('a session is a preview if it has the mark', () => {
  expect(isPreview({ parameters: { [PREVIEW_PARAMETER]: PREVIEW_MARK } })).toBe(true);
  expect(isPreview({ parameters: { viewer: 'ann' } })).toBe(false);
});
