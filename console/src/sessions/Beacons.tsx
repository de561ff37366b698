// SPDX-License-Identifier: Apache-2.0
import type { BeaconResponse } from '../../../src/http/contract/beaconContract.ts';
import { Badge, type Tone } from '../components/feedback/Badge.tsx';
import { formatTimeOfDay } from '../format/time.ts';
import { beaconStatus } from './beacons.ts';

const beaconTones: Readonly<Record<BeaconResponse['outcome'], Tone>> = {
  pending: 'calm',
  sent: 'good',
  failed: 'bad',
};

const count = (beacons: readonly BeaconResponse[], outcome: BeaconResponse['outcome']): number =>
  beacons.filter((beacon) => beacon.outcome === outcome).length;

/** The outcome of each beacon of an ad. */
export function Beacons({ beacons }: { readonly beacons: readonly BeaconResponse[] }) {
  if (beacons.length === 0) return null;
  const [sent, failed] = [count(beacons, 'sent'), count(beacons, 'failed')];
  return (
    <details>
      <summary>
        {sent} of {beacons.length} beacons sent{failed > 0 ? `, ${failed} failed` : ''}
      </summary>
      <ul class="beacons">
        {beacons.map((beacon) => (
          <li key={beacon.id}>
            <time dateTime={beacon.dueAt}>{formatTimeOfDay(beacon.settledAt ?? beacon.dueAt)}</time>
            <strong>{beacon.event}</strong>
            <Badge tone={beaconTones[beacon.outcome]}>{beaconStatus(beacon)}</Badge>
            <code class="url muted">{beacon.url}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
