import type { Preparation } from '../../../src/http/contract.ts';

const sayAhead = (jobs: number | undefined): string => {
  if (jobs === undefined) return 'waiting';
  if (jobs === 0) return 'being made';
  return jobs === 1 ? 'behind 1 other job' : `behind ${jobs} other jobs`;
};

/** The steps between a change and the air, and how far each is. */
export function Preparing({ preparation }: { readonly preparation: Preparation }) {
  const { step, assets, assetsRead, jobsAhead } = preparation;
  return (
    <dl class="preparing">
      <div>
        <dt id="assets-read">Assets read</dt>
        <dd>
          {assetsRead} of {assets}
          <progress max={Math.max(1, assets)} value={assets === 0 ? 1 : assetsRead} aria-labelledby="assets-read" />
        </dd>
      </div>
      <div>
        <dt>Slate</dt>
        <dd>{step === 'slate' ? sayAhead(jobsAhead) : 'after the assets'}</dd>
      </div>
    </dl>
  );
}
