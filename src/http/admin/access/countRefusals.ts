// SPDX-License-Identifier: Apache-2.0
// Which of many refused sign-ins are recorded. Anyone can cause them, so neither their number nor that of the addresses that they
// come from may fill the audit log: of those that are alike within an hour, the 1st, 10th, 100th and so on are recorded.
import { LRUCache } from 'lru-cache';

export const WINDOW_MS = 3_600_000;
/** Per tenant and hour; what comes from further sources is counted together. */
export const MAX_SOURCES = 50;
const MAX_TENANTS = 1000;
const OTHERS = 'others';

/** `attempts` counts those alike in this hour, this one included. */
export type RecordedRefusal = { readonly attempts: number; readonly fromOthers: boolean };

/** @returns counts a refusal; undefined if it is not recorded. @param now in milliseconds */
export function createRefusalCount(now: () => number) {
  const windows = new LRUCache<string, { readonly since: number; readonly counts: Map<string, number> }>({
    max: MAX_TENANTS,
  });
  return (tenant: string, source: string): RecordedRefusal | undefined => {
    const at = now();
    let window = windows.get(tenant);
    if (window === undefined || at - window.since >= WINDOW_MS || at < window.since) {
      window = { since: at, counts: new Map() };
      windows.set(tenant, window);
    }
    const { counts } = window;
    const isKnown = counts.has(source) || counts.size < MAX_SOURCES;
    const key = isKnown ? source : OTHERS;
    const attempts = (counts.get(key) ?? 0) + 1;
    counts.set(key, attempts);
    return /^10*$/.test(String(attempts)) ? { attempts, fromOthers: !isKnown } : undefined;
  };
}
