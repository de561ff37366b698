import { useState } from 'preact/hooks';
import type { TracedBreak } from '../../../src/http/airContract.ts';
import type { BeaconAnswer } from '../../../src/http/beaconContract.ts';
import { beaconsOf } from '../logic/beaconsOf.ts';
import { filledSeconds, sayBreak } from '../logic/story.ts';
import { formatClock, sayLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';
import { AdStoryRow } from './AdStoryRow.tsx';
import { Asked } from './Asked.tsx';
import { BreakBar } from './BreakBar.tsx';

const states: Readonly<Record<TracedBreak['status'], readonly [Tone, string]>> = {
  filled: ['good', 'Filled'],
  partial: ['warn', 'Partly filled'],
  empty: ['bad', 'No ad'],
};

type BreakCardProps = {
  readonly one: TracedBreak;
  /** Of the whole session. */
  readonly beacons: readonly BeaconAnswer[];
  /** At first: what somebody has opened stays so when newer breaks come. */
  readonly isOpen: boolean;
};

/** A break, from the question to what was shown. */
export function BreakCard({ one, beacons, isOpen }: BreakCardProps) {
  const [tone, text] = states[one.status];
  const [wasOpen] = useState(isOpen);
  const { reason, warnings } = one;
  return (
    <details class="card break-card" open={wasOpen}>
      <summary>
        <time dateTime={one.startsAt}>{formatClock(one.startsAt)}</time>
        <Badge tone={tone}>{text}</Badge>
        <span class="sentence">{sayBreak(one)}</span>
        <span class="small quiet number">
          {sayLength(filledSeconds(one))} of {sayLength(one.duration)}
        </span>
      </summary>
      <div class="stack">
        <BreakBar one={one} />
        {reason && one.ads.length > 0 ? <p>{reason.text}</p> : null}
        {one.ads.length > 0 ? (
          <ol class="ads">
            {one.ads.map((ad, index) => (
              <AdStoryRow key={`${ad.adId} ${index}`} ad={ad} beacons={beaconsOf(beacons, one.id, ad.adId)} />
            ))}
          </ol>
        ) : null}
        <Asked one={one} />
        {warnings.length > 0 ? (
          <details>
            <summary>
              {warnings.length} {warnings.length === 1 ? 'remark' : 'remarks'} on what the ad server said
            </summary>
            <ul class="remarks">
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </details>
  );
}
