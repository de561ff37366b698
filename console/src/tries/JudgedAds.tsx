// SPDX-License-Identifier: Apache-2.0
import type { JudgedAd } from '../../../src/platform/tries/contract/tryContract.ts';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { formatDuration } from '../format/time.ts';
import type { AdVerdict } from './verdicts.ts';
import { adVerdict } from './verdicts.ts';

/** Of an ad in a try. */
const verdictStatuses: Statuses<AdVerdict> = {
  plays: ['good', 'Would play'],
  making: ['info', 'Being made'],
  absent: ['warn', 'Not made yet'],
  failed: ['bad', 'Creative failed'],
  skipped: ['calm', 'Skipped'],
};

/** The ads of a judged break, each with its verdict and the reason. */
export const JudgedAds = ({ ads }: { readonly ads: readonly JudgedAd[] }) => (
  <ol class="ads">
    {ads.map((ad, index) => {
      const { adId, title, duration, outcome, reason, mediaFile } = ad;
      return (
        <li key={`${adId} ${index}`} class={outcome}>
          <div class="row">
            <StatusBadge status={verdictStatuses[adVerdict(ad)]} />
            <strong>{title || adId || 'Ad without a title'}</strong>
            <span class="small muted">{formatDuration(duration)}</span>
          </div>
          {reason === undefined ? null : (
            <p class="reason">
              {reason.text} <code class="small">{reason.code}</code>
            </p>
          )}
          {mediaFile === undefined ? null : <code class="url">{mediaFile}</code>}
        </li>
      );
    })}
  </ol>
);
