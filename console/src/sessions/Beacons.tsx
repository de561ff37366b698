import type { TracedAd } from '../../../src/http/airContract.ts';
import { nameOfField } from '../logic/formatValue.ts';
import { sayLength } from '../logic/time.ts';

type Delivered = NonNullable<TracedAd['delivered']>;

/** How much of the ad the viewer was really given, and which events follow from that. */
export const Beacons = ({
  delivered: { seconds, events },
  duration,
}: {
  readonly delivered: Delivered;
  readonly duration: number;
}) => (
  <p class="small delivered">
    Delivered {sayLength(seconds)} of {sayLength(duration)}
    {events.length === 0 ? '' : ': '}
    {events.map((event) => nameOfField(event).toLowerCase()).join(', ')}
  </p>
);
