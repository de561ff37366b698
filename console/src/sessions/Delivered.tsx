import type { TracedAd } from '../../../src/http/airContract.ts';
import { nameOfField } from '../logic/formatValue.ts';
import { sayLength } from '../logic/time.ts';

type DeliveredProps = { readonly delivered: NonNullable<TracedAd['delivered']>; readonly duration: number };

/** How much of the ad the viewer was really given, and which events follow from that. */
export const Delivered = ({ delivered: { seconds, events }, duration }: DeliveredProps) => (
  <p class="small">
    Delivered {sayLength(seconds)} of {sayLength(duration)}
    {events.length === 0 ? '' : ': '}
    {events.map((event) => nameOfField(event).toLowerCase()).join(', ')}
  </p>
);
