// Values that are worked out once and shared by whoever asks, for as long as somebody holds them. What nobody shows any
// more is forgotten, so a process does not grow with the time that it runs.

const FEWEST_SWEPT = 256;

/** @returns what is held under a key, else what `make` makes; `make` must always make the same for a key */
export function shareWhileHeld<Key, Value extends object>(): (key: Key, make: () => Value) => Value {
  const held = new Map<Key, WeakRef<Value>>();
  let sweepAt = FEWEST_SWEPT;
  return (key, make) => {
    const known = held.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    held.set(key, new WeakRef(made));
    if (held.size > sweepAt) {
      for (const [one, value] of held) if (value.deref() === undefined) held.delete(one);
      sweepAt = Math.max(FEWEST_SWEPT, 2 * held.size);
    }
    return made;
  };
}
