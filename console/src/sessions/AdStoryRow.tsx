import type { TracedAd } from '../../../src/http/airContract.ts';
import { whyNot } from '../logic/story.ts';
import { formatClock, sayLength } from '../logic/time.ts';
import { Badge } from '../parts/Badge.tsx';
import { Beacons } from './Beacons.tsx';

/** One ad: shown and how far, or not and why. */
export function AdStoryRow({ ad }: { readonly ad: TracedAd }) {
  const { adId, creativeId, title, duration, startsAt, delivered } = ad;
  const why = whyNot(ad);
  return (
    <li class={why === undefined ? 'shown' : 'skipped'}>
      <div class="row">
        {why === undefined ? <Badge tone="good">Shown</Badge> : <Badge tone="bad">Not shown</Badge>}
        <strong>{title || adId}</strong>
        <span class="small quiet">
          {sayLength(duration)}
          {startsAt === undefined ? '' : `, from ${formatClock(startsAt)}`}
        </span>
      </div>
      {why === undefined ? null : <p class="why">{why}</p>}
      <p class="small quiet ids">
        Ad <code>{adId}</code>
        {creativeId === undefined ? null : (
          <>
            , creative <code>{creativeId}</code>
          </>
        )}
        {ad.reason === undefined || why === undefined ? null : (
          <>
            , code <code>{ad.reason.code}</code>
          </>
        )}
      </p>
      {delivered ? <Beacons delivered={delivered} duration={duration} /> : null}
    </li>
  );
}
