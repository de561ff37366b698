// SPDX-License-Identifier: Apache-2.0
// What tests use: opened when their file is loaded and closed after its tests, the last one first, or opened and closed by a test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

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

/** What one test uses, closed when it has finished. */
export async function openedInTest<T extends Closable>(opening: T | Promise<T>): Promise<T> {
  const one = await opening;
  onTestFinished(async () => void (await closing(one)()));
  return one;
}

function newFolder(atEnd: (remove: () => void) => unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A temporary folder, which is removed after the tests of the file, or of the `describe`, that calls this. */
export const scratchFolder = (): string => newFolder(closeAfterTests);

/** A temporary folder, which is removed after the test that calls this, or whose `beforeEach` does. */
export const scratchFolderInTest = (): string => newFolder(onTestFinished);
