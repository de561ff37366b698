// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

type Store<Value> = {
  read(): Value;
  write(next: Value): void;
  /** @returns removes the listener */
  listen(listener: () => void): () => void;
  /** A part of the value. Renders again when that part changes. */
  usePart<Part>(partOf: (value: Value) => Part): Part;
  use(): Value;
};

/** A value that pages share, with those who are informed of its changes. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const whole = (all: Value) => all;
  const store: Store<Value> = {
    read: () => value,
    write(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    usePart(partOf) {
      const [part, setPart] = useState(() => partOf(value));
      useEffect(() => {
        const update = () => setPart(() => partOf(value));
        update();
        return store.listen(update);
      }, [partOf]);
      return part;
    },
    use: () => store.usePart(whole),
  };
  return store;
}
