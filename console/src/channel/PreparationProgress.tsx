// SPDX-License-Identifier: Apache-2.0
import type { Preparation } from '../../../src/http/contract/statusContract.ts';
import { plural } from '../format/numbers.ts';

const slateProgress = (jobsAhead: number | undefined): string => {
  if (jobsAhead === undefined) return 'Queued';
  return jobsAhead === 0 ? 'Encoding' : `Queued behind ${plural(jobsAhead, 'job')}`;
};

/** The progress of a channel, or of a change, before it goes on air. */
export function PreparationProgress({ preparation }: { readonly preparation: Preparation }) {
  const { step, assets, assetsRead, jobsAhead } = preparation;
  return (
    <dl class="preparation">
      <div>
        <dt id="assets-imported">Assets imported</dt>
        <dd>
          {assetsRead} of {assets}
          <progress max={Math.max(1, assets)} value={assets === 0 ? 1 : assetsRead} aria-labelledby="assets-imported" />
        </dd>
      </div>
      <div>
        <dt>Slate</dt>
        <dd>{step === 'slate' ? slateProgress(jobsAhead) : 'Waiting for assets'}</dd>
      </div>
    </dl>
  );
}
