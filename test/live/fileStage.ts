// SPDX-License-Identifier: Apache-2.0
// The stage that the tests of a file share: opened when the file is loaded, closed after its tests.
import { afterAll, expect, vi } from 'vitest';
import { openVirtualStage, type Stage } from './stage.ts';

/** The tests may run all together. After them, Midroll must have logged no error. */
export async function fileStage(open: () => Promise<Stage> = openVirtualStage): Promise<Stage> {
  vi.setConfig({ maxConcurrency: 50 });
  const stage = await open();
  afterAll(async () => {
    const bugs = stage.midroll.bugs();
    await stage.close();
    expect(bugs).toEqual([]);
  });
  return stage;
}
