// SPDX-License-Identifier: Apache-2.0
import { isEditConflict } from './apiError.ts';
import type { ApiResponse } from './call.ts';

/**
 * Saves a change to the version that was read. If the response to an earlier attempt was lost, saving again conflicts with
 * that attempt. The stored record then equals the change, and no other edit was made.
 * @param isSame whether the stored record equals the change
 */
export async function saveOnce<T>(
  save: () => Promise<ApiResponse<T>>,
  read: () => Promise<ApiResponse<T>>,
  isSame: (stored: T) => boolean,
): Promise<ApiResponse<T>> {
  try {
    return await save();
  } catch (error) {
    if (!isEditConflict(error)) throw error;
    const stored = await read();
    if (isSame(stored.body)) return stored;
    throw error;
  }
}
