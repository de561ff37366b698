// Values that wait for the store, as lines of JSON in parcels of a file spool, so that they survive the process. Concurrent
// writes are batched. Which values are valid is left to the caller; limits and files to fileSpool.ts.
import { randomUUID } from 'node:crypto';
import { batchWrites } from '../batchWrites.ts';
import type { FileSpool } from './fileSpool.ts';

export type LineSpool<Value> = {
  /** On disk when it resolves. */
  keep(value: Value): Promise<void>;
  /** Ends the current parcels. @returns those of this process and those that other processes left, oldest first */
  close(): Promise<readonly string[]>;
  /** `unreadable`: lines that are not valid, without a torn last line. */
  read(parcel: string): Promise<{ readonly values: readonly Value[]; readonly unreadable: readonly string[] }>;
  remove(parcel: string): Promise<void>;
  /** Keeps these lines of the parcel, or all of it, under a name that is not listed, and removes the parcel. */
  quarantine(parcel: string, lines: readonly string[] | undefined): Promise<void>;
};

/** Characters after which a new parcel begins. */
const MAX_PARCEL = 1024 * 1024;

/** @param onLost called with the number of parcels that were removed because the spool was full */
export function createLineSpool<Value>(
  files: FileSpool,
  isValid: (value: unknown) => value is Value,
  onLost: (parcels: number) => void,
): LineSpool<Value> {
  let parcel: { readonly id: string; size: number } | undefined;
  /** Parcels that may still be written to. */
  let open = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();

  async function append(values: readonly Value[]): Promise<undefined[]> {
    parcel ??= { id: randomUUID(), size: 0 };
    open.add(parcel.id);
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    parcel.size += text.length;
    const { id, size } = parcel;
    if (size >= MAX_PARCEL) parcel = undefined;
    try {
      const lost = await files.append(id, text);
      if (lost > 0) onLost(lost);
    } catch (error) {
      // The parcel may end with half a line, so nothing must be appended to it.
      parcel = undefined;
      throw error;
    }
    return values.map(() => undefined);
  }

  function readLine(line: string): Value | undefined {
    try {
      const value: unknown = JSON.parse(line);
      return isValid(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    keep: batchWrites((values) => {
      const work = append(values);
      writing = work.catch(() => {});
      return work;
    }),
    async close() {
      parcel = undefined;
      open = new Set();
      await writing;
      const all = await files.list();
      return all.map(({ id }) => id).filter((id) => !open.has(id));
    },
    async read(id) {
      // The last line may be torn if the process was killed while writing it; `keep` had not resolved for it.
      const lines = ((await files.read(id)) ?? '').split('\n').slice(0, -1);
      const read = lines.map((line) => ({ line, value: readLine(line) }));
      return {
        values: read.flatMap(({ value }) => value ?? []),
        unreadable: read.flatMap(({ line, value }) => (value === undefined ? [line] : [])),
      };
    },
    remove: files.remove,
    quarantine: (id, lines) => files.quarantine(id, lines?.map((line) => `${line}\n`).join('')),
  };
}
