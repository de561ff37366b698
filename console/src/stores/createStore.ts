// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

/** A value that pages share, with those who are informed of its changes. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const whole = (all: Value) => all;
  const store = {
    read: (): Value => value,
    write(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    /** @returns removes the listener */
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** A part of the value. Renders again when that part changes. */
    usePart<Part>(partOf: (value: Value) => Part): Part {
      const [part, setPart] = useState(() => partOf(value));
      useEffect(() => {
        const update = () => setPart(() => partOf(value));
        update();
        return store.listen(update);
      }, [partOf]);
      return part;
    },
    use: (): Value => store.usePart(whole),
  };
  return store;
}
