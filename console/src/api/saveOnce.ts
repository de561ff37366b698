import { ApiError } from './apiError.ts';
import type { Answer } from './call.ts';

/**
 * Saves over a version that was read. Where that version is overtaken by what was to be saved, an earlier answer was lost
 * on its way: it is saved, and nobody else changed anything.
 * @param isSame whether what is stored says what was to be saved
 */
export async function saveOnce<T>(
  save: () => Promise<Answer<T>>,
  read: () => Promise<Answer<T>>,
  isSame: (stored: T) => boolean,
): Promise<Answer<T>> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 412)) throw error;
    const stored = await read();
    if (isSame(stored.body)) return stored;
    throw error;
  }
}
