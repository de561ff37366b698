// SPDX-License-Identifier: Apache-2.0
// Starts the ad server of a benchmark.
import { fork } from 'node:child_process';
import type { AdFigures } from './scaling/figures.ts';

export type AdSetup = {
  readonly creatives: readonly string[];
  /** Of each ad. */
  readonly seconds: number;
  readonly ads: number;
  readonly latencyMs: number;
};

export type AdServer = Awaited<ReturnType<typeof startAds>>;

export async function startAds(setup: AdSetup) {
  const child = fork(new URL('./adServer.ts', import.meta.url), [JSON.stringify(setup)], {
    execArgv: ['--import', 'tsx'],
  });
  const { url } = await new Promise<{ url: string }>((resolve) => child.once('message', resolve as () => void));
  return {
    url,
    /** @param installation the number that its paths begin with */
    figures: async (installation: number): Promise<AdFigures> =>
      (await fetch(`${url}/${installation}/figures`)).json() as Promise<AdFigures>,
    stop: () => void child.kill(),
  };
}
