// What would be lost by going elsewhere: pages say that they hold it, and whoever leads elsewhere asks here first.

const holders = new Set<object>();

export function holdUnsaved(): () => void {
  const holder = {};
  holders.add(holder);
  return () => holders.delete(holder);
}

/** For what is gone anyway: a deleted record, a key that is no longer good. */
export const forgetUnsaved = (): void => holders.clear();

/** Asks where there is something to lose. */
export const mayLeave = (): boolean =>
  holders.size === 0 || window.confirm('What you changed here is not saved. Leave it behind?');
