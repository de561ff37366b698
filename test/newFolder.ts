// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function newFolder(atEnd: (remove: () => void) => unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder that is removed after the tests of the file, or of the `describe`, that calls this. */
export const folderOfTests = (): string => newFolder(afterAll);

/** A new folder that is removed after the test that calls this, or whose `beforeEach` does. */
export const folderOfTest = (): string => newFolder(onTestFinished);
