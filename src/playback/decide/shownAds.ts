// SPDX-License-Identifier: Apache-2.0
// Frequency caps over all nodes. What a viewer was shown is read when ads are chosen, and what is chosen is stored before it is shown,
// so no cap is exceeded, whatever fails in between. If what the viewer was shown is not known, no ad with a cap is chosen
// (docs/decisions/059-frequency-caps.md).
import type { FrequencyCap } from '../../channels/demand.ts';
import type { ShownAdsStore, ViewerKey } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import { RESPONSE_TIMEOUT_MS, type StoreHealth } from '../viewers/storeHealth.ts';

type ShownAdsDeps = {
  readonly store: Pick<ShownAdsStore, 'read' | 'write'>;
  readonly health: Pick<StoreHealth, 'track' | 'whenAvailable'>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** `shown`: the text to store from now on; undefined if no ad was chosen that counts. */
type CountedChoice<Result> = { readonly result: Result; readonly shown: string | undefined };

/**
 * Pure: it is called again if another process has decided for the viewer meanwhile.
 * @param shown the stored text, empty if there is none; undefined if it is not known: no ad with a cap may be chosen
 */
type ChooseCounted<Result> = (shown: string | undefined) => CountedChoice<Result>;

const MAX_TRIES = 5;
const HOUR_MS = 3_600_000;
const NOTHING = { text: '', version: 0 };

export type ShownAds = ReturnType<typeof createShownAds>;

export function createShownAds({ store, health, now, log }: ShownAdsDeps) {
  /** @returns undefined if the store does not respond */
  async function call<Value>({ tenant, key }: ViewerKey, work: () => Promise<Value>) {
    const tracked = async () => ({ value: await health.track(work, key) });
    const done = await health.whenAvailable(RESPONSE_TIMEOUT_MS, tracked, key).catch((error: unknown) => ({ error }));
    if (done !== undefined && 'value' in done) return done;
    log('the session store does not respond: ads with frequency caps are not shown', { tenant, error: done?.error });
    return undefined;
  }

  return {
    /** The stored text, empty if there is none; undefined if it is not known. */
    async read(viewer: ViewerKey): Promise<string | undefined> {
      const read = await call(viewer, () => store.read(viewer));
      return read && (read.value ?? NOTHING).text;
    },
    /**
     * Chooses ads for a viewer. Ads count once they are chosen, also if the decision is not recorded or the player does not play them.
     * @param caps of the channel: what is chosen counts as long as the longest of them. Other channels of the tenant write the same
     * text, with caps of their own
     */
    async choose<Result>(
      viewer: ViewerKey,
      caps: readonly FrequencyCap[],
      choose: ChooseCounted<Result>,
    ): Promise<Result> {
      const keepMs = Math.max(0, ...caps.map(({ hours }) => Math.ceil(hours * HOUR_MS)));
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const read = await call(viewer, () => store.read(viewer));
        if (read === undefined) return choose(undefined).result;
        const { text, version } = read.value ?? NOTHING;
        const { shown, result } = choose(text);
        if (shown === undefined) return result;
        const written = await call(viewer, () => store.write(viewer, shown, version, millis(now() + keepMs)));
        if (written === undefined) return choose(undefined).result;
        if (written.value) return result;
      }
      log('too many decisions for one viewer at once: ads with frequency caps are not shown', {
        tenant: viewer.tenant,
      });
      return choose(undefined).result;
    },
  };
}
