// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

/** The last value that was not undefined: keeps data visible while data for another path is loading. */
export function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value);
  if (value !== undefined && value !== latest) setLatest(value);
  return value ?? latest;
}
