// SPDX-License-Identifier: Apache-2.0
// What the tests of a file share: opened when the file is loaded, closed after its tests, the last one first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

type Closable = { close(): unknown } | { stop(): unknown } | { drop(): unknown };

const open = new Set<() => unknown>();

function closeAfterTests(close: () => unknown): void {
  open.add(close);
  afterAll(async () => {
    open.delete(close);
    await close();
  });
}

const closing = (one: Closable) => () => {
  if ('close' in one) return one.close();
  return 'stop' in one ? one.stop() : one.drop();
};

/** If it does not open, no test runs, so what the file has opened before is closed at once. */
export async function opened<T>(
  opening: T | Promise<T>,
  ...[close]: T extends Closable ? [close?: (one: T) => unknown] : [close: (one: T) => unknown]
): Promise<T> {
  try {
    const one = await opening;
    closeAfterTests(close === undefined ? closing(one as Closable) : () => close(one));
    return one;
  } catch (error) {
    for (const each of [...open].reverse()) await each();
    open.clear();
    throw error;
  }
}

/** A temporary folder, which is removed after the tests of a file. */
export function scratchFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  closeAfterTests(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
