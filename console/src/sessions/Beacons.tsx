import type { BeaconAnswer } from '../../../src/http/beaconContract.ts';
import { sayBeacon } from '../logic/beaconsOf.ts';
import { formatClock } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';

const tones: Readonly<Record<BeaconAnswer['outcome'], Tone>> = { pending: 'calm', sent: 'good', failed: 'bad' };
const count = (beacons: readonly BeaconAnswer[], outcome: BeaconAnswer['outcome']): number =>
  beacons.filter((beacon) => beacon.outcome === outcome).length;

/** What became of each beacon of an ad. */
export function Beacons({ beacons }: { readonly beacons: readonly BeaconAnswer[] }) {
  if (beacons.length === 0) return null;
  const [sent, failed] = [count(beacons, 'sent'), count(beacons, 'failed')];
  return (
    <details>
      <summary>
        {sent} of {beacons.length} beacons arrived{failed > 0 ? `, ${failed} failed` : ''}
      </summary>
      <ul class="beacons">
        {beacons.map((beacon) => (
          <li key={beacon.id}>
            <time dateTime={beacon.dueAt}>{formatClock(beacon.settledAt ?? beacon.dueAt)}</time>
            <strong>{beacon.event}</strong>
            <Badge tone={tones[beacon.outcome]}>{sayBeacon(beacon)}</Badge>
            <code class="url quiet">{beacon.url}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
