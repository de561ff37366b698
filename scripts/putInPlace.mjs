// SPDX-License-Identifier: Apache-2.0
import { renameSync, rmSync } from 'node:fs';

/** Replaces a folder by the build next to it. If another build ends at the same moment, the last one stays. */
export function putInPlace(fresh, folder) {
  for (let attempt = 1; ; attempt += 1) {
    rmSync(folder, { recursive: true, force: true });
    try {
      return renameSync(fresh, folder);
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}
