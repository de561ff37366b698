// SPDX-License-Identifier: Apache-2.0
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { plural } from '../format/numbers.ts';

/** The beacons of one ad in one break, in the order in which they were recorded. */
export const adBeacons = (
  beacons: readonly BeaconResponse[],
  breakId: string,
  adId: string,
): readonly BeaconResponse[] => beacons.filter((beacon) => beacon.break === breakId && beacon.ad === adId);

/** `sent`, `failed after 5 attempts: status 404`, `pending after 1 attempt`. */
export function beaconStatus({ outcome, attempts, status, error }: BeaconResponse): string {
  const isFirst = attempts === (outcome === 'sent' ? 1 : 0);
  if (isFirst) return outcome;
  const cause = outcome === 'sent' ? undefined : (error ?? (status === undefined ? undefined : `status ${status}`));
  return `${outcome} after ${plural(attempts, 'attempt')}${cause === undefined ? '' : `: ${cause}`}`;
}
