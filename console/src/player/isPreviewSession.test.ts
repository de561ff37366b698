// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { PREVIEW_PARAMETER as ofServer, PREVIEW_MARK } from '../../../src/ads/request/preview.ts';
import { isPreviewSession, PREVIEW_PARAMETER } from './isPreviewSession.ts';

test('the mark of a preview is that of the server', () => {
  expect(PREVIEW_PARAMETER).toBe(ofServer);
  expect(isPreviewSession({ parameters: { [ofServer]: PREVIEW_MARK } })).toBe(true);
  expect(isPreviewSession({ parameters: { viewer: 'ann' } })).toBe(false);
});
