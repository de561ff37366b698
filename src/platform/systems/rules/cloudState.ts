// SPDX-License-Identifier: Apache-2.0
// The state of a cloud system, described for its operator.

import type { Millis } from '../../../time/units.ts';
import { readCloudTarget } from './cloudTarget.ts';
import type { PublicationStore } from './ports.ts';
import type { System, SystemState } from './system.ts';

/** @returns undefined for systems of other types */
export type CloudState = (system: System) => Promise<SystemState | undefined>;

/** Milliseconds after which a state that was not updated is out of date. */
const STALE_MS = 60_000;

export const createCloudState =
  (store: Pick<PublicationStore, 'states' | 'tally'>, now: () => Millis): CloudState =>
  async ({ type, settings }) => {
    if (type !== 'cloud-media-services') return undefined;
    const reading = readCloudTarget(settings);
    if (!reading.ok)
      return { state: 'failing', stateReason: `Midroll serves the creatives itself: ${reading.problem}` };
    const { location } = reading.target;
    const known = (await store.states()).find((state) => state.location === location);
    if (known === undefined || now() - known.checkedAt > STALE_MS) {
      return { state: 'unused', stateReason: 'No enabled channel uses this system, so nothing is published to it.' };
    }
    const { waiting, published } = await store.tally(location);
    const counts = `${published} published, ${waiting} waiting`;
    if (known.reason === undefined) return { state: 'working', stateReason: `Creatives: ${counts}.` };
    return {
      state: 'failing',
      stateReason: `Midroll serves the creatives itself (${counts}): the storage account ${known.reason}.`,
    };
  };
