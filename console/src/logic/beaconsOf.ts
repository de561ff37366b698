import type { BeaconAnswer } from '../../../src/http/beaconContract.ts';

/** The beacons of one ad of one break, in the order in which they were written down. */
export const beaconsOf = (beacons: readonly BeaconAnswer[], breakId: string, adId: string): readonly BeaconAnswer[] =>
  beacons.filter((beacon) => beacon.break === breakId && beacon.ad === adId);

/** `arrived`, `failed after 5 attempts: status 404`, `waiting, tried twice`. */
export function sayBeacon({ outcome, attempts, status, error }: BeaconAnswer): string {
  const tries = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  const why = error ?? (status === undefined ? undefined : `status ${status}`);
  if (outcome === 'sent') return attempts > 1 ? `arrived after ${tries}` : 'arrived';
  if (outcome === 'failed') return `failed after ${tries}${why === undefined ? '' : `: ${why}`}`;
  return attempts === 0 ? 'waiting' : `waiting after ${tries}${why === undefined ? '' : `: ${why}`}`;
}
