// SPDX-License-Identifier: Apache-2.0
import { LRUCache } from 'lru-cache';
import type { Millis } from '../time/units.ts';

const MAX_KEYS = 1000;

/** Reads once for all that request it at the same time or soon after. A failure is not kept, nor a value that a clock which was set back would keep for long. */
export function kept<Value>(ms: number, now: () => Millis, read: (key: string) => Promise<Value>) {
  const known = new LRUCache<string, { readonly at: Millis; readonly value: Promise<Value> }>({ max: MAX_KEYS });
  return (key: string): Promise<Value> => {
    const last = known.get(key);
    if (last !== undefined && Math.abs(now() - last.at) < ms) return last.value;
    const value = read(key);
    known.set(key, { at: now(), value });
    value.catch(() => known.peek(key)?.value === value && known.delete(key));
    return value;
  };
}
