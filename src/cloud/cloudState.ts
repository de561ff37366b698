// How a cloud system does, in words for its operator.
import type { System, SystemState } from '../tenants/system.ts';
import type { Millis } from '../time/units.ts';
import { readCloudTarget } from './cloudTarget.ts';
import type { PublicationStore } from './ports.ts';

/** undefined for a system that is none of the cloud. */
export type CloudState = (system: System) => Promise<SystemState | undefined>;

const STALE = 60_000;

export const createCloudState =
  (store: Pick<PublicationStore, 'states' | 'tally'>, now: () => Millis): CloudState =>
  async ({ type, settings }) => {
    if (type !== 'cloud-media-services') return undefined;
    const reading = readCloudTarget(settings);
    if (!reading.ok) return { state: 'failing', stateReason: `Creatives are served from here: ${reading.problem}` };
    const { location } = reading.target;
    const known = (await store.states()).find((state) => state.location === location);
    if (known === undefined || now() - known.checkedAt > STALE) {
      return { state: 'unused', stateReason: 'No enabled channel names this system, so nothing is published to it.' };
    }
    const { wanted, published } = await store.tally(location);
    const counts = `${published} published, ${wanted} waiting`;
    if (known.reason === undefined) return { state: 'working', stateReason: `Creatives: ${counts}.` };
    return {
      state: 'failing',
      stateReason: `Creatives are served from here (${counts}): the storage account ${known.reason}.`,
    };
  };
