// SPDX-License-Identifier: Apache-2.0
import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Appends to a file until its disk has no space. @param sizes of what is written at a time, in bytes */
export function fillDisk(file: string, ...sizes: readonly number[]): void {
  for (const size of sizes) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size, 1));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}
