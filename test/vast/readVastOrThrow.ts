// SPDX-License-Identifier: Apache-2.0
import { readVast } from '../../src/vast/read/readVast.ts';
import type { VastResponse } from '../../src/vast/response.ts';

/** @throws when the document cannot be read */
export function readVastOrThrow(input: Uint8Array | string, base?: string): VastResponse {
  const response = readVast(input, base);
  if ('reason' in response) throw new Error(`Line ${response.line}: ${response.reason}`);
  return response;
}
