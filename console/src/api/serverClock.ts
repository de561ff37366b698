// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

// The time on the server. A computer with a wrong clock would show the wrong entry as on air.
let offset = 0;

/** The Date header has a resolution of one second, so a smaller difference than this is ignored. */
const MIN_DIFFERENCE_MS = 2000;

export function recordServerDate(header: string | null): void {
  const date = Date.parse(header ?? '');
  if (Number.isNaN(date)) return;
  const difference = date + 500 - Date.now();
  offset = Math.abs(difference) < MIN_DIFFERENCE_MS ? 0 : difference;
}

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offset;

/** The time on the server in milliseconds, updated every `interval` milliseconds. */
export function useNow(interval = 1000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}
