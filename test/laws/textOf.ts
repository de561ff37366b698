// SPDX-License-Identifier: Apache-2.0
import type { Parts } from '../../src/cache/sharedText.ts';

export const textOf = (body: string | Parts): string =>
  typeof body === 'string'
    ? body
    : body.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1'))).join('');
