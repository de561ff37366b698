// SPDX-License-Identifier: Apache-2.0
import type { JudgedAd } from '../../../src/platform/tries/contract/tryContract.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { verdictStatuses } from '../components/feedback/statuses.ts';
import { formatDuration } from '../logic/format/time.ts';
import { adVerdict } from '../logic/tries/verdicts.ts';

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
